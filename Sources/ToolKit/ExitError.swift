/// The error that ends a tool: a diagnostic and an exit status, or a signal.
///
/// Libraries throw errors of their own types, which contain details but no text for the user. An extension
/// that conforms such a type to `UserFacingError` adds the text. `exitError` then converts the error to an
/// `ExitError`.
package struct ExitError: Error, Equatable {
    package let status: ExitStatus
    package let text: String
    /// The status of a record that is rejected because of this error.
    package let recordStatus: RecordStatus
    fileprivate(set) var signal: Int32?

    package init(_ status: ExitStatus, _ text: String, recordStatus: RecordStatus = .refused) {
        self.status = status
        self.text = text
        self.recordStatus = recordStatus
    }

    /// Creates an error that terminates the tool with a signal and without a diagnostic. It is used if a
    /// signal arrived while the tool waited for an answer at the terminal, or if nobody reads the output
    /// pipe any more. The signal is raised after the terminal has been restored.
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
/// The text begins in lower case and has no full stop. It describes what failed and, after a semicolon,
/// what the user can do about it. It never contains a secret.
package protocol UserFacingError: Error {
    var status: ExitStatus { get }
    var text: String { get }
    /// The status of a record that is rejected because of this error.
    var recordStatus: RecordStatus { get }
    /// The `ExitError` to throw if the tool cannot continue after this error.
    var exitError: ExitError { get }
}

/// By default, an error rejects one record.
extension UserFacingError {
    package var status: ExitStatus { .rejected }
    package var recordStatus: RecordStatus { .refused }
    package var exitError: ExitError { ExitError(status, text, recordStatus: recordStatus) }
}
