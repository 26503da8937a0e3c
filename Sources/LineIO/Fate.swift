internal import System

/// What became of a record, in one word (`--status`). Scripts read these, so they stay as they are; what
/// diagnostics say may change.
package enum Fate: String, CaseIterable, Sendable {
    /// It went through.
    case ok
    /// It was deciphered, after others that were sent after it.
    case late
    /// It was deciphered once more: a process had died while writing it.
    case again
    /// It was deciphered again on request, after it had been read in the same session.
    case reread
    /// It is a part of a message, and waits for the others.
    case part

    /// It was read before.
    case read
    /// It was to be read again, and its key was not used up: it has perhaps never been printed.
    case new
    /// No key fits; or a key, an offer or a code is well formed, and not taken.
    case refused
    /// It has too many fields, or too few.
    case fields
    /// It is longer than a record may be.
    case long
    /// It is no UTF-8, or has a character that cannot go.
    case text
    /// It has too many characters, or another number of them than is due.
    case length
    /// It is no frame.
    case frame
    /// There is no such contact, or one already.
    case contact
    /// The contact has no number, or it is none, or another's.
    case number
    /// The contact is not in step, or not in the state that it takes.
    case state
}

/// Why a record is bad: in a word, and in a sentence that says what to do about it.
package struct Rejection: Complaint, Equatable {
    package let fate: Fate
    package let text: String

    package init(_ fate: Fate, _ text: String) {
        self.fate = fate
        self.text = text
    }
}

/// The fates of records as data, a line for each, in their order (`--status`):
///
///     number TAB id TAB fate TAB missing TAB reason TAB tag
///
/// A line is written once it is certain: those of records that are printed after what is printed.
struct Fates: ~Copyable {
    private var lines: Output
    private let terminator: UInt8
    /// Where each line that waits ends, and where the output stood when its record was done.
    private var waiting: [(end: Int, output: Int64)] = []

    init(to file: consuming File, endingIn terminator: UInt8) {
        lines = Output(to: file)
        self.terminator = terminator
    }

    /// Bytes that wait.
    var count: Int { lines.count }

    /// - Parameters:
    ///   - identifier: the first field before the payload, as it came.
    ///   - tag: names the record's SMS, if there is one; else empty.
    ///   - output: bytes of the output that must be out before this is certain.
    mutating func append(
        _ number: Int64, _ identifier: [UInt8]?, _ fate: Fate, missing: Int, _ reason: String,
        tag: String, after output: Int64
    ) {
        lines.append("\(number)\t")
        if let identifier { lines.append(identifier.span) }
        lines.append("\t\(fate.rawValue)\t\(missing)\t\(reason)\t\(tag)")
        lines.append(terminator)
        waiting.append((lines.count, output))
    }

    /// Writes the lines that are certain, and forgets the others.
    ///
    /// - Parameter certain: bytes of the output that have certainly left.
    /// - Throws: `write`, `readerLeft`.
    mutating func flush(certain: Int64) throws(IOError) {
        if let first = waiting.firstIndex(where: { $0.output > certain }) {
            lines.rewind(to: first == 0 ? 0 : waiting[first - 1].end)
        }
        waiting.removeAll(keepingCapacity: true)
        try lines.flush()
    }

    /// Brings to the disk what was written.
    func synchronise() throws(IOError) { try lines.synchronise() }
}
