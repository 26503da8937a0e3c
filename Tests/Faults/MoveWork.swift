import Foundation
import Support
import TestPeople
import Testing

@testable import Keyring

/// A move of Amina's keyring to another file that is interrupted by a power cut.
struct MoveWork: Sendable, CustomTestStringConvertible {
    /// What happened before the recorded move.
    enum Start {
        case nothing
        /// A move to another file was interrupted while the file was written.
        case draftElsewhere
        /// The same move was interrupted before the original was erased.
        case copy
        /// The same, and then the new file was adopted and used.
        case adoptedCopy
    }

    let name: String
    let start: Start

    var testDescription: String { name }

    static let all = [
        Self(name: "move", start: .nothing),
        Self(name: "move, to another file than before", start: .draftElsewhere),
        Self(name: "move, repeated", start: .copy),
        Self(name: "move, repeated after adopt", start: .adoptedCopy),
    ]

    static func target(_ power: PowerCut) -> String { power.sandbox.path("desk/out-moved") }

    /// What the keyring contains before the recorded move.
    struct Past {
        let trace: KeyTrace
        /// Messages to Bela that were encrypted, and the marks of their keys.
        var sent: [(line: String, mark: KeyTrace.Mark)] = []
        /// Messages of Bela whose keys are skipped keys, and their content.
        var skipped: [(record: String, line: String)] = []
        /// Bela's keyring.
        var bela: [UInt8] = []
        /// The list of contacts. Messages are exchanged with the first one only.
        var contacts: [String] = []
    }

    /// Exchanges messages with Bela, and begins an earlier move.
    func prepare(_ power: PowerCut) throws -> Past {
        try power.reset()
        let (sending, receiving) = try KeyTrace.pair(of: "amina", with: "b1", in: power.sandbox)
        var past = Past(trace: sending)
        let lines = power.table(3, contacts: 1)
        let records = try power.send(lines, from: "bela")
        for record in records {
            let found = try #require(try receiving.place(String(record.dropFirst(3))))
            sending.offer(found.nextKey)
        }
        past.skipped = Array(zip(records, lines).prefix(2))
        let read = try power.run("smsenc-pad", ["-d", "next"], [records[2]])
        try #require(read.status == 0 && read.lines == [lines[2]], "\(read.errors)")
        past.bela = try power.sandbox.contents(power.sandbox.keyring(of: "bela"))
        past.contacts = try power.keep(["list"])
        let target = Self.target(power)
        try encrypt(at: power.sandbox.keyring(of: "amina"), power, &past)
        switch start {
        case .nothing: break
        case .draftElsewhere:
            let other = power.sandbox.path("desk/out-other")
            let number = [UInt8](repeating: 5, count: KeyringHeader.moveNumberSize)
            try power.sandbox.withKeyring(of: "amina") { keyring in
                try keyring.change(.move) { (store) in
                    store.header.moveNumber = number
                    store.header.move = .leaving(path: other, isPublished: false)
                }
            }
            try power.write(["half a keyring"], to: "out-other.new-05050505")
        case .copy, .adoptedCopy:
            let isAdopted = try power.sandbox.withKeyring(of: "amina") { keyring in
                try keyring.move(to: target)
            }
            #expect(!isAdopted)
            guard start == .adoptedCopy else { break }
            try power.keep(["-k", target, "adopt", "--moved"])
            power.keep(target, as: "new place")
            try encrypt(at: target, power, &past)
        }
        return past
    }

    private func encrypt(at path: String, _ power: PowerCut, _ past: inout Past) throws {
        let record = "b1\t" + power.frames[past.sent.count]
        let sent = try power.run("smsenc-pad", ["-k", path, "next"], [record])
        let line = try #require(sent.lines.first, "\(sent.errors)")
        let found = try #require(try past.trace.place(String(line.dropFirst(3))))
        past.sent.append((line, found.mark))
    }
}

/// Checks that at most one of two keyrings can be used after a power cut during a move, that the move can be
/// repeated, and that the keyring then works at its new place: no key encrypts twice, and nothing is lost.
struct MoveCheck: PowerCheck {
    private let power: PowerCut
    private let work: MoveWork
    private let past: MoveWork.Past
    private let old: String
    private let new: String
    private var hasEnded = false
    private var turn = 0
    /// Messages to Bela that were encrypted after the power cut.
    private var sent: [String] = []

    init(
        _ power: PowerCut, _ recorded: PowerCut.Recorded, _ work: MoveWork, _ past: MoveWork.Past
    ) throws {
        try #require(recorded.result.status == 0, "\(recorded.result.errorText)")
        self.power = power
        self.work = work
        self.past = past
        old = power.sandbox.keyring(of: "amina")
        new = MoveWork.target(power)
    }

    mutating func pass(_ step: Recording.Step) {
        if case .end = step.kind { hasEnded = true }
    }

    /// Runs a tool with a keyring. Amina types the password after the move has ended her sessions.
    private func run(
        _ tool: String, at path: String, _ arguments: [String], _ records: [String] = []
    ) throws -> (status: Int32, lines: [String], errors: String) {
        let access = ["-k", path, "--password-file", power.sandbox.path("password")]
        return try power.run(tool, access + arguments, records)
    }

