internal import GSM7
internal import ToolKit

/// The texts of diagnostics: why a record was rejected, and what to do about it, in one line.
struct DiagnosticText {
    let settings: CheckSettings

    /// Returns what is wrong and what to do about it. `text` is the record's text before normalisation.
    func reason(for fault: TextFault, in text: Span<UInt8>) -> String {
        "\(fault.reason); \(remedy(for: fault, in: text))"
    }

    static func tooLong(_ septets: Int, limit: Int) -> String {
        "the text has \(septets) septets, and the limit is \(limit); shorten it by \(septets - limit)"
    }

    private func remedy(for fault: TextFault, in text: Span<UInt8>) -> String {
        let optionHint = fault.scalar.map { rendering(of: $0) } ?? "-t reads it"
        if let remedy = fault.adviceForEncoding(of: text, optionHint: optionHint) { return remedy }
        return switch fault {
        case .notGSM(let scalar, _): rendering(of: scalar)
        case .notBasic(let scalar, _):
            settings.transliterates ? "leave out -b, or change it" : rendering(of: scalar)
        case .control(let scalar, _) where scalar.value > 0xFF: rendering(of: scalar)
        case .control, .malformed: "remove it"
        case .marks: "remove some"
        case .tooMany: "shorten it"
        }
    }

    /// Says what -t would do with a character.
    private func rendering(of scalar: Unicode.Scalar) -> String {
        if settings.transliterates { return "-t cannot replace it; change it" }
        let rendering = Transliteration.rendering(of: scalar, basicOnly: settings.basicOnly)
        return switch rendering {
        case nil where scalar.properties.generalCategory == .nonspacingMark:
            "put it after a letter, and use -t to leave it out"
        case nil: "-t cannot replace it; change it"
        case "": "use -t to leave it out"
        case " ": "use -t to write a space"
        case let text?: "use -t to write \(text.drop { $0 == " " })"
        }
    }
}

/// Why a received probe cannot be compared.
extension ExitError {
    static let nothingReceived = ExitError(
        .rejected, "nothing was received; paste the message as it arrived")
    static let tooLong = ExitError(
        .rejected, "the text is longer than an SMS; give only the message that was received")

    static func unreadable(_ fault: TextFault) -> ExitError {
        ExitError(.rejected, "\(fault.reason); convert the text to UTF-8, as iconv(1) does")
    }
}
