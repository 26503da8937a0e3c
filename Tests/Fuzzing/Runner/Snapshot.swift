import Foundation
import Support
import TestPeople

/// A saved keyring with its rollback notes, which can be restored to the same files. A keyring in a new
/// file would count as a copy.
struct Snapshot {
    let keyring: [UInt8]
    let notes: [(String, [UInt8])]
    private let path: String

    init(of sandbox: Sandbox, keyring path: String) throws {
        self.path = path
        keyring = try sandbox.contents(path)
        let folder = sandbox.path("home/state/smsenc/")
        notes = try FileManager.default.contentsOfDirectory(atPath: folder).map {
            (folder + $0, try sandbox.contents(folder + $0))
        }
    }

    func put(_ bytes: [UInt8]) throws {
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try overwrite(path, bytes)
        for (path, contents) in notes { try overwrite(path, contents) }
    }
}
