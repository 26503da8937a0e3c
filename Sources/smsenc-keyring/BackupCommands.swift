import UserInterface
import Keyring
import ToolKit
import System

/// Commands for encrypted backups, which consist of lines of text.
extension Command {
    static let export = Command(
        name: "export", forms: [("", "write an encrypted backup to stdout")]
    ) { (context) throws(ExitError) in
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        var output = Output(to: .standardOutput())
        try throwingExitError(
            keyring.export { (line) throws(KeyringError) in
                output.append(line.span)
                output.append(UInt8(ascii: "\n"))
                try throwingKeyringError(output.flushBlock())
            })
        try throwingExitError(io: output.flush())
        try throwingExitError(io: output.synchronise())
        do throws(KeyringError) {
            try keyring.recordExport()
        } catch .copy(_) {
            // The keyring was copied or restored. Do not write to it until the user has run adopt.
        } catch {
            context.diagnostics.say(DiagnosticText.exportNotRecorded(error))
        }
        context.closingNote = DiagnosticText.exported
    }

    static let importBackup = Command(
        name: "import", forms: [("", "create a keyring from a backup on stdin")]
    ) { (context) throws(ExitError) in
        let access = try context.access()
        try throwingExitError(Keyring.checkAbsent(access.path))
        var lines = LineSource()
        guard let first = try lines.next(), let second = try lines.next() else {
            throw KeyringError.backup(.notABackup).exitError
        }
        let restoration = try throwingExitError(
            BackupImporter(of: first, second, at: access.path, places: access.places))
        _ = try access.withPassword(of: restoration.user) { (password) throws(KeyringError) in
            try restoration.unlock(password: password)
        }
        while let line = try lines.next() { try throwingExitError(restoration.read(line)) }
        try throwingExitError(restoration.finish())
        // The backup is read from stdin. Therefore this text cannot be a closingNote, which is printed
        // only if stdin is a terminal.
        if File.standardError().isTerminal {
            let file = try access.open().file
            let count = try throwingExitError(file.contactCount())
            context.diagnostics.say(DiagnosticText.imported(Int64(count), of: restoration.user))
        }
        try context.warnOfVolatileNote()
    }
}

/// Reads the lines of stdin.
private struct LineSource: ~Copyable {
    private let file = File.standardInput()
    private var reader = RecordReader()

    /// Returns the next line, or nil at the end of the input.
    mutating func next() throws(ExitError) -> [UInt8]? {
        switch try throwingExitError(io: reader.advance(in: file, atMost: 1)) {
        case .end: return nil
        case .overlong: throw KeyringError.backup(.notABackup).exitError
        case .batch: return reader.withFields(of: reader.records[0]) { Array(copying: $1) }
        }
    }
}
