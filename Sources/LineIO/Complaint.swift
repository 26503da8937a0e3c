/// An error that a tool can end with: facts below, one line of words in main.
///
/// The words are lower case, without a full stop: what was wrong, then, after a semicolon, what to
/// do about it. They never hold a secret.
package protocol Complaint: Error {
    var status: ExitStatus { get }
    var text: String { get }
}

/// The reader of the output has gone away; the tool dies of SIGPIPE, without a word.
package struct ReaderLeft: Error, Equatable {
    package init() {}
}
