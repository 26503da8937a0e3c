import Foundation
import Support
import Testing

@testable import Keyring

@Suite(.measured) struct DatabaseTests {
    /// Only a transaction that synchronises may checkpoint the log. Otherwise, checkpointing would
    /// endanger the database.
    @Test func aTransactionWithoutSyncDoesNotChangeTheDatabaseFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/database"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let database = try Database(path: path)
        try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (b BLOB)")
        let before = try size(of: path)
        try database.transaction(.light) { () throws(KeyringError) in
            for _ in 0..<1200 { try database.execute("INSERT INTO t VALUES (zeroblob(4096))") }
        }
        #expect(try size(of: path) == before)
        try database.transaction { () throws(KeyringError) in
            try database.execute("INSERT INTO t VALUES (1)")
        }
        #expect(try size(of: path) > before + 1200 * 4096)
    }

    /// The last setting applies when the connection is closed and the log is checkpointed.
    @Test func noTransactionTurnsOffSynchronisation() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/database"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let database = try Database(path: path)
        for durability in Database.Durability.allCases {
            try database.transaction(durability) { () throws(KeyringError) in }
            #expect(try database.statement("PRAGMA synchronous").first { $0.integer(0) } != 0)
        }
    }

    /// Authors of other tools have only the manual, and the keyring refuses any other schema.
    @Test func tablesMatchTheManual() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../man/smsenc-keyring.5"), encoding: .utf8)
        let statements = page.matches(of: #/(?m)^CREATE TABLE [^;]*/#).map { String($0.0) }
        #expect(statements == Schema.tables)
    }

    private func size(of path: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(facts[.size] as? Int)
    }
}
