import Foundation
import Keyring
import Support
import TestPeople
import Testing

/// Amina's keyring, during whose use the power is cut, and the keyring of Bela, who writes to her. Each of
/// them has many contacts for the other: Amina's contacts are named b1, b2 and so on, and Bela's contacts
/// a1, a2 and so on. Contact b7 corresponds to a7.
///
/// Recorded commands see a different boot ID. For the tools that run afterwards, the computer has
/// therefore been restarted. The first session of Amina ends with the boot, and these tools use her second
/// session, which she would open with the password. The keyring's files keep their inodes when their contents
/// are replaced, because a keyring in another inode counts as copied.
final class PowerCut: @unchecked Sendable {
    let sandbox: Sandbox
    /// Both keyrings at the beginning of each case.
    private let start: (amina: [UInt8], bela: [UInt8])
    /// Amina's session in the boot that the power cut ends.
    private let session: String
    /// Frames of different messages, which are enough for every case.
    let frames: [String]
    /// Folder for files that must keep their inodes after their names have been removed.
    private let stash: String
    /// Files that were moved to this folder when their names were removed, with their path and inode, by
    /// their name in the folder. A second hard link cannot be used instead, because a keyring with two
    /// hard links is refused.
    private var kept: [String: (path: String, inode: UInt64)] = [:]
    private let boot: String
    /// The rollback notes of the two keyrings.
    private let ownNote: String
    private let otherNote: String
    /// Files of both sessions, which are kept because each tool removes the sessions of another boot, and
    /// some commands end all sessions.
    private let sessions: [String: [UInt8]]
    /// Session of a keyring that was created in a case.
    var newSession: String?

    static let folderOfNotes = "/home/state/smsenc/"

    /// Reason why these tests cannot run on this system, or nil if they can.
    static let obstacle: String? = {
        do {
            let sandbox = try Sandbox(inMemory: true)
            try sandbox.write(Array("x\n".utf8), to: "boot")
            let words = inOtherBoot(
                Recording.words(["/bin/sh", "-c", "echo x >out"], log: sandbox.path("log")),
                boot: sandbox.path("boot"))
            let result = try ToolRun(
                words, in: sandbox.path("desk"), environment: sandbox.environment()
            ).finish()
            guard result.status == 0 else { return result.errorText }
            return try sandbox.contents(sandbox.path("log")).isEmpty
                ? "strace records nothing" : nil
        } catch {
            return "\(error)"
        }
    }()

    /// Returns the arguments that run a program with a different boot ID.
    private static func inOtherBoot(_ program: [String], boot: String) -> [String] {
        let script = #"mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@""#
        let root = geteuid() == 0 ? ["-m"] : ["-r", "-m"]
        return ["/usr/bin/unshare"] + root + ["/bin/sh", "-c", script, boot] + program
    }