    /// Encrypts a message. Returns the exit status.
    private mutating func encrypt(at path: String) throws -> (status: Int32, errors: String) {
        let record = "b1\t" + power.frames[100 + sent.count]
        let (status, lines, errors) = try run("smsenc-pad", at: path, ["next"], [record])
        sent += lines
        return (status, errors)
    }

    mutating func fault(in state: Disk.State) throws -> String? {
        turn += 1
        sent = []
        let (isHere, isThere) = (state.names[old] != nil, state.names[new] != nil)
        if hasEnded, isHere { return "the original is there again" }
        if !isHere, !isThere { return "there is no keyring" }
        if isHere { try bindToNewInode(state) }
        // Not every time, because the tools change the files of a keyring that they refuse.
        if turn % 3 != 0, let fault = try faultBeforeRepeating(isHere, isThere) { return fault }
        var isAdopted = work.start == .adoptedCopy
        if isThere, !isAdopted, turn % 2 == 0 {
            if let fault = try faultInAdoption() { return fault }
            isAdopted = true
            if isHere, try encrypt(at: old).status == 0 { return "both keyrings can be used" }
        }
        let moved = try run("smsenc-keyring", at: old, ["move", new])
        guard moved.status == (isHere ? 0 : 66) else {
            return "move again: status \(moved.status): \(moved.errors)"
        }
        if let fault = try faultInFiles() { return fault }
        if !isAdopted, let fault = try faultInAdoption() { return fault }
        return try faultInUse() ?? faultInContent()
    }

    /// Binds the original to its file. Each move removes the file, so the next state has it in another inode,
    /// and it would count as copied. Once the new file may exist, the binding has no effect any more, and the
    /// original remains as the power cut has left it.
    private func bindToNewInode(_ state: Disk.State) throws {
        let copy = power.sandbox.path("home/copy")
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: copy + suffix)
            guard let bytes = state.contents(of: old + suffix) else { continue }
            try power.sandbox.write(bytes, to: "home/copy" + suffix)
        }
        let move = try? power.sandbox.withKeyring(of: "amina", at: copy) { keyring in
            try keyring.reading { (store) in store.header.move }
        }
        switch move {
        case nil, .leaving(_, isPublished: true): return
        default:
            try power.sandbox.withKeyring(of: "amina") { keyring in
                try keyring.change(.adoption) { (store) in
                    store.header.home = keyring.file.hostBinding
                }
            }
        }
    }

    /// Checks that only one of the keyrings can be used, and the new one only after its adoption.
    private mutating func faultBeforeRepeating(
        _ isHere: Bool, _ isThere: Bool
    ) throws -> String? {
        if isHere {
            let here = try encrypt(at: old)
            if here.status == 0, isThere || work.start != .nothing {
                return "a keyring that is leaving can be used"
            }
            // The original cannot be opened if a part of it has been erased.
            guard [0, 77].contains(here.status) || here.status == 65 && isThere else {
                return "the original: status \(here.status): \(here.errors)"
            }
        }
        guard isThere else { return nil }
        let there = try encrypt(at: new)
        let expected: Int32 = work.start == .adoptedCopy ? 0 : 77
        return there.status == expected
            ? nil : "the new file: status \(there.status): \(there.errors)"
    }

    private func faultInAdoption() throws -> String? {
        let told = try run("smsenc-keyring", at: new, ["adopt", "--moved"])
        return told.status == 0 ? nil : "adopt: status \(told.status): \(told.errors)"
    }

    /// Checks that nothing is left but the new file.
    private func faultInFiles() throws -> String? {
        let names = try ["home", "desk"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: power.sandbox.path(folder))
        }.filter { $0.hasPrefix("amina") || $0.hasPrefix("out-") }
        return names == ["out-moved"] ? nil : "there are \(names.sorted())"
    }

    /// Checks that messages can be encrypted, that Bela can decrypt them, and that each has a key of its own.
    private mutating func faultInUse() throws -> String? {
        let last = try encrypt(at: new)
        guard last.status == 0 else { return "status \(last.status): \(last.errors)" }
        var marks = past.sent.map(\.mark)
        for line in sent {
            let mark = try past.trace.mark(
                of: String(line.dropFirst(3)), after: marks.last ?? KeyTrace.Mark())
            guard let mark else { return "no key made what was sent" }
            if marks.contains(mark) { return "message key \(mark.key) was used twice" }
            marks.append(mark)
        }
        try power.put(past.bela, of: "bela")
        let records = (past.sent.map(\.line) + sent).map { "a" + $0.dropFirst() }
        let read = try power.run("smsenc-pad", ["-d", "next"], records, as: "bela")
        let isRead = read.status == 0 && read.lines.count == records.count
        return isRead ? nil : "Bela cannot decrypt: \(read.errors)"
    }

    /// Checks that the contacts and the skipped keys are complete.
    private func faultInContent() throws -> String? {
        let checked = try run("smsenc-keyring", at: new, ["check"])
        guard checked.status == 0 else { return "check: \(checked.lines) \(checked.errors)" }
        let list = try run("smsenc-keyring", at: new, ["list"])
        guard list.lines.count == 2, list.lines.last == past.contacts.last else {
            return "contacts are lost: \(list.lines)"
        }
        let read = try run("smsenc-pad", at: new, ["-d", "next"], past.skipped.map(\.record))
        let isRead = read.status == 0 && read.lines == past.skipped.map(\.line)
        return isRead ? nil : "skipped keys are lost: \(read.errors)"
    }
}
