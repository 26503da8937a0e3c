internal import GSM7
internal import ToolKit

/// The texts of diagnostics. Each text is one line that says why a record was rejected, and what the user
/// can do.
struct DiagnosticText {
    let settings: CheckSettings

    /// Describes a fault, and says how to correct it. `text` is the record's text before normalisation.
    func reason(for fault: TextFault, in text: Span<UInt8>) -> String {
        "\(fault.reason); \(remedy(for: fault, in: text))"
    }

    static func tooLong(_ septets: Int, limit: Int) -> String {
        "the text has \(septets) septets, but the limit is \(limit); shorten the text by \(septets - limit)"
    }

    private func remedy(for fault: TextFault, in text: Span<UInt8>) -> String {
        let optionHint = fault.scalar.map { rendering(of: $0) } ?? "use -t to convert the text"
        if let remedy = fault.adviceForEncoding(of: text, optionHint: optionHint) { return remedy }
        return switch fault {
        case .notGSM(let scalar, _): rendering(of: scalar)
        case .notBasic(let scalar, _):
            settings.transliterates
                ? "leave out -b, or change this character" : rendering(of: scalar)
        case .control(let scalar, _) where scalar.value > 0xFF: rendering(of: scalar)
        case .control, .malformed: "remove this character"
        case .marks: "remove some of the combining marks"
        case .tooMany: "shorten the text"
        }
    }

    /// Returns the advice for a character that is not in the alphabet. The advice contains, for example,
    /// the replacement that the option -t uses.
    private func rendering(of scalar: Unicode.Scalar) -> String {
        if settings.transliterates { return "change this character, because -t cannot replace it" }
        let rendering = Transliteration.rendering(of: scalar, basicOnly: settings.basicOnly)
        return switch rendering {
        case nil where scalar.properties.generalCategory == .nonspacingMark:
            "put this combining mark after a letter, or use -t to remove the mark"
        case nil: "change this character, because -t cannot replace it"
        case "": "use -t to remove this character"
        case " ": "use -t to replace this character with a space"
        case let text?: Self.replacement(text)
        }
    }

    private static func replacement(_ text: String) -> String {
        let shown = text.drop { $0 == " " }
        return "use -t to replace this character with \(shown)"
    }
}

/// The errors for a received probe that cannot be compared.
extension ExitError {
    static let nothingReceived = ExitError(
        .rejected, "the received message is empty; paste the message as it arrived")
    static let tooLong = ExitError(
        .rejected, "the text is longer than an SMS; paste only the message that you received")

    static func unreadable(_ fault: TextFault) -> ExitError {
        ExitError(
            .rejected, "\(fault.reason); convert the text to UTF-8, for example with iconv(1)")
    }
}
