import Protocol
import ToolKit

/// The parsed options of smsenc-pad.
struct PadOptions {
    let filter: FilterOptions
    let decrypts: Bool
    let contact: String?
    /// In the output, the contact's name, number or id replaces the contact field if `printsName`,
    /// `printsNumber` or `printsID` is true. Otherwise, the contact field is copied from the input.
    let printsName: Bool
    let printsNumber: Bool
    let printsID: Bool
    /// True to print the position of each message.
    let printsPosition: Bool
    /// The number of message keys that are tried ahead in each receiving chain.
    let window: Int
    /// True to decrypt only messages that were already read in this session.
    let rereads: Bool
    /// True for a dry run (`--check`).
    let checks: Bool
    /// True to encrypt a receipt for each contact for whom a receipt is due. With `--receipts`, no records
    /// are read.
    let sendsReceipts: Bool

    init(_ arguments: Arguments) throws(ExitError) {
        decrypts = arguments.has("decrypt")
        contact = arguments.value("contact")
        try arguments.refuse(
            "near", with: "far", because: "--near tries fewer keys, and --far more")
        try arguments.refuse(
            "near", with: "reread", because: "--reread tries the keys of messages that were read")
        window =
            arguments.has("near")
            ? Conversation.nearWindow
            : arguments.has("far") ? Conversation.farWindow : Conversation.window
        checks = arguments.has("check")
        rereads = arguments.has("reread")
        try arguments.refuse(
            "check", with: "decrypt",
            because: "a dry run cannot show whether a ciphertext can be decrypted")
        sendsReceipts = arguments.has("receipts")
        for option in ["decrypt", "check", "contact", "far", "near", "reread", "field"] {
            try arguments.refuse(
                "receipts", with: option, because: "--receipts reads no records")
        }
        if sendsReceipts, !arguments.operands.isEmpty {
            throw .misuse("--receipts reads no records, so it takes no file")
        }
        printsName = arguments.has("name")
        printsNumber = arguments.has("number")
        printsID = arguments.has("id")
        printsPosition = arguments.has("position")
        var filter = try FilterOptions(arguments, payloadField: contact == nil ? 2 : 1)
        if contact == nil {
            filter.missing = "write CONTACT TAB TEXT, or specify the contact with -c"
            filter.operandAdvice =
                "specify the name of a file, or write the name of the contact after -c"
        }
        filter.payloadLength = Ciphertext.length
        filter.reportsPositions = printsPosition
        self.filter = filter
        if sendsReceipts, !printsName, !printsNumber, !printsID {
            throw .misuse("--receipts needs -n, -N or --id to print the contact of each receipt")
        }
        for option in ["far", "near", "reread"] where arguments.has(option) && !decrypts {
            throw .misuse("--\(option) needs -d")
        }
        if contact == nil, filter.payloadField == 1 {
            throw .misuse("-f 1 leaves no field for the contact; specify the contact with -c")
        }
    }
}
