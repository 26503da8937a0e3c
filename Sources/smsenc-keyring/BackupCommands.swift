import UserInterface
import GSM7
import Keyring
import ToolKit
import System

/// Commands that write and read encrypted backups. A backup consists of lines of text.
extension Command {
    static let export = Command(
        name: "export",
        forms: [
            ("", "write an encrypted backup to stdout"),
            ("FILE", "write an encrypted backup to FILE, which may replace an older backup"),
        ],
        maximumOperands: 1, isForAccount: true,
        hint: "; to write a backup to a file, use export FILE, without --output"
    ) { (context) throws(ExitError) in
        let path = context.operands.first
        if let path {
            try BackupFile.checkCanBeWritten(path)
        } else if File.standardOutput().isTerminal {
            throw .misuse(
                "a terminal does not keep the backup; write it to a file with export FILE")
        }
        let keyring = try context.access().unlocked()
        if let path {
            try BackupFile.write(path) { (output) throws(ExitError) in
                try export(keyring, to: &output)
            }
        } else {
            var output = Output(to: .standardOutput())
            try export(keyring, to: &output)
        }
        do throws(KeyringError) {
            try keyring.recordExport()
        } catch .copy(_) {
            // The keyring was copied or restored. Do not write to it until the user has run adopt.
        } catch {
            context.diagnostics.say(DiagnosticText.exportNotRecorded(error))
        }
        context.closingNote = DiagnosticText.exported
    }

    /// Writes a backup, and returns when the backup is on the disk.
    private static func export(
        _ keyring: Keyring, to output: inout Output
    ) throws(ExitError) {
        try throwingExitError(
            keyring.export { (line) throws(KeyringError) in
                output.append(line.span)
                output.append(UInt8(ascii: "\n"))
                try throwingKeyringError(output.flushBlock())
            })
        try throwingExitError(io: output.flush())
        try throwingExitError(io: output.synchronise())
    }

    static let importBackup = Command(
        name: "import",
        forms: [
            ("", "create a keyring from a backup on stdin"),
            ("FILE", "create a keyring from the backup in FILE"),
        ],
        maximumOperands: 1, isForAccount: true
    ) { (context) throws(ExitError) in
        let access = try context.access()
        try throwingExitError(Keyring.checkAbsent(access.path))
        var lines = LineSource(try file(of: context))
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
        // Do not use `closingNote` for this text, because it is printed only if stdin is a terminal. The
        // backup is usually read from stdin.
        if File.standardError().isTerminal {
            let file = try access.open()
            let count = try throwingExitError(file.contactCount())
            context.diagnostics.say(DiagnosticText.imported(Int64(count), of: restoration.user))
        }
        try context.warnOfVolatileNote()
    }

    /// Opens the backup to be imported: the file that the operand names, or stdin.
    private static func file(of context: CommandContext) throws(ExitError) -> File {
        guard let path = context.operands.first else { return .standardInput() }
        return try throwingExitError(io: File(reading: path))
    }
}

/// Writes a backup to a new file in the same folder, and then replaces the old file with the new file.
/// Even after an error, the file at the path is either the old backup or the complete new backup.
private enum BackupFile {
    /// Checks that a path does not exist, or is an empty file or a backup.
    static func checkCanBeWritten(_ path: String) throws(ExitError) {
        if ["", "-"].contains(path) {
            throw .misuse(
                "export takes the name of a file, or prints the backup if there is no name")
        }
        guard File.exists(path) else { return }
        guard let beginning = File.contents(of: path),
            beginning.isEmpty || Backup.isBackup(beginning)
        else { throw ExitError(.cannotCreate, DiagnosticText.notReplaced(path)) }
    }

    /// Creates a new file, passes it to `body`, and renames it to `path`. When this function returns, the
    /// new name has been written to the disk.
    static func write(
        _ path: String, _ body: (inout Output) throws(ExitError) -> Void
    ) throws(ExitError) {
        let draft = try throwingExitError(Keyring.draftPath(for: path))
        do throws(ExitError) {
            var output = Output(to: try throwingExitError(io: File(creating: draft, for: path)))
            try body(&output)
            try throwingExitError(io: File.replace(path, with: draft))
        } catch {
            try? File.remove(draft)
            throw error
        }
        try throwingExitError(io: PathChecks.synchroniseFolder(of: path))
    }
}

/// Reads the lines of a backup. Mail programs and editors may have added white space, blank lines and
/// `> `. These are ignored.
private struct LineSource: ~Copyable {
    private let file: File
    private var reader = RecordReader()

    init(_ file: consuming File) { self.file = file }

    /// Returns the next line that is not blank. White space and `>` around the line are removed. Returns
    /// nil at the end of the input.
    mutating func next() throws(ExitError) -> [UInt8]? {
        switch try throwingExitError(io: reader.advance(in: file, atMost: 1)) {
        case .end: return nil
        case .overlong: throw KeyringError.backup(.notABackup).exitError
        case .batch: break
        }
        let line = reader.withFields(of: reader.records[0]) { (_, line) in
            var start = WhiteSpace.trimmed(line).lowerBound
            while start < line.count, line[start] == UInt8(ascii: ">") {
                start += 1 + WhiteSpace.trimmed(line.extracting((start + 1)...)).lowerBound
            }
            let rest = line.extracting(start...)
            return Array(copying: rest.extracting(WhiteSpace.trimmed(rest)))
        }
        return line.isEmpty ? try next() : line
    }
}
