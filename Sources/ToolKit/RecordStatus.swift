internal import System

/// The status of a record. Each status is one word in the `--status` file.
///
/// Scripts depend on the words for the statuses, so these words must not change. The texts of diagnostics may
/// change.
package enum RecordStatus: String, CaseIterable, Sendable {
    /// The record was processed, and there is nothing to report.
    case ok
    /// The message was decrypted after a message that the contact sent later.
    case late
    /// The message was decrypted again, because a process died while it was writing the message.
    case again
    /// The message was decrypted again because the user asked for it (`--reread`). The message was first
    /// read in the same session.
    case reread
    /// The record is a part of a message, and either other parts are still missing, or the part is a
    /// duplicate.
    case part
    /// The message was decrypted, but contains only a receipt, so there is no output.
    case receipt

    /// The message was decrypted earlier, so its message key no longer exists.
    case read
    /// The user asked to decrypt the message again (`--reread`), but the message has never been decrypted.
    /// The key of this message is still unused.
    case new
    /// The message was decrypted, but a newer version of smsenc is needed to decode it. The keyring keeps the
    /// message key, so a newer version can decrypt the message again.
    case newer
    /// No key of the contact matches the message. For commands that do not decrypt messages, this status
    /// means that a well-formed sync key, offer or code was not accepted.
    case refused
    /// The record has too many or too few fields.
    case fields
    /// The record is longer than `RecordReader.longestRecord`.
    case long
    /// The text is not UTF-8, or contains a character that cannot be sent.
    case text
    /// The text is too long, or does not have exactly the required number of characters.
    case length
    /// The record is not a frame.
    case frame
    /// The named contact does not exist or, if the record adds a contact, already exists.
    case contact
    /// The contact has no telephone number, or the number is malformed or belongs to another contact.
    case number
    /// The contact is not synchronised, or is in a state that does not permit the operation.
    case state
}

/// The reason for rejecting a record, which consists of the record's status and a text that tells the user
/// what to do.
package struct RecordError: UserFacingError, Equatable {
    package let recordStatus: RecordStatus
    package let text: String

    package init(_ recordStatus: RecordStatus, _ text: String) {
        self.recordStatus = recordStatus
        self.text = text
    }
}

/// Writes the `--status` file, which contains one line for each record, in the order of the input.
///
///     number TAB id TAB status TAB missing TAB reason [TAB position]
///
/// The line of a record is written after the output of the record, which makes the status final.
struct StatusFile: ~Copyable {
    private var lines: Output
    private let terminator: UInt8
    /// True if the lines of the status file contain the positions of messages.
    private let hasPositions: Bool
    /// The status lines of records whose output may not have been written yet. `end` is the end of the
    /// line in `lines`. `output` is the number of output bytes that must be written before the line.
    private var waiting: [(end: Int, output: Int64)] = []

    init(to file: consuming File, _ options: FilterOptions) {
        lines = Output(to: file)
        terminator = options.terminator
        hasPositions = options.reportsPositions
    }

    /// Number of buffered bytes.
    var count: Int { lines.count }

    /// Appends the line of a record. `flush` writes it to the file.
    ///
    /// - Parameters:
    ///   - identifier: the first field before the payload, unchanged.
    ///   - missing: the number by which this record changes the count of missing messages. The number is
    ///     negative if the record's message was missing before.
    ///   - reason: the text of the diagnostic, or an empty text if there is no diagnostic.
    ///   - position: the position of the record's message, or nil if it is not known.
    ///   - output: number of output bytes that must be written before this status is final.
    mutating func append(
        _ number: Int64, _ identifier: [UInt8]?, _ recordStatus: RecordStatus, missing: Int,
        _ reason: String, position: String?, after output: Int64
    ) {
        lines.append("\(number)\t")
        if let identifier { lines.append(identifier.span) }
        lines.append("\t\(recordStatus.rawValue)\t\(missing)\t\(reason)")
        if hasPositions { lines.append("\t\(position ?? "-")") }
        lines.append(terminator)
        waiting.append((lines.count, output))
    }

    /// Writes the status lines of all records whose output has certainly been written. Discards the status
    /// lines of all other records.
    ///
    /// - Parameter certain: number of output bytes that have certainly been written.
    /// - Throws: `write`, `readerLeft`.
    mutating func flush(certain: Int64) throws(IOError) {
        if let first = waiting.firstIndex(where: { $0.output > certain }) {
            lines.rewind(to: first == 0 ? 0 : waiting[first - 1].end)
        }
        waiting.removeAll(keepingCapacity: true)
        try lines.flush()
    }

    /// Calls fsync(2) if the status file is a regular file.
    mutating func synchronise() throws(IOError) { try lines.synchronise() }
}
