package import LineIO
package import System

/// What goes wrong between the user and the keyring.
package enum AccessError: Complaint, Equatable {
    /// No session, no password file, and no terminal to ask on.
    case nobodyToAsk
    case noPassword(String)
    /// The file with the password cannot be read.
    case passwordFile(IOError)
    /// Others can read the file with the password, or it is theirs.
    case exposedPasswordFile(String)
    /// The terminal went away, or the answer was cancelled.
    case noAnswer
    /// What of a new password is not a GSM character, in words that do not show it.
    case notGSM(String)

    package var status: ExitStatus {
        switch self {
        case .nobodyToAsk, .noAnswer, .noPassword, .exposedPasswordFile: .noPermission
        case .passwordFile(let fault): fault.status
        case .notGSM: .rejected
        }
    }

    package var text: String {
        switch self {
        case .nobodyToAsk:
            "the keyring is locked and there is no terminal to ask on; open a session with eval \"$(smsenc-keyring unlock)\", or give --password-file"
        case .noPassword(let name):
            "the first line of \(quoted(name)) is empty; it holds no password"
        case .passwordFile(.open(let name, let code)):
            "cannot open the password file \(quoted(name)): \(systemText(code)); see --password-file and SMSENC_PASSWORD_FILE"
        case .passwordFile(let fault): "no password: \(fault.text)"
        case .exposedPasswordFile(let name):
            "others can read the password file \(quoted(name)); run: chmod 600 \(shellWord(name))"
        case .noAnswer: "no answer was given; nothing was done"
        case .notGSM(let what): "the password \(what); use GSM characters only"
        }
    }
}
