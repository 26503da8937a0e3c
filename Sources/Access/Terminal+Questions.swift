package import Crypto
package import LineIO
package import System

/// Questions to the person at the terminal: on /dev/tty, since stdin is data.
///
/// The tools of one pipeline take turns: whoever asks holds a lock on the terminal.
extension Terminal {
    /// Bytes in a secret answer at most.
    private static let longest = 1024
    /// Bytes in an answer that may be seen, at most: what terminals take in one line.
    private static let longestLine = 4096

    /// Asks for something secret; nothing is echoed. The terminal is as before when this returns, or
    /// when the process is ended by a signal that can be caught.
    ///
    /// - Throws: `noAnswer` when the terminal goes away or the answer is cancelled; what ends
    ///   the tool by a signal.
    package borrowing func askSecret(_ prompt: String) throws(Stop) -> SecretBytes {
        takeTurn()
        defer { endTurn() }
        guard let quiet = quiet() else { throw AccessError.noAnswer.stop }
        write(prompt)
        defer { write("\n") }
        return try Self.readLine(quiet)
    }

    /// Asks a question whose answer may be seen; the line without its end.
    ///
    /// - Throws: `noAnswer` when the terminal goes away.
    package borrowing func ask(_ prompt: String) throws(Stop) -> String {
        text(of: try askShown(prompt))
    }

    /// Asks for something secret that may be seen while it is typed, such as a key to compare; what is
    /// longer than 4096 bytes is cut.
    ///
    /// - Throws: `noAnswer` when the terminal goes away.
    package borrowing func askShown(_ prompt: String) throws(Stop) -> SecretBytes {
        takeTurn()
        defer { endTurn() }
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
        throw AccessError.noAnswer.stop
    }

    /// Reads up to the end of the line; backspace and ^U work, ^C and ^\ send their signals.
    private static func readLine(_ quiet: borrowing QuietTerminal) throws(Stop) -> SecretBytes {
        var line = SecretBytes(count: longest)
        var count = 0
        while true {
            let byte: UInt8
            switch quiet.next() {
            case .byte(let next): byte = next
            case .signal(let signal): throw Stop(signal: signal)
            case .none: continue
            case .gone: throw AccessError.noAnswer.stop
            }
            switch byte {
            case 0x0A, 0x0D:
                return line.withSpan { SecretBytes(copying: $0.extracting(..<count)) }
            case 0x03: throw Stop(signal: Process.interrupt)
            case 0x1C: throw Stop(signal: Process.quit)
            case 0x04 where count == 0: throw AccessError.noAnswer.stop
            case 0x08, 0x7F:
                // A character of UTF-8 goes as a whole.
                while count > 0 {
                    count -= 1
                    let place = count
                    if line.withSpan({ $0[place] & 0xC0 != 0x80 }) { break }
                }
            case 0x15: count = 0
            case _ where byte >= 0x20 && count < longest:
                let place = count
                line.withMutableSpan { $0[place] = byte }
                count += 1
            default: break
            }
        }
    }
}

/// An answer that need not be secret.
package func text(of answer: borrowing SecretBytes) -> String {
    answer.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) }
}
