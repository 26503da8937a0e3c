import Crypto
import Foundation
import Protocol
import Support
import TestPeople

@testable import Keyring
@testable import System

/// A person's computer: a folder on a file system in memory, a clock, and the keyring, which is the real one.
final class Machine {
    /// A clock that the simulation turns.
    final class Time: @unchecked Sendable {
        var wall: Int64 = 0
    }

    let name: String
    private let folder: String
    /// Machines that were lost or left, so that none has the place of another.
    private(set) var moves = 0
    private let time = Time()
    private var token = ""
    /// How often it was started.
    private(set) var boot = 0
    private var opened: Keyring?
    private var ring = 0
    /// Where commits are counted.
    private var note = ""
    /// How it stood when it was looked at last, where it was not used since.
    private var last: State?
    /// The same, whatever has happened since.
    private var before: State?

    /// How often it was changed.
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

    /// The keyring, opened and unlocked as by a run that starts now, unless one is open.
    func keyring() throws -> Keyring {
        last = nil
        if let opened { return opened }
        let keyring = try Keyring(path: path, places: places, clocks: clocks)
        if isBeside { keyring.mark = anothersMark }
        if token.isEmpty {
            try keyring.unlock(password: secret())
            let made = try Session.open(
                master: try keyring.unlocked().vault.master, keyring: keyring.account.keyring,
                seconds: 1 << 40, folder: places.sessions, clocks: clocks)
            token = made.withSpan { hex(Array(copying: $0)) }
        } else {
            try keyring.unlock(session: try Session(token: token, folder: places.sessions))
        }
        ring = 0
        opened = keyring
        note = places.state + "/" + hex(keyring.account.keyring)
        return keyring
    }

    /// The same, acting under an identity.
    func keyring(actingAs identity: Int) throws -> Keyring {
        let keyring = try keyring()
        if ring != identity {
            try keyring.act(as: identity == 0 ? nil : KeyringModel.name(identity))
            ring = identity
        }
        return keyring
    }

    var isOpen: Bool { opened != nil }

    /// A commit that changes nothing but what the keyring knows of time.
    ///
    /// - Throws: `KeyringError` if the keyring was copied or restored.
    func keepTime() throws { try keyring().commit(for: .tidying) { (_) in } }

    /// True while another process than the usual one works with the keyring.
    private(set) var isBeside = false

    /// Has another process do something while what the usual one has begun is under way.
    func beside(_ body: () throws -> Void) throws {
        let (usual, itsRing) = (opened.take(), ring)
        isBeside = true
        defer { (opened, ring, isBeside) = (usual, itsRing, false) }
        try body()
        try close()
    }

    /// The mark of a process that runs as long as this one: its parent.
    private var anothersMark: ProcessMark {
        let number = getppid()
        let start = processStatus("\(number)")?[19] ?? "-"
        return ProcessMark(text: "\(number) \(start) \(clocks.bootID)")
    }

    func close() throws {
        try opened.take()?.closeFile()
    }

    /// Takes another password; this session stays open.
    func changePassword() throws {
        let keyring = try keyring()
        password += 1
        try keyring.change(
            user: name, password: secret(),
            keeping: try Session(token: token, folder: places.sessions).name)
    }

    /// The process ends without a word; the log stays where it is, as after SIGKILL.
    func die() {
        opened?.database.keepsLog = true
        opened = nil
        restart()
    }

    /// Another start of the machine: sessions are gone, and all processes of before dead.
    func restart() {
        opened = nil
        (boot, token) = (boot + 1, "")
    }
}

/// Copies of its files.
extension Machine {
    /// How it stands between two runs: what lies in the keyring's file, in its log and the log's index, and in
    /// the note of commits.
    final class State {
        fileprivate let file: Data
        fileprivate let log: Data?
        fileprivate let index: Data?
        fileprivate let note: Data?
        /// The count of commits that is to be noted when the log is written back.
        fileprivate let later: UInt64?
        fileprivate let boot: Int
        fileprivate let token: String

        fileprivate init(of machine: Machine, after before: State?) {
            let file = machine.contents("") ?? Data()
            // Most differ by their logs alone.
            self.file = file == before?.file ? before?.file ?? file : file
            (log, index) = (machine.contents("-wal"), machine.contents("-shm"))
            note = FileManager.default.contents(atPath: machine.note)
            later = machine.opened?.commitCount.later
            (boot, token) = (machine.boot, machine.token)
        }
    }

    private func contents(_ suffix: String) -> Data? {
        FileManager.default.contents(atPath: path + suffix)
    }

    func state() -> State {
        if let last { return last }
        let made = State(of: self, after: before)
        (last, before) = (made, made)
        return made
    }

    /// Makes all what it was, in place: nobody notices. A connection stays where the log alone is another: SQLite
    /// sees by the log's index how far it goes, as if another process had written it.
    func put(_ state: State) throws {
        guard last !== state else { return }
        let isKept =
            boot == state.boot && token == state.token && state.log?.isEmpty == false
            && contents("") == state.file
        if !isKept { opened = nil }
        if let opened, let index = state.index {
            try overwrite(path + "-shm", with: index)
            opened.commitCount.later = state.later
        } else {
            opened = nil
            try overwrite(path, with: state.file)
            try? FileManager.default.removeItem(atPath: path + "-shm")
        }
        for (path, bytes) in [(path + "-wal", state.log), (note, state.note)] {
            if let bytes {
                try overwrite(path, with: bytes)
            } else {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        (boot, token, last, before) = (state.boot, state.token, state, state)
    }

    /// The keyring's file alone.
    func keyringFile() throws -> Data {
        try close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Puts an older file in the place of the keyring.
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

    /// Goes on at another machine, to which the keyring's file is carried.
    func move() throws {
        let file = try keyringFile()
        try leave()
        try file.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Goes on at another machine, where nothing is yet.
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
        let restoration = try Restoration(of: lines[0], lines[1], at: path, places: places)
        try restoration.unlock(password: secret())
        for line in lines.dropFirst(2) { try restoration.read(line) }
        try restoration.finish()
    }
}
