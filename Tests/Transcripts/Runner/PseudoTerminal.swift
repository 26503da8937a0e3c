import CTerminal
import Foundation
import Support

/// A pseudo-terminal, which captures the output of a command and accepts typed input.
struct PseudoTerminal: ~Copyable {
    /// The user's side.
    let screen: Descriptor
    /// Path at which the command opens its side.
    let path: String
    /// The command's side, which is kept open. Otherwise, the user's side would be at the end of file
    /// until the command has opened its side.
    private let commandSide: Descriptor

    init() throws {
        var numbers: (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 1024)
        processStartLock.lock()
        defer { processStartLock.unlock() }
        guard unsafe openpty(&numbers.0, &numbers.1, &name, nil, nil) == 0 else {
            throw SystemError("openpty")
        }
        screen = Descriptor(numbers.0)
        commandSide = Descriptor(numbers.1)
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        path = String(decoding: bytes, as: UTF8.self)
    }

    /// Types a line, or one of the keys `^C` and `^D`.
    func type(_ text: String) {
        switch text {
        case "^C": screen.write("\u{3}")
        case "^D": screen.write("\u{4}")
        default: screen.write(text + "\r")
        }
    }

    /// True if the command has not yet read everything that was typed.
    var hasUnreadInput: Bool { waitForInput(commandSide.number, -1, until: .now).first }

    /// Reads the remaining output of a command that has ended, and hangs up.
    consuming func finish(into output: inout [UInt8]) {
        let screen = closingCommandSide()
        while screen.read(into: &output) {}
        processStartLock.lock()
        defer { processStartLock.unlock() }
        screen.close()
    }

    private consuming func closingCommandSide() -> Descriptor { screen }
}
