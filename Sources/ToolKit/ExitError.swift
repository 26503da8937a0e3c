/// The error that ends a tool. An `ExitError` contains either a diagnostic and an exit status, or a signal.
///
/// Other targets throw errors of their own types, which contain details, but no text for the user. Extensions
/// make these error types conform to `UserFacingError` and add the text. The property `exitError` converts a
/// `UserFacingError` to an `ExitError`.
package struct ExitError: Error, Equatable {
    package let status: ExitStatus
    package let text: String
    /// The status to report if this error causes the rejection of a record.
    package let recordStatus: RecordStatus
    fileprivate(set) var signal: Int32?

    package init(_ status: ExitStatus, _ text: String, recordStatus: RecordStatus = .refused) {
        self.status = status
        self.text = text
        self.recordStatus = recordStatus
    }

    /// Creates an error that terminates the tool with a signal, without a diagnostic. For example, a signal
    /// can arrive while the tool waits for an answer at the terminal. The tool restores the terminal before
    /// it raises the signal. The error is also created if no process reads from the output pipe any more.
    package init(signal: Int32) {
        self.init(.inputOutput, "")
        self.signal = signal
    }

    /// The reason for rejecting a record, or nil if this error ends the run.
    package var rejection: RecordError? {
        status == .rejected ? RecordError(recordStatus, text) : nil
    }
}

/// An error that can be shown to the user.
///
/// The text of an error begins in lower case and has no full stop. The text says what failed and, after a
/// semicolon, what the user can do. The text never contains a secret.
package protocol UserFacingError: Error {
    var status: ExitStatus { get }
    var text: String { get }
    /// The status to report if this error causes the rejection of a record.
    var recordStatus: RecordStatus { get }
    /// The `ExitError` to throw if the tool cannot continue after this error.
    var exitError: ExitError { get }
}

/// By default, the tool rejects one record because of an error, and continues with the next record.
extension UserFacingError {
    package var status: ExitStatus { .rejected }
    package var recordStatus: RecordStatus { .refused }
    package var exitError: ExitError { ExitError(status, text, recordStatus: recordStatus) }
}
