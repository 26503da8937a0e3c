internal import FrameLayout
internal import Frames
internal import GSM7
internal import ToolKit

/// The texts of diagnostics. Each text is one line that says why a record was rejected, and what the user
/// can do.
enum DiagnosticText {
    static let empty = "the message is empty; to encode empty messages, use --allow-empty"

    /// Returns the diagnostic for a message that cannot be encoded as a frame.
    static func reason(forMessage fault: FrameFault, _ message: Span<UInt8>) -> String {
        let remedy =
            switch fault {
            case .text(let fault): remedy(for: fault, in: message)
            case .tooManyParts: "divide the text into several messages"
            case .isFrame:
                "encrypt the frame with smsenc-pad, or convert the frame to a message with -d"
            default:
                switch ContentGuess(message) {
                case .frame:
                    "this looks like a frame, so encrypt it with smsenc-pad, or convert it to a message with -d"
                case .ciphertext: "this looks like a ciphertext, so use smsenc-pad -d first"
                default: "use -s to send the message as several SMS"
                }
            }
        return "\(fault.reason); \(remedy)"
    }

    /// Returns the diagnostic for a frame that cannot be decoded.
    static func reason(forFrame fault: FrameFault, resembling guess: ContentGuess) -> String {
        let remedy =
            switch fault {
            case .length, .unknownForm: remedy(forNonFrame: guess)
            case .text: "a frame consists of 160 GSM characters, as printed by smsenc-pad -d"
            case .nextKeyNotBlank: "use the frame exactly as smsenc-pad -d printed it"
            case .newerVersion: "update smsenc to read the message"
            case .hasReceipt:
                "decrypt the SMS again with smsenc-pad -d, which removes the receipt"
            default:
                "the frame was changed, or created by another program, so ask the sender to send the message again"
            }
        return "\(fault.reason); \(remedy)"
    }

    private static func remedy(forNonFrame guess: ContentGuess) -> String {
        switch guess {
        case .nothing: "remove the empty record"
        case .frame: "use the frame exactly as smsenc-pad -d printed it, with all spaces"
        case .ciphertext: "this looks like a ciphertext, so use smsenc-pad -d first"
        case .message: "if the text is an ordinary message, you can read it without -d"
        }
    }

    private static func remedy(for fault: TextFault, in message: Span<UInt8>) -> String {
        let optionHint = "use smsenc-frame -t to repair the text"
        if let advice = fault.adviceForEncoding(of: message, optionHint: optionHint) {
            return advice
        }
        if case .marks = fault { return "remove some of the combining marks" }
        return optionHint
    }

    /// Returns the diagnostic for parts that could not be joined, and were therefore printed separately.
    static func partsPrintedSeparately(_ count: Int, of messages: Int) -> String {
        let parts = count == 1 ? "1 part" : "\(count) parts"
        let messages = messages == 1 ? "1 message" : "\(messages) messages"
        return
            "cannot join \(parts) of \(messages), because other parts are missing or do not match; the output contains the received parts"
    }
}

extension FrameFault {
    /// The status of a record that has this `FrameFault`.
    var recordStatus: RecordStatus {
        switch category {
        case .text: .text
        case .length: .length
        case .frame: .frame
        }
    }
}
