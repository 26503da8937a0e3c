import Crypto
import Foundation
import Protocol
import Support
import TestPeople

@testable import Keyring
@testable import System

/// A person's computer with a real keyring. It consists of a folder on a file system in memory, and a
/// simulated clock.
final class Machine {
    final class Time: @unchecked Sendable {
        var wall: Int64 = 0
    }

    let name: String
    private let folder: String
    /// Number of computers that were lost or replaced. Each computer has a separate folder.
    private(set) var moves = 0
    private let time = Time()
    private var token = ""
    /// Number of times that the computer was started.
    private(set) var boot = 0
    private var opened: Keyring?
    private var ring = 0
    /// Path of the commit note, which counts the commits of the keyring.
    private var note = ""
    /// Most recently saved state, or nil if the keyring was used after it was saved.
    private var last: State?
    /// Most recently saved state, even if the keyring was used after it was saved.
    private var before: State?

    /// Number of password changes.
    private(set) var password = 0

    init(_ name: String, in folder: String) {
        self.name = name
        self.folder = folder + "/" + name
    }

    private var home: String { "\(folder)-\(moves)" }
    private var path: String { home + "/keyring" }
    private var places: StandardPaths {
        StandardPaths(state: home + "/state", sessions: home + "/sessions")
    }
    private var clocks: Clocks {
        let time = time
        return Clocks(wall: { time.wall }, boot: { time.wall }, bootID: "start \(boot)")
    }
    private func secret() -> SecretBytes {
        let text = Array("four lamps on a long table \(password)".utf8)
        return SecretBytes(copying: text.span)
    }

    func set(_ wall: Int64) { time.wall = wall }

    func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    private(set) var hasKeyring = false

    func makeKeyring() throws {
        hasKeyring = true
        try makeFolder()
        try Keyring.create(
            at: path, user: name, country: "", lockTries: 3, lockSeconds: 300,
            password: secret(), places: places)
    }

    /// Returns the open keyring. If no keyring is open, opens and unlocks it like a new process.
    func keyring() throws -> Keyring {
        last = nil
        if let opened { return opened }
        let keyring: Keyring
        if token.isEmpty {
            keyring = try KeyringFile(path: path, places: places, clocks: clocks)
                .unlock(password: secret())
            let made = try Session.open(
                master: keyring.masterKeys.master, keyring: keyring.account.keyring,
                seconds: 1 << 40, folder: places.sessions, clocks: clocks)
            token = made.withSpan { hex(Array(copying: $0)) }
        } else {
            keyring = try KeyringFile(path: path, places: places, clocks: clocks)
                .unlock(with: try Session(token: token, folder: places.sessions))
        }
        if isOtherProcess { keyring.file.mark = otherProcessMark }
        ring = 0
        opened = keyring
        note = places.state + "/" + hex(keyring.account.keyring)
        return keyring
    }

    /// Returns the open keyring, acting under an identity.
    func keyring(actingAs identity: Int) throws -> Keyring {
        let keyring = try keyring()
        if ring != identity {
            try keyring.act(as: identity == 0 ? nil : KeyringModel.name(identity))
            ring = identity
        }
        return keyring
    }

    var isOpen: Bool { opened != nil }

    /// Name of the session that opened the keyring, or nil if a password opened it.
    func session() throws -> String? { try keyring().session?.name }

    /// Commits what a transaction changes by itself, which are the records of processes that died.
    func takeOverDeadRuns() throws { try keyring().change { (_) in } }

    /// Returns the count of commits.
    func commits() throws -> UInt64 {
        try keyring().reading { (store) throws(KeyringError) in store.header.commits }
    }

    /// True while a second process uses the keyring.
    private(set) var isOtherProcess = false

    /// Runs `body` as a second process, while the first process is in the middle of its work.
    func asOtherProcess(_ body: () throws -> Void) throws {
        let (usual, itsRing) = (opened.take(), ring)
        isOtherProcess = true
        defer { (opened, ring, isOtherProcess) = (usual, itsRing, false) }
        try body()
        try close()
    }

    /// Identity of the parent process, which runs at least as long as this process.
    private var otherProcessMark: ProcessIdentity {
        let number = getppid()
        let start = processStatus("\(number)")?[19] ?? "-"
        return ProcessIdentity(text: "\(number) \(start) \(clocks.bootID)")
    }

    func close() throws {
        try opened.take()?.file.close()
    }

