internal import GSM7

/// Why a record is bad and what to do about it, in one line.
struct Words {
    let settings: Settings

    func line(for fault: TextFault) -> String { "\(fault.reason); \(remedy(for: fault))" }

    static func tooLong(_ septets: Int, limit: Int) -> String {
        "\(septets) septets where \(limit) are allowed; shorten it by \(septets - limit)"
    }

    private func remedy(for fault: TextFault) -> String {
        switch fault {
        case .notGSM(let scalar, _): rendering(of: scalar)
        case .notBasic(let scalar, _):
            settings.transliterates ? "leave out -b, or change it" : rendering(of: scalar)
        case .control(let scalar, _) where scalar.value >= 0x80:
            "take it out, or convert the text: this is Windows-1252 taken for Latin-1"
        case .control: "take it out"
        case .malformed: "convert the text to UTF-8, as iconv(1) does"
        case .marks: "take some out"
        case .tooMany: "shorten it"
        }
    }

    /// What -t would do about a character.
    private func rendering(of scalar: Unicode.Scalar) -> String {
        if settings.transliterates { return "-t has no rendering for it; change it" }
        let rendering = Transliteration.rendering(of: scalar, basicOnly: settings.basicOnly)
        return switch rendering {
        case nil where scalar.properties.generalCategory == .nonspacingMark:
            "-t leaves marks out after a letter"
        case nil: "-t has no rendering for it; change it"
        case "": "-t would leave it out"
        case " ": "-t would write a space"
        case let text?: "-t would write \(text.drop { $0 == " " })"
        }
    }
}
