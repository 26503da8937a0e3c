/// The error that ends a tool: a diagnostic and an exit status, or a signal.
///
/// Libraries throw errors of their own types, which contain facts and no texts. An error type that is a
/// `UserFacingError` has the texts for them, and is converted to this type with `exitError`.
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

    /// Ends the tool by a signal, without a diagnostic. Used if a signal came while the tool waited for an
    /// answer at the terminal, or if the reader of a pipe has gone. The signal is raised after the terminal
    /// has been restored.
    package init(signal: Int32) {
        self.init(.inputOutput, "")
        self.signal = signal
    }

    /// The error as the reason for rejecting a record, or nil if the error ends the run.
    package var rejection: RecordError? {
        status == .rejected ? RecordError(recordStatus, text) : nil
    }
}

/// An error that can be shown to the user.
///
/// The text is in lower case and has no full stop. The text says what failed and, after a semicolon, what to
/// do about it. It never contains a secret.
package protocol UserFacingError: Error {
    var status: ExitStatus { get }
    var text: String { get }
    /// The status of a record that is rejected because of this error.
    var recordStatus: RecordStatus { get }
    /// The error that ends the tool.
    var exitError: ExitError { get }
}

/// By default an error rejects a record.
extension UserFacingError {
    package var status: ExitStatus { .rejected }
    package var recordStatus: RecordStatus { .refused }
    package var exitError: ExitError { ExitError(status, text, recordStatus: recordStatus) }
}
