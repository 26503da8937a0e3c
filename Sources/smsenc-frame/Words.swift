internal import Frames
internal import GSM7

/// Why a record is bad and what to do about it, in one line.
enum Words {
    /// For a message that does not become a frame.
    static func line(
        forMessage fault: FrameFault, splits: Bool, like likeness: Likeness
    ) -> String {
        let remedy =
            switch fault {
            case .text(let fault): remedy(for: fault)
            case .tooManyParts: "divide it into several messages"
            default:
                switch likeness {
                case .frame: "this is a frame already: smsenc-pad enciphers it, -d unpacks it"
                case .ciphertext: "this looks like a ciphertext: smsenc-pad -d comes first"
                default:
                    splits ? "there is nothing but blanks in it; shorten it" : "-s splits it"
                }
            }
        return "\(fault.reason); \(remedy)"
    }

    /// For a frame that does not become a message.
    static func line(forFrame fault: FrameFault, like likeness: Likeness) -> String {
        let remedy =
            switch fault {
            case .length, .unknownForm: remedy(forNoFrameLike: likeness)
            case .text: "a frame is 160 GSM characters, as smsenc-pad -d gives them"
            case .nextKeyNotBlank: "take it as smsenc-pad -d gave it"
            default: "it was altered, or made by something else"
            }
        return "\(fault.reason); \(remedy)"
    }

    private static func remedy(forNoFrameLike likeness: Likeness) -> String {
        switch likeness {
        case .nothing: "the record is empty, leave it out"
        case .frame: "take it as smsenc-pad -d gave it, blanks included"
        case .ciphertext: "this looks like a ciphertext: smsenc-pad -d comes first"
        case .message: "if it is a message, read it as it stands; -d is for frames"
        }
    }

    private static func remedy(for fault: TextFault) -> String {
        switch fault {
        case .notGSM(let scalar, _):
            Transliteration.rendering(of: scalar) == nil
                ? "-u packs it as Unicode" : "gsm7-check -t replaces it, -u packs it as Unicode"
        case .malformed: "convert the text to UTF-8, as iconv(1) does"
        case .marks: "take some out"
        case .control(let scalar, _) where scalar.value >= 0x80:
            "take it out, or convert the text: this is Windows-1252 taken for Latin-1"
        case .control, .notBasic, .tooMany: "take it out"
        }
    }
}
