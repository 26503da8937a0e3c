/// The error that ends a tool. It contains either a diagnostic and an exit status, or a signal.
///
/// Other targets throw errors of their own types. Such an error contains details, but no text for the
/// user. An extension adds the text and makes the type conform to `UserFacingError`. The property
/// `exitError` then returns the `ExitError`.
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

    /// Creates an error that terminates the tool with a signal, without a diagnostic. One use is a signal
    /// that arrives while the tool waits for an answer at the terminal. The signal is raised after the
    /// terminal has been restored. Another use is an output pipe that no process reads from any more.
    package init(signal: Int32) {
        self.init(.inputOutput, "")
        self.signal = signal
    }

    /// The reason for rejecting a record. Nil if this error ends the run.
    package var rejection: RecordError? {
        status == .rejected ? RecordError(recordStatus, text) : nil
    }
}

/// An error that can be shown to the user.
///
/// The text begins in lower case and has no full stop. It says what failed. After a semicolon, it says
/// what the user can do. It never contains a secret.
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
