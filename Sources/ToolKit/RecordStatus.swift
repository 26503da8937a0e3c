internal import System

/// The status of a record, one word in the `--status` file.
///
/// Scripts read these words, so they must not change. The texts of diagnostics may.
package enum RecordStatus: String, CaseIterable, Sendable {
    /// The record was processed, and there is nothing to report.
    case ok
    /// The message was decrypted, but after a message that was sent later.
    case late
    /// The message was decrypted a second time, because a process died while writing it.
    case again
    /// The message was decrypted again on request (`--reread`). It was first read in the same session.
    case reread
    /// A part of a message whose other parts are not complete yet.
    case part

    /// The message was decrypted before, so its message key no longer exists.
    case read
    /// The message was to be decrypted again (`--reread`), but has never been decrypted: its message key is
    /// unused.
    case new
    /// No key of the contact matches; or a sync key, an offer or a code is well formed but was not accepted.
    case refused
    /// The record has too many or too few fields.
    case fields
    /// Longer than `RecordReader.longestRecord`.
    case long
    /// The text is not UTF-8, or contains a character that cannot be sent.
    case text
    /// The text has too many characters, or not the required number.
    case length
    /// Not a frame.
    case frame
    /// The contact does not exist, or exists already.
    case contact
    /// The contact has no telephone number, or the number is malformed or belongs to another contact.
    case number
    /// The contact is not synchronised, or not in the state that the operation needs.
    case state
}

/// Why a record is rejected: its status, and a sentence that says what to do about it.
package struct RecordError: UserFacingError, Equatable {
    package let recordStatus: RecordStatus
    package let text: String

    package init(_ recordStatus: RecordStatus, _ text: String) {
        self.recordStatus = recordStatus
        self.text = text
    }
}

/// Writes the `--status` file: one line for each record, in the order of the input.
///
///     number TAB id TAB status TAB missing TAB reason TAB tag
///
/// A line is written only when the status is certain. The status of a record with output is certain after the
/// output has been written.
struct StatusFile: ~Copyable {
    private var lines: Output
    private let terminator: UInt8
    /// For each line that is not certain yet: its end in `lines`, and the number of bytes of output that must
    /// be written before it is certain.
    private var waiting: [(end: Int, output: Int64)] = []

    init(to file: consuming File, endingIn terminator: UInt8) {
        lines = Output(to: file)
        self.terminator = terminator
    }

    /// Number of bytes that wait to be written.
    var count: Int { lines.count }

    /// Appends the line of a record. It is written by `flush`.
    ///
    /// - Parameters:
    ///   - identifier: the first field before the payload, unchanged.
    ///   - missing: how many more messages are missing than before this record; negative if it arrived late.
    ///   - reason: the text of the diagnostic, or empty.
    ///   - tag: identifies the record's SMS; empty if there is none.
    ///   - output: number of bytes of the output that must be written before this status is certain.
    mutating func append(
        _ number: Int64, _ identifier: [UInt8]?, _ recordStatus: RecordStatus, missing: Int,
        _ reason: String,
        tag: String, after output: Int64
    ) {
        lines.append("\(number)\t")
        if let identifier { lines.append(identifier.span) }
        lines.append("\t\(recordStatus.rawValue)\t\(missing)\t\(reason)\t\(tag)")
        lines.append(terminator)
        waiting.append((lines.count, output))
    }

    /// Writes the lines that are certain and discards the others.
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

    /// Calls fsync(2) if the lines are written to a file on a disk.
    mutating func synchronise() throws(IOError) { try lines.synchronise() }
}
