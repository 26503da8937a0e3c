internal import System

/// The status of a record: one word in the `--status` file.
///
/// Scripts depend on these words, so they must not change. The texts of diagnostics may change.
package enum RecordStatus: String, CaseIterable, Sendable {
    /// The record was processed, and there is nothing to report.
    case ok
    /// The message was decrypted, but another message that was sent later had been decrypted before it.
    case late
    /// The message was decrypted a second time, because a process died while writing it.
    case again
    /// The message was decrypted again on request (`--reread`). It was first read in the same session.
    case reread
    /// The record is a part of a message. Other parts are still missing, or the part is a duplicate.
    case part
    /// The message was decrypted. It contains only a receipt, so there is no output.
    case receipt

    /// The message was already decrypted, so its message key no longer exists.
    case read
    /// The user asked to decrypt the message again (`--reread`), but it has never been decrypted. Its
    /// message key is unused.
    case new
    /// The message was decrypted, but only a newer version of smsenc can decode it. Its message key remains
    /// stored.
    case newer
    /// No key of the contact matches the message, or a well-formed sync key, offer or code was not
    /// accepted.
    case refused
    /// The record has too many or too few fields.
    case fields
    /// The record is longer than `RecordReader.longestRecord`.
    case long
    /// The text is not UTF-8, or contains a character that cannot be sent.
    case text
    /// The text is too long, or does not have the required number of characters.
    case length
    /// The record is not a frame.
    case frame
    /// The contact does not exist, or already exists.
    case contact
    /// The contact has no telephone number, or the number is malformed or belongs to another contact.
    case number
    /// The contact is not synchronised, or is not in the state that the operation requires.
    case state
}

/// The reason for rejecting a record: its status, and a sentence that tells the user what to do about it.
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
/// The line of a record is written only after the output of the record, because the status is not final
/// until then.
struct StatusFile: ~Copyable {
    private var lines: Output
    private let terminator: UInt8
    /// True if the lines contain the positions of messages.
    private let hasPositions: Bool
    /// The lines whose status is not final: the end of each line in `lines`, and the number of bytes of the
    /// output that must be written before the line.
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
    ///   - missing: number of messages that this record adds to the missing ones. Negative if it arrived
    ///     late.
    ///   - reason: the text of the diagnostic, or empty.
    ///   - position: the position of the record's message, or nil if it is not known.
    ///   - output: number of bytes of the output that must be written before this status is final.
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

    /// Writes the status lines of records whose output has already been written, and discards all other
    /// lines.
    ///
    /// - Parameter certain: number of bytes of the output that have certainly been written.
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
