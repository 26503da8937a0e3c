package import GSM7

/// Why a message does not become a frame, or a frame no message. Columns count from 1.
package enum FrameFault: Error, Equatable {
    /// The message's text, or the frame's, cannot be read.
    case text(TextFault)
    /// The message takes this count of symbols in the shortest form; a frame has room for
    /// `Frame.text.count`.
    case tooLong(symbols: Int)
    /// The message is a frame.
    case isFrame
    /// The message needs more parts than `MessageSplitter.maximumParts`.
    case tooManyParts

    /// Not 160 symbols.
    case length(Int)
    /// A byte that is no symbol.
    case notSymbol(column: Int)
    /// No failsafe at the beginning.
    case unknownForm
    /// `¤` and something that it does not go with.
    case unknownPair(Unicode.Scalar, column: Int)
    /// `¤` at the end.
    case halfPair(column: Int)
    /// A group of symbols beyond what its bytes can hold.
    case groupOutOfRange(column: Int)
    /// Packed bytes after the first NUL.
    case bytesAfterEnd
    /// Packed bytes that are not UTF-8.
    case notUTF8
    /// A control character packed.
    case control(Unicode.Scalar)
    /// A field that no text compresses to.
    case notCompressed
    /// A next key outside smsenc-pad.
    case nextKeyNotBlank
}

extension FrameFault {
    /// What of it is wrong.
    package enum Category {
        case text, length, frame
    }

    package var category: Category {
        switch self {
        case .text(.tooMany), .tooLong, .tooManyParts, .length: .length
        case .text, .notSymbol: .text
        default: .frame
        }
    }

    /// What is wrong, for the middle of a diagnostic.
    package var reason: String {
        switch self {
        case .text(let fault): fault.reason
        case .tooLong(let symbols):
            "takes \(symbols) of \(Frame.text.count) characters in the shortest form"
        case .isFrame: "this is a frame already"
        case .tooManyParts: "takes more than \(MessageSplitter.maximumParts) frames"
        case .length(let count):
            "\(count) \(count == 1 ? "character" : "characters") where a frame has \(Frame.length)"
        case .notSymbol(let column): "column \(column): not a GSM character"
        case .unknownForm: "not a frame: it begins with none of \(Self.failsafes)"
        case .unknownPair(let scalar, let column):
            "column \(column): no pair is ¤ and \(scalar.inWords)"
        case .halfPair(let column): "column \(column): half a pair"
        case .groupOutOfRange(let column): "column \(column): packed symbols out of range"
        case .bytesAfterEnd: "packed bytes after the end of the message"
        case .notUTF8: "what is packed is not UTF-8"
        case .control(let scalar): "a control character is packed, \(scalar.inWords)"
        case .notCompressed: "what is compressed is no text"
        case .nextKeyNotBlank: "the last ten characters are not blank"
        }
    }
    /// The failsafes of all forms, as a list in words.
    private static var failsafes: String {
        let all = Form.allCases.map { $0.failsafe }
        return all.dropLast().joined(separator: ", ") + " and " + (all.last ?? "")
    }
}
