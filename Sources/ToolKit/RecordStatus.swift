internal import System

/// The status of a record, one word in the `--status` file.
///
/// Scripts read these words, so they must not change. The texts of diagnostics may.
package enum RecordStatus: String, CaseIterable, Sendable {
    /// Processed without anything to report.
    case ok
    /// Decrypted, but after a message that was sent later.
    case late
    /// Decrypted a second time, because a process died while it was writing the message.
    case again
    /// Decrypted again on request (`--reread`). It was first read in the same session.
    case reread
    /// A part of a message whose other parts are not complete yet.
    case part

    /// Decrypted before, so its message key no longer exists.
    case read
    /// To be decrypted again (`--reread`), but its message key is still unused. So the message may never have
    /// been printed.
    case new
    /// No key of the contact matches. Or a key, an offer or a code is well formed, but was not accepted.
    case refused
    /// Has too many or too few fields.
    case fields
    /// Longer than `RecordReader.longestRecord`.
    case long
    /// Not UTF-8, or contains a character that cannot be sent.
    case text
    /// Has too many characters, or not the required number.
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
    package let fate: RecordStatus
    package let text: String

    package init(_ fate: RecordStatus, _ text: String) {
        self.fate = fate
        self.text = text
    }
}

/// Writes the `--status` file: one line for each record, in the order of the input.
///
///     number TAB id TAB status TAB missing TAB reason TAB tag
///
/// A line is written only when the status is certain. If the record has output, this is after the output has
/// left.
struct Fates: ~Copyable {
    private var lines: Output
    private let terminator: UInt8
    /// The end of each waiting line in `lines`, and the position to which the output must have been written
    /// first.
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
    ///   - missing: number of earlier messages that have not arrived.
    ///   - reason: the text of the diagnostic, or empty.
    ///   - tag: identifies the record's SMS; empty if there is none.
    ///   - output: number of bytes of the output that must be written before this status is certain.
    mutating func append(
        _ number: Int64, _ identifier: [UInt8]?, _ fate: RecordStatus, missing: Int,
        _ reason: String,
        tag: String, after output: Int64
    ) {
        lines.append("\(number)\t")
        if let identifier { lines.append(identifier.span) }
        lines.append("\t\(fate.rawValue)\t\(missing)\t\(reason)\t\(tag)")
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
