internal import FrameLayout
internal import Frames
internal import GSM7
internal import ToolKit

/// The texts of diagnostics: why a record was rejected, and what to do about it, in one line.
enum DiagnosticText {
    static let empty = "the message is empty; remove it, or use --allow-empty"

    /// For a message that cannot be encoded as a frame.
    static func reason(forMessage fault: FrameFault, _ message: Span<UInt8>) -> String {
        let remedy =
            switch fault {
            case .text(let fault): remedy(for: fault, in: message)
            case .tooManyParts: "divide it into several messages"
            case .isFrame: "encrypt it with smsenc-pad, or convert it back with -d"
            default:
                switch ContentGuess(message) {
                case .frame:
                    "this is a frame already: encrypt it with smsenc-pad, or convert it back with -d"
                case .ciphertext: "this looks like a ciphertext: use smsenc-pad -d first"
                default: "use -s to send it as several SMS"
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
            case .nextKeyNotBlank: "use it exactly as smsenc-pad -d printed it"
            default: "it was changed, or made by another program: ask for it again"
            }
        return "\(fault.reason); \(remedy)"
    }

    private static func remedy(forNonFrame guess: ContentGuess) -> String {
        switch guess {
        case .nothing: "the record is empty, so remove it"
        case .frame: "use it exactly as smsenc-pad -d printed it, with all spaces"
        case .ciphertext: "this looks like a ciphertext: use smsenc-pad -d first"
        case .message: "if it is a message, read it as it is; -d is for frames"
        }
    }

    private static func remedy(for fault: TextFault, in message: Span<UInt8>) -> String {
        let optionHint = "smsenc-frame -t converts it"
        if let advice = fault.adviceForEncoding(of: message, optionHint: optionHint) {
            return advice
        }
        if case .marks = fault { return "remove some" }
        return optionHint
    }

    /// For parts that were printed one by one because their message could not be joined.
    static func partsPrintedSeparately(_ count: Int, of messages: Int) -> String {
        let parts = count == 1 ? "1 part" : "\(count) parts"
        let messages = messages == 1 ? "1 message" : "\(messages) messages"
        return
            "\(parts) of \(messages) could not be joined and \(count == 1 ? "was" : "were") printed as received: other parts are missing, or do not fit"
    }
}

extension FrameFault {
    /// The status that a record with this fault gets.
    var recordStatus: RecordStatus {
        switch category {
        case .text: .text
        case .length: .length
        case .frame: .frame
        }
    }
}
