import UserInterface
import Crypto
import GSM7
import ToolKit
import System

/// Lets the user choose a new password.
enum NewPassword {
    /// Minimum length of a password that contains both a capital letter and a symbol.
    private static let minimumLength = 8
    /// Minimum length of a password that does not contain both a capital letter and a symbol.
    private static let minimumLengthOfAnyKind = 16

    /// A short form of the rules for passwords, which the prompt for a new password contains.
    private static let rule = "8 characters with a capital letter and a symbol, or 16 of any kind"

    /// Reads a new password from a file, or asks the user to type it twice at the terminal. If a typed
    /// password does not comply with the rules, asks again.
    ///
    /// - Parameters:
    ///   - option: the option that names the password file, for diagnostics.
    ///   - user: the name of the user, to which the password must not be similar.
    /// - Throws: `NewPasswordFault`, and the errors of `Password`.
    static func choose(
        from file: String?, option: String, for user: String, _ diagnostics: Diagnostics
    ) throws(ExitError) -> Password {
        if let file {
            let password = try Password(file: file)
            try check(password, of: user)
            return password
        }
        guard let terminal = Terminal() else { throw NewPasswordFault.noTerminal(option).exitError }
        while true {
            do throws(ExitError) {
                let first = try Password(
                    try terminal.askSecret("new password for \(quoted(user)) (\(rule)): "))
                try check(first, of: user)
                let second = try Password(try terminal.askSecret("repeat the new password: "))
                guard first.bytes == second.bytes else {
                    throw NewPasswordFault.different.exitError
                }
                return first
            } catch {
                guard error.status == .rejected else { throw error }
                diagnostics.say(error.text)
            }
        }
    }

    /// Checks that a password complies with the rules. A password with a capital letter and a symbol needs
    /// at least 8 characters. A symbol is a character other than letters, digits and spaces. Passwords
    /// without a capital letter or without a symbol need at least 16 characters. A password must not be
    /// one of the passwords that guessing programs try first.
    private static func check(_ password: borrowing Password, of user: String) throws(ExitError) {
        if let fault = password.bytes.withSpan(lengthFault) { throw fault.exitError }
        if let weakness = PasswordWeakness(of: password.bytes, user: user) {
            throw NewPasswordFault.weak(weakness).exitError
        }
    }

    private static func lengthFault(_ span: Span<UInt8>) -> NewPasswordFault? {
        var count = 0
        var hasCapital = false
        var hasSymbol = false
        var index = 0
        while index < span.count, let (scalar, length) = CodePoint.decode(span, at: index) {
            index += length
            guard PasswordCharacter.isCounted(scalar) else { continue }
            count += 1
            hasCapital = hasCapital || scalar.properties.isUppercase
            hasSymbol =
                hasSymbol
                || !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
                    && !scalar.properties.isWhitespace
        }
        if count >= minimumLengthOfAnyKind { return nil }
        if count < minimumLength { return .tooShort }
        if !hasCapital { return .noCapital }
        return hasSymbol ? nil : .noSymbol
    }
}

/// The reason why a new password is refused.
enum NewPasswordFault: UserFacingError {
    /// There is no terminal. The associated value is the option with which the user can give a password
    /// file.
    case noTerminal(String)
    case different
    case tooShort
    case noCapital
    case noSymbol
    case weak(PasswordWeakness)

    var status: ExitStatus {
        if case .noTerminal = self { .noPermission } else { .rejected }
    }

    private static let advice = "choose another password, such as five or six random words"

    var text: String {
        switch self {
        case .noTerminal(let option):
            "cannot ask for a new password without a terminal; use \(option)"
        case .different: "the two passwords differ; nothing was changed"
        case .tooShort:
            "the password is too short; use 8 characters with a capital letter and a symbol, or 16 characters of any kind"
        case .noCapital:
            "the password has no capital letter; add a capital letter, or use 16 or more characters"
        case .noSymbol:
            "the password has no symbol (a character other than a letter, digit or space); add a symbol, or use 16 or more characters"
        case .weak(.common):
            "the password is easy to guess, because it is a variation of a very common password; \(Self.advice)"
        case .weak(.pattern):
            "the password is easy to guess, because it repeats a pattern or follows the alphabet, the digits or the keyboard; \(Self.advice)"
        case .weak(.userName):
            "the password is easy to guess, because it is a variation of the user name; \(Self.advice)"
        }
    }
}
