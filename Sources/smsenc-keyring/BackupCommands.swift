import Access
import Keyring
import LineIO
import System

/// Commands for encrypted backups, which are lines of text.
extension Command {
    static let export = Command(
        name: "export", forms: [("", "write an encrypted backup to stdout")]
    ) { (context) throws(Stop) in
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        var output = Output(to: .standardOutput())
        let commits = try orStop(
            keyring.export { (line) throws(KeyringError) in
                output.append(line.span)
                output.append(UInt8(ascii: "\n"))
                try orOutput(output.flushBlock())
            })
        try orStop(io: output.flush())
        try orStop(io: output.synchronise())
        do throws(KeyringError) {
            try keyring.recordExport(of: commits)
        } catch .copy(_) {
            // The keyring was copied or restored. Do not write to it before the user has run adopt.
        } catch {
            context.diagnostics.say(Words.exportNotRecorded(error))
        }
    }

    static let restore = Command(
        name: "import", forms: [("", "create a keyring from a backup on stdin")]
    ) { (context) throws(Stop) in
        let access = try context.access()
        try orStop(Keyring.checkAbsent(access.path))
        var lines = LineSource()
        guard let first = try lines.next(), let second = try lines.next() else {
            throw KeyringError.backup(.notABackup).stop
        }
        let restoration = try orStop(
            Restoration(of: first, second, at: access.path, places: access.places))
        _ = try access.withPassword(of: restoration.user) { (password) throws(KeyringError) in
            try restoration.unlock(password: password)
        }
        while let line = try lines.next() { try orStop(restoration.read(line)) }
        try orStop(restoration.finish())
        try context.warnOfVolatileNote()
    }
}

/// Reads the lines of stdin.
private struct LineSource: ~Copyable {
    private let file = File.standardInput()
    private var reader = RecordReader()

    /// Returns the next line, or nil at the end.
    mutating func next() throws(Stop) -> [UInt8]? {
        switch try orStop(io: reader.advance(in: file, atMost: 1)) {
        case .end: return nil
        case .overlong: throw KeyringError.backup(.notABackup).stop
        case .batch: return reader.withFields(of: reader.records[0]) { Array(copying: $1) }
        }
    }
}
