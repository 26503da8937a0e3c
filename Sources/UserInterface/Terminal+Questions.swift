package import Crypto
package import ToolKit
package import System

/// Asks questions on /dev/tty, because stdin is used for data.
///
/// A tool locks the terminal while it asks a question, so two tools in a pipeline never ask at the same
/// time.
extension Terminal {
    /// Maximum length of a secret answer in bytes.
    private static let longestSecret = 1024
    /// Maximum length in bytes of an answer that is not secret. Terminals in Linux accept lines of at most
    /// this length.
    private static let longestLine = 4096

    /// Asks for a secret without echoing it.
    ///
    /// The terminal is restored when this function returns, and when a signal that can be caught
    /// terminates the process.
    ///
    /// - Throws: `noAnswer` if the terminal is closed or the user cancels. If the user sends a signal,
    ///   throws an error that terminates the tool with this signal.
    package borrowing func askSecret(_ prompt: String) throws(ExitError) -> SecretBytes {
        lockForQuestion()
        defer { unlockAfterQuestion() }
        guard let quiet = quiet() else { throw AccessError.noAnswer.exitError }
        write(prompt)
        defer { write("\n") }
        return try Self.readLine(quiet)
    }

    /// Asks a question whose answer is not secret, and returns the answer without the newline at its end.
    ///
    /// - Throws: `noAnswer` if the terminal is closed.
    package borrowing func ask(_ prompt: String) throws(ExitError) -> String {
        text(of: try askVisible(prompt))
    }

    /// Asks a question, and returns true if the answer is `yes`. Ignores case and spaces.
    ///
    /// - Throws: `noAnswer` if the terminal is closed.
    package borrowing func confirms(_ question: String) throws(ExitError) -> Bool {
        let letters = try ask(question).utf8.filter { $0 != UInt8(ascii: " ") }
        return letters.map { $0 | 0x20 } == Array("yes".utf8)
    }

    /// Asks for a secret such as a key. The secret is shown while the user types it, because the user has
    /// to compare it.
    ///
    /// The answer is truncated after 4096 bytes.
    ///
    /// - Throws: `noAnswer` if the terminal is closed.
    package borrowing func askVisible(_ prompt: String) throws(ExitError) -> SecretBytes {
        lockForQuestion()
        defer { unlockAfterQuestion() }
        write(prompt)
        var line = SecretBytes(count: Self.longestLine)
        var count = 0
        while let byte = readByte() {
            if byte == UInt8(ascii: "\n") {
                return line.withSpan { SecretBytes(copying: $0.extracting(..<count)) }
            }
            guard count < Self.longestLine else { continue }
            let place = count
            line.withMutableSpan { $0[place] = byte }
            count += 1
        }
        throw AccessError.noAnswer.exitError
    }

    /// Reads a line. Backspace and ^U edit the line. ^C and ^\ terminate the tool with the usual signals.
    private static func readLine(_ quiet: borrowing NoEchoTerminal) throws(ExitError) -> SecretBytes
    {
        var line = SecretBytes(count: longestSecret)
        var count = 0
        while true {
            let byte: UInt8
            switch quiet.next() {
            case .byte(let next): byte = next
            case .signal(let signal): throw ExitError(signal: signal)
            case .none: continue
            case .gone: throw AccessError.noAnswer.exitError
            }
            switch byte {
            case 0x0A, 0x0D:
                return line.withSpan { SecretBytes(copying: $0.extracting(..<count)) }
            case 0x03: throw ExitError(signal: Process.interrupt)
            case 0x1C: throw ExitError(signal: Process.quit)
            case 0x04 where count == 0: throw AccessError.noAnswer.exitError
            case 0x08, 0x7F:
                // Delete all bytes of the last character.
                while count > 0 {
                    count -= 1
                    let place = count
                    if line.withSpan({ $0[place] & 0xC0 != 0x80 }) { break }
                }
            case 0x15: count = 0
            case _ where byte >= 0x20 && count < longestSecret:
                let place = count
                line.withMutableSpan { $0[place] = byte }
                count += 1
            default: break
            }
        }
    }
}

/// Converts an answer that is not secret to a string.
package func text(of answer: borrowing SecretBytes) -> String {
    answer.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) }
}