    init(contacts: Int) throws {
        sandbox = try Sandbox(inMemory: true)
        sandbox.removeAtExit()
        stash = sandbox.path("stash")
        boot = sandbox.path("boot")
        try FileManager.default.createDirectory(
            atPath: stash, withIntermediateDirectories: true)
        try sandbox.write(Array("00000000-0000-4000-8000-000000000000\n".utf8), to: "boot")
        try sandbox.add(person: "bela")
        let other = sandbox.notes.first ?? ""
        try sandbox.add(person: "amina")
        otherNote = sandbox.path(other)
        ownNote = sandbox.path(sandbox.notes.first { $0 != other } ?? "")
        let folderOfSessions = sandbox.path("run/smsenc")
        let sessionsOfThisBoot = try Self.files(in: folderOfSessions)
        let opened = try ToolRun(
            Self.inOtherBoot(
                [
                    Tools.path("smsenc-keyring"), "unlock", "--password-file",
                    sandbox.path("password"),
                ],
                boot: boot),
            in: sandbox.path("desk"),
            environment: sandbox.environment(of: "amina", usesSession: false)
        ).finish()
        session = String(opened.outputText.dropFirst("SMSENC_SESSION=".count).prefix(32))
        try Self.require(opened.status == 0 && session.count == 32, opened.errorText)
        sessions = try Self.files(in: folderOfSessions)
            .merging(sessionsOfThisBoot) { (old, _) in old }
        for (path, bytes) in sessions { try Self.write(bytes, to: path) }
        // This synchronises all contacts by offers at the same time.
        var offers: [String: [String]] = [:]
        for (person, letter) in [("amina", "b"), ("bela", "a")] {
            let names = (1...contacts).map { "\(letter)\($0)" }
            let table = (1...contacts).map { "\(letter)\($0)\t+2782\(1_000_000 + $0)" }
            try Self.expect(sandbox, ["add", "-"], person, table)
            offers[person] = try Self.expect(sandbox, ["offer", "-"], person, names)
        }
        for (person, other, letter) in [("amina", "bela", "b"), ("bela", "amina", "a")] {
            let theirs = offers[other, default: []].map { letter + $0.dropFirst() }
            _ = try Self.expect(sandbox, ["accept", "-"], person, theirs)
        }
        frames = lines(of: try sandbox.frames((0..<7200).map { "Message \($0)" }))
        start = (
            try sandbox.contents(sandbox.keyring(of: "amina")),
            try sandbox.contents(sandbox.keyring(of: "bela"))
        )
        for person in ["amina", "bela"] { keep(sandbox.keyring(of: person), as: person) }
    }

    @discardableResult
    private static func expect(
        _ sandbox: Sandbox, _ arguments: [String], _ person: String, _ input: [String]
    ) throws -> [String] {
        let result = try sandbox.run("smsenc-keyring", arguments, as: person, input: text(input))
        try require(result.status == 0, result.errorText)
        return lines(of: result.output)
    }

    /// The keyrings could not be prepared.
    ///
    /// Unlike the error that `#require` throws, this error fails every test for which it is thrown again.
    private struct NotPrepared: Error { let reason: String }

    private static func require(_ isRight: Bool, _ reason: String) throws {
        if !isRight { throw NotPrepared(reason: reason) }
    }

    // MARK: Files

    /// Returns true for the files that are recorded, which are Amina's keyring and the files beside it,
    /// the notes, and the output.
    func isWatched(_ path: String) -> Bool {
        path.hasPrefix(sandbox.keyring(of: "amina")) || path.hasPrefix(sandbox.path("desk/out"))
            || isNote(path)
    }

    func isNote(_ path: String) -> Bool {
        path.hasPrefix(sandbox.folder + Self.folderOfNotes) && path != otherNote
    }

    private static func files(in folder: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            files[path] = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        return files
    }

