/// An error that a tool can end with: facts below, one line of words in main.
///
/// The words are lower case, without a full stop: what was wrong, then, after a semicolon, what to
/// do about it. They never hold a secret.
package protocol Complaint: Error {
    var status: ExitStatus { get }
    var text: String { get }
}

/// A signal came while somebody was being asked; the tool dies of it when all is as it was.
package struct Interrupted: Error, Equatable {
    package let signal: Int32
    package init(signal: Int32) { self.signal = signal }
}
