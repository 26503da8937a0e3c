internal import FrameLayout
package import GSM7

/// The reason why a message cannot be encoded as a frame, or why a frame cannot be decoded. Columns are
/// counted from 1.
package enum FrameFault: Error, Equatable {
    /// The message or the frame contains a character that is not permitted.
    case text(TextFault)
    /// The message does not fit in a frame, which has room for `Frame.text.count` symbols. In its shortest
    /// form, the message needs `symbols` symbols.
    case tooLong(symbols: Int)
    /// The message is already a frame.
    case isFrame
    /// The message needs more than `MessageSplitter.maximumParts` parts.
    case tooManyParts

    /// The frame does not have 160 symbols. The associated value is the number of symbols in the frame.
    case length(Int)
    /// The frame contains a byte that is not a GSM symbol.
    case notSymbol(column: Int)
    /// The first six symbols of the frame are not a failsafe.
    case unknownForm
    /// The frame contains a receipt. Only smsenc-pad writes and reads frames with receipts.
    case hasReceipt
    /// The frame is in the compressed form, but the text field cannot be decompressed.
    case notCompressed
    /// The message was compressed with a model that this version does not have.
    case newerVersion
    /// The field for the next key is not blank. Only smsenc-pad writes a next key into a frame.
    case nextKeyNotBlank
}

extension FrameFault {
    /// The kind of a fault. The characters, the length, or the structure of a record can be faulty.
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

    /// Describes the fault, as the first part of a diagnostic.
    package var reason: String {
        switch self {
        case .text(let fault): fault.reason
        case .tooLong(let symbols):
            "the message is too long: it needs \(symbols) characters, but one SMS holds only \(Frame.text.count)"
        case .isFrame: "this is already a frame"
        case .tooManyParts: "the message needs more than \(MessageSplitter.maximumParts) frames"
        case .length(let count):
            "the text has \(count) \(count == 1 ? "character" : "characters") instead of \(Frame.length)"
        case .notSymbol(let column): "column \(column): this is not a GSM character"
        case .unknownForm:
            "the text is not a frame, because it does not begin with \(Form.plain.failsafe) or \(Form.compressed.failsafe)"
        case .hasReceipt: "the frame contains a receipt"
        case .notCompressed: "the compressed message is invalid"
        case .newerVersion: "the message was made by a newer version of smsenc"
        case .nextKeyNotBlank: "the last ten characters of the frame are not spaces"
        }
    }
}