    private func watchedPaths() throws -> [String] {
        let folders = ["home", "home/state/smsenc", "desk"].map(sandbox.path)
        return try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
        }.filter(isWatched).sorted()
    }

    /// Resets both keyrings and their notes to their state at the beginning of the case.
    func reset() throws {
        try put(Disk.State(files: [:], names: [:]), inodes: [:])
        try Self.write(Sandbox.oldestNote, to: ownNote)
        try put(start.amina, into: "amina", at: sandbox.keyring(of: "amina"))
        try put(start.bela, of: "bela")
    }

    private func restoreSessions() throws {
        for (path, bytes) in sessions { try Self.write(bytes, to: path) }
    }

    func takeAway() { remove(sandbox.keyring(of: "amina")) }

    /// Copies Amina's keyring to a new inode, and removes the original.
    func copy() throws {
        try replaceKeyring(with: try sandbox.contents(sandbox.keyring(of: "amina")))
    }

    /// Replaces Amina's keyring with the file to which it was moved.
    func move() throws {
        let target = sandbox.path("desk/arriving")
        let isAdopted = try sandbox.withKeyring(of: "amina") { try $0.move(to: target) }
        #expect(!isAdopted)
        try replaceKeyring(with: try sandbox.contents(target))
        try FileManager.default.removeItem(atPath: target)
    }

    private func replaceKeyring(with bytes: [UInt8]) throws {
        let path = sandbox.keyring(of: "amina")
        remove(path)
        try put(bytes, into: "moved", at: path)
    }

    /// Replaces a person's keyring with a saved copy.
    func put(_ bytes: [UInt8], of person: String) throws {
        let path = sandbox.keyring(of: person)
        for suffix in ["", "-wal", "-shm"] { remove(path + suffix) }
        try Self.write(Sandbox.oldestNote, to: otherNote)
        try put(bytes, into: person, at: path)
    }

    private func put(_ bytes: [UInt8], into inode: String, at path: String) throws {
        // After a tool has deleted a file, a new file with the same name is a different file.
        let held = kept[inode].flatMap { Self.inode(of: $0.path) == $0.inode ? $0.path : nil }
        let place = held ?? stash + "/" + inode
        try Self.write(bytes, to: place)
        guard unsafe rename(place, path) == 0 else { throw SystemError(path) }
        keep(path, as: inode)
    }

    /// Lets a file keep its inode when its contents are replaced.
    func keep(_ path: String, as name: String) {
        kept[name] = Self.inode(of: path).map { (path, $0) }
    }

    /// Removes a name. If the file's inode will be needed again, the file is moved to the stash.
    private func remove(_ path: String) {
        guard let name = kept.first(where: { $0.value.path == path })?.key,
            Self.inode(of: path) == kept[name]?.inode
        else {
            unsafe unlink(path)
            return
        }
        unsafe rename(path, stash + "/" + name)
        keep(stash + "/" + name, as: name)
    }

    private static func inode(of path: String) -> UInt64? {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 ? UInt64(facts.st_ino) : nil
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError(path) }
        defer { close(file) }
        guard unsafe bytes.isEmpty || Foundation.write(file, bytes, bytes.count) == bytes.count
        else { throw SystemError(path) }
    }

    /// Writes a state of the disk to the real files.
    ///
    /// - Parameter inodes: names in the stash of files that must keep their inode.
    func put(_ state: Disk.State, inodes: [Int: String]) throws {
        try restoreSessions()
        for path in try watchedPaths() { remove(path) }
        var made: [Int: String] = [:]
        for (path, file) in state.names.sorted(by: { $0.key < $1.key }) {
            if let first = made[file] {
                guard unsafe link(first, path) == 0 else { throw SystemError(path) }
            } else if let inode = inodes[file] {
                try put(state.files[file] ?? [], into: inode, at: path)
            } else {
                try Self.write(state.files[file] ?? [], to: path)
            }
            made[file] = path
        }
    }

    // MARK: Recording

    struct Recorded {
        let recording: Recording
        let before: Disk.State
        /// Names in the stash of files that must keep their inode.
        let inodes: [Int: String]
        let result: ToolResult
    }

    /// Records the changes that a command makes to the disk.
    ///
    /// - Parameters:
    ///   - script: for sh(1), run in the folder desk, which contains the files out0 and out1.
    ///   - failing: a command to run first, and which of its calls of fdatasync(2) fail
    ///     (`Recording.words`).
    ///   - isPipe: true to write the output to a pipe instead of the file out.
    ///   - records: standard input, written one record at a time.
    func record(
        _ script: String, after failing: (script: String, calls: String)? = nil,
        usesSession: Bool = true, toPipe isPipe: Bool = true, feeding records: [String] = []
    ) throws -> Recorded {
        // Every tool that has run in this boot has removed the session of the other boot.
        try restoreSessions()
        for name in ["out", "out0", "out1"] { try sandbox.write([], to: "desk/" + name) }
        let (before, files) = try snapshot()
        var log: [UInt8] = []
        if let failing {
            _ = try trace(failing.script, failing: failing.calls, usesSession, toPipe: isPipe, [])
            log = try sandbox.contents(sandbox.path("log"))
        }
        let result = try trace(script, failing: nil, usesSession, toPipe: isPipe, records)
        log += try sandbox.contents(sandbox.path("log"))
        try restoreSessions()
        let recording = try Recording(log: log, before: files, isWatched: isWatched)
        return Recorded(
            recording: recording, before: before, inodes: try stashed(recording), result: result)
    }

    /// Runs a script under strace.
    private func trace(
        _ script: String, failing: String?, _ usesSession: Bool, toPipe isPipe: Bool,
        _ records: [String]
    ) throws -> ToolResult {
        var environment = sandbox.environment(of: "amina", usesSession: false)
        if usesSession { environment["SMSENC_SESSION"] = session }
        environment["PATH"] = Tools.folder.path + ":/usr/bin:/bin:/usr/sbin:/sbin"
        let words = Recording.words(
            ["/bin/sh", "-c", script], log: sandbox.path("log"), failing: failing)
        let run = try ToolRun(
            Self.inOtherBoot(words, boot: boot), in: sandbox.path("desk"), environment: environment,
            into: isPipe ? nil : sandbox.path("desk/out"))
        // Wait for the result of each record before sending the next record.
        for (index, record) in records.enumerated() {
            run.write(text([record]))
            _ = run.wait { lines(of: $0.gathered.output).count > index }
        }
        run.closeInput()
        return run.finish()
    }

    private func snapshot() throws -> (Disk.State, [String: (file: Int, size: Int)]) {
        var state = Disk.State(files: [:], names: [:])
        var files: [String: (file: Int, size: Int)] = [:]
        for (index, path) in try watchedPaths().enumerated() {
            let bytes = try sandbox.contents(path)
            state.files[index] = bytes
            state.names[path] = index
            files[path] = (index, bytes.count)
        }
        return (state, files)
    }

    /// Returns the recorded files that must keep their inode, such as Amina's keyring.
    private func stashed(_ recording: Recording) throws -> [Int: String] {
        let path = sandbox.keyring(of: "amina")
        var inodes: [Int: String] = [:]
        for (name, file) in kept where file.inode == Self.inode(of: file.path) {
            if let number = recording.names[file.path] { inodes[number] = name }
        }
        if let file = recording.names[path], inodes[file] == nil {
            keep(path, as: "new")
            inodes[file] = "new"
        }
        if let first = recording.firstNames.first(where: { $0.value == path })?.key,
            inodes[first] == nil
        {
            inodes[first] = "amina"
        }
        return inodes
    }

    /// Writes messages of Bela to the file read, so that they can be decrypted while other messages are
    /// encrypted.
    ///
    /// - Parameter trace: the chains of the encrypted messages, which depend on the decrypted messages.
    func fillInbox(_ trace: KeyTrace?) throws -> [(record: String, line: String)] {
        let receiving = try KeyTrace.pair(of: "amina", with: "b1", in: sandbox).receiving
        let lines = table(200, contacts: 1)
        let records = try send(lines, from: "bela")
        for record in records {
            if let found = try receiving.place(String(record.dropFirst(3))) {
                trace?.offer(found.nextKey)
            }
        }
        try sandbox.write(text(records), to: "desk/read")
        return zip(records, lines).map { ($0, $1) }
    }

    /// Returns the chains of contacts to whom nothing has been sent yet.
    func traces(of contacts: some Sequence<Int>) throws -> [Int: KeyTrace] {
        var traces: [Int: KeyTrace] = [:]
        for contact in contacts {
            traces[contact] = try KeyTrace.pair(of: "amina", with: "b\(contact)", in: sandbox)
                .sending
        }
        return traces
    }
}

extension PowerCut {
    /// Increases the commit count in Amina's note, so that her keyring appears to be an older copy.
    func raiseNote() throws {
        try Self.write(Array("00000000000000009999\n".utf8), to: ownNote)
    }

    func removeNote() { remove(ownNote) }
}
