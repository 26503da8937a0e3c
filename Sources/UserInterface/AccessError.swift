package import ToolKit
package import System

/// The reason why a tool did not get a usable password, or an answer from the user.
package enum AccessError: UserFacingError, Equatable {
    /// A password is needed, but there is no session, no password file, and no terminal.
    case noTerminal
    case noPassword(String)
    /// The password file cannot be read.
    case passwordFile(IOError)
    /// Other users can read the password file.
    case exposedPasswordFile(String)
    /// Another user owns the password file.
    case foreignPasswordFile(String)
    /// The terminal was closed, or the user cancelled the prompt.
    case noAnswer
    /// A password contains a control character, or is not UTF-8. The associated value says at which
    /// position the password is wrong, but never contains the password.
    case notText(String)

    package var status: ExitStatus {
        switch self {
        case .noTerminal, .noAnswer, .noPassword, .exposedPasswordFile, .foreignPasswordFile:
            .noPermission
        case .passwordFile(let fault): fault.status
        case .notText: .rejected
        }
    }

    package var text: String {
        switch self {
        case .noTerminal:
            "the keyring is locked, and the password cannot be entered without a terminal; open a session with eval \"$(smsenc-keyring unlock)\", or use --password-file"
        case .noPassword(let name):
            "the first line of the password file \(quoted(name)) is empty; write the password on this line"
        case .passwordFile(.open(let name, let code)):
            "cannot open the password file \(quoted(name)): \(systemText(code)); check --password-file and SMSENC_PASSWORD_FILE"
        case .passwordFile(let fault): "cannot read the password: \(fault.text)"
        case .exposedPasswordFile(let name):
            "other users can read the password file \(quoted(name)); run: chmod 600 \(shellWord(name))"
        case .foreignPasswordFile(let name):
            "the password file \(quoted(name)) belongs to another user; if you trust this user, pass the open file: --password-file /dev/fd/3 3<\(shellWord(name))"
        case .noAnswer: "no answer was entered; nothing was changed"
        case .notText(let what):
            "\(what) is a control character or not UTF-8; type the password again without it"
        }
    }
}
