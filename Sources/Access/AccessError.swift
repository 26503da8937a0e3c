package import LineIO
package import System

/// What goes wrong between the user and the keyring.
package enum AccessError: Complaint, Equatable {
    /// No session, no password file, and no terminal to ask on.
    case nobodyToAsk
    /// No terminal to ask for a new password on; the option that names a file instead.
    case nobodyToAskNew(String)
    case noPassword(String)
    /// The file with the password cannot be read.
    case passwordFile(IOError)
    /// Others can read the file with the password, or it is theirs.
    case exposedPasswordFile(String)
    /// The terminal went away, or the answer was cancelled.
    case noAnswer
    case differentPasswords
    /// What of a new password is not a GSM character, in words that do not show it.
    case notGSM(String)
    case tooShort
    case noCapital
    case noSymbol

    package var status: ExitStatus {
        switch self {
        case .nobodyToAsk, .nobodyToAskNew, .noAnswer, .noPassword, .exposedPasswordFile:
            .noPermission
        case .passwordFile(let fault): fault.status
        case .differentPasswords, .notGSM, .tooShort, .noCapital, .noSymbol: .rejected
        }
    }

    package var text: String {
        switch self {
        case .nobodyToAsk:
            "the keyring is locked and there is no terminal to ask on; open a session with eval \"$(smsenc-keyring unlock)\", or give --password-file"
        case .nobodyToAskNew(let option):
            "there is no terminal to ask for a new password on; give \(option)"
        case .noPassword(let name):
            "the first line of \(quoted(name)) is empty; it holds no password"
        case .passwordFile(.open(let name, let code)):
            "cannot open the password file \(quoted(name)): \(systemText(code)); see --password-file and SMSENC_PASSWORD_FILE"
        case .passwordFile(let fault): "no password: \(fault.text)"
        case .exposedPasswordFile(let name):
            "others can read the password file \(quoted(name)); run: chmod 600 \(shellWord(name))"
        case .noAnswer: "no answer was given; nothing was done"
        case .differentPasswords: "the passwords differ; nothing was changed"
        case .notGSM(let what): "the password \(what); use GSM characters only"
        case .tooShort:
            "the password is too short; take 8 characters with a capital letter and a symbol, or 16"
        case .noCapital:
            "the password has no capital letter; add one, or take 16 characters or more"
        case .noSymbol:
            "the password has no symbol (neither letter, digit nor space); add one, or take 16 characters or more"
        }
    }
}
