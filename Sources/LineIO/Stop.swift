/// Why a tool ends before all is done: a line on stderr and a status, or the signal that it dies of.
///
/// Libraries throw facts; what a tool runs throws this alone. Whoever knows the words for some facts makes
/// them a `Complaint`, whose `stop` this is.
package struct Stop: Error, Equatable {
    package let status: ExitStatus
    package let text: String
    /// What becomes of a record that is rejected for it.
    package let fate: Fate
    fileprivate(set) var signal: Int32?

    package init(_ status: ExitStatus, _ text: String, fate: Fate = .refused) {
        self.status = status
        self.text = text
        self.fate = fate
    }

    /// A signal came while somebody was being asked, or a pipe lost its reader: the tool dies of it without
    /// a word, when all is as it was.
    package init(signal: Int32) {
        self.init(.inputOutput, "")
        self.signal = signal
    }

    /// What it makes of a record; nil where the run does not go on.
    package var rejection: Rejection? { status == .rejected ? Rejection(fate, text) : nil }
}

/// Facts that a tool can end with, and their words.
///
/// The words are lower case, without a full stop: what was wrong, then, after a semicolon, what to
/// do about it. They never hold a secret.
package protocol Complaint: Error {
    var status: ExitStatus { get }
    var text: String { get }
    /// What becomes of a record that is rejected for it.
    var fate: Fate { get }
    /// How a tool ends with it.
    var stop: Stop { get }
}

/// What is complained of is rejected, unless a complaint says otherwise.
extension Complaint {
    package var status: ExitStatus { .rejected }
    package var fate: Fate { .refused }
    package var stop: Stop { Stop(status, text, fate: fate) }
}
