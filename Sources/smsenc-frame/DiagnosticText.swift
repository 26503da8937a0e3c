internal import FrameLayout
internal import Frames
internal import GSM7
internal import LineIO

/// The texts of diagnostics: why a record was rejected, and what to do about it, in one line.
enum DiagnosticText {
    static let empty = "there is nothing in it; leave it out, or say --allow-empty"

    /// For a message that cannot be encoded as a frame.
    static func reason(forMessage fault: FrameFault, _ message: Span<UInt8>) -> String {
        let remedy =
            switch fault {
            case .text(let fault): remedy(for: fault, in: message)
            case .tooManyParts: "divide it into several messages"
            case .isFrame: "smsenc-pad enciphers it, -d unpacks it"
            default:
                switch ContentGuess(message) {
                case .frame: "this is a frame already: smsenc-pad enciphers it, -d unpacks it"
                case .ciphertext: "this looks like a ciphertext: smsenc-pad -d comes first"
                default: "-s splits it"
                }
            }
        return "\(fault.reason); \(remedy)"
    }

    /// For a frame that cannot be decoded.
    static func reason(forFrame fault: FrameFault, resembling guess: ContentGuess) -> String {
        let remedy =
            switch fault {
            case .length, .unknownForm: remedy(forNonFrame: guess)
            case .text: "a frame is 160 GSM characters, as smsenc-pad -d gives them"
            case .nextKeyNotBlank: "take it as smsenc-pad -d gave it"
            default: "it was altered, or made by something else"
            }
        return "\(fault.reason); \(remedy)"
    }

    private static func remedy(forNonFrame guess: ContentGuess) -> String {
        switch guess {
        case .nothing: "the record is empty, leave it out"
        case .frame: "take it as smsenc-pad -d gave it, blanks included"
        case .ciphertext: "this looks like a ciphertext: smsenc-pad -d comes first"
        case .message: "if it is a message, read it as it stands; -d is for frames"
        }
    }

    private static func remedy(for fault: TextFault, in message: Span<UInt8>) -> String {
        let mending = "smsenc-frame -t mends it"
        if let remedy = fault.remedyForEncoding(of: message, mending: mending) { return remedy }
        if case .marks = fault { return "take some out" }
        return mending
    }

    /// For parts that were printed one by one because their message could not be joined.
    static func partsPrintedSeparately(_ parts: Int, of messages: Int) -> String {
        let parts = parts == 1 ? "1 part" : "\(parts) parts"
        let messages = messages == 1 ? "1 message" : "\(messages) messages"
        return "\(parts) of \(messages) printed as they came: the rest is not there, or another's"
    }
}

extension FrameFault {
    /// The status that a record with this fault gets.
    var fate: Fate {
        switch category {
        case .text: .text
        case .length: .length
        case .frame: .frame
        }
    }
}