    /// Changes the password and keeps the current session open.
    func changePassword() throws {
        let keyring = try keyring()
        password += 1
        try keyring.changePassword(
            user: name, password: secret(),
            keeping: try Session(token: token, folder: places.sessions).name)
    }

    /// Ends the process in the same way as SIGKILL. The write-ahead log remains.
    func die() {
        opened?.database.keepsLog = true
        opened = nil
        restart()
    }

    /// Restarts the computer. Sessions are lost, and all earlier processes count as dead.
    func restart() {
        opened = nil
        (boot, token) = (boot + 1, "")
    }
}

/// Saves and restores the files of the keyring.
extension Machine {
    /// The state between two runs, which consists of the keyring's file, its write-ahead log, the log's
    /// index, the commit note, and the file of the session.
    final class State {
        fileprivate let file: Data
        fileprivate let log: Data?
        fileprivate let index: Data?
        fileprivate let note: Data?
        fileprivate let session: Data?
        /// Commit count that will be noted when the log is checkpointed.
        fileprivate let later: UInt64?
        fileprivate let boot: Int
        fileprivate let token: String

        fileprivate init(of machine: Machine, after before: State?) {
            let file = machine.contents("") ?? Data()
            // Most states share the file, and differ only in the log.
            self.file = file == before?.file ? before?.file ?? file : file
            (log, index) = (machine.contents("-wal"), machine.contents("-shm"))
            note = FileManager.default.contents(atPath: machine.note)
            session = FileManager.default.contents(atPath: machine.sessionPath)
            later = machine.opened?.file.note.countToRaiseTo
            (boot, token) = (machine.boot, machine.token)
        }
    }

    private func contents(_ suffix: String) -> Data? {
        FileManager.default.contents(atPath: path + suffix)
    }

    /// Path of the session's file. If there is no session, no such file exists.
    private var sessionPath: String {
        (try? Session(token: token, folder: places.sessions).path) ?? places.sessions + "/none"
    }

    func state() -> State {
        if let last { return last }
        let made = State(of: self, after: before)
        (last, before) = (made, made)
        return made
    }

    /// Restores a state in place, without the keyring noticing. If only the log differs, an open
    /// connection is kept: SQLite reads the length of the log from the log's index, as if another process
    /// had written it.
    func put(_ state: State) throws {
        guard last !== state else { return }
        let isKept =
            boot == state.boot && token == state.token && state.log?.isEmpty == false
            && contents("") == state.file
            && FileManager.default.contents(atPath: sessionPath) == state.session
        if !isKept { opened = nil }
        if let opened, let index = state.index {
            try overwrite(path + "-shm", with: index)
            opened.file.note.countToRaiseTo = state.later
        } else {
            opened = nil
            try overwrite(path, with: state.file)
            try? FileManager.default.removeItem(atPath: path + "-shm")
        }
        (boot, token, last, before) = (state.boot, state.token, state, state)
        let others = [
            (path + "-wal", state.log), (note, state.note), (sessionPath, state.session),
        ]
        for (path, bytes) in others {
            if let bytes {
                try overwrite(path, with: bytes)
            } else {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Returns the keyring's file without the log.
    func keyringFile() throws -> Data {
        try close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Replaces the keyring with an older file.
    func putBack(_ file: Data, password: Int) throws {
        self.password = password
        try close()
        try overwrite(path, with: file)
    }

    private func overwrite(_ path: String, with data: Data) throws {
        if FileManager.default.fileExists(atPath: path) {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.write(contentsOf: data)
            try handle.truncate(atOffset: UInt64(data.count))
            try handle.close()
        } else {
            try data.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    /// Continues on a new computer to which the keyring's file was moved.
    func move() throws {
        let file = try keyringFile()
        try leave()
        try file.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Continues on a new, empty computer.
    func leave() throws {
        opened = nil
        try FileManager.default.removeItem(atPath: home)
        moves += 1
        restart()
        try makeFolder()
    }

    func export() throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        try keyring().export { lines.append($0) }
        return lines
    }

    func restore(_ lines: [[UInt8]], password: Int) throws {
        self.password = password
        let restoration = try BackupImporter(of: lines[0], lines[1], at: path, places: places)
        try restoration.unlock(password: secret())
        for line in lines.dropFirst(2) { try restoration.read(line) }
        try restoration.finish()
    }
}
