import FrameLayout
import Foundation
import Frames
import GSM7
import Crypto
import Protocol
import Support
import TestPeople
import System

@testable import Keyring

/// Somebody with a keyring of their own in a temporary folder, and a contact.
final class Person {
    static let names = (amina: "Zoë Amina-Kettledrum", bela: "Béla Quartermaster")
    static let numbers = (amina: "083 765 4321", bela: "082 123 4567")

    let folder: URL
    var places: StandardPaths
    let clock = TestClock()
    var token: String
    var contactName: String
    /// Open and unlocked; nil while it lies at rest.
    private(set) var keyring: Keyring?

    /// Takes over a folder with a keyring and a session.
    init(_ folder: URL, token: String, contact: String) {
        self.folder = folder
        self.token = token
        contactName = contact
        places = Self.places(in: folder)
    }

    private convenience init(copying user: String, contact: String) throws {
        let folder = try makeTemporaryFolder()
        let token = try TestKeyrings.copy(
            of: user, country: "27", to: folder.path + "/keyring", Self.places(in: folder),
            TestClock().clocks())
        self.init(folder, token: token, contact: contact)
        try open().adoptMoved()
    }

    /// Two people in step.
    static func pair() throws -> (amina: Person, bela: Person) {
        let amina = try Person(copying: "Somebody", contact: names.bela)
        let bela = try Person(copying: "Somebody else", contact: names.amina)
        try TestKeyrings.synchronise(
            (amina.open(), names.amina, numbers.amina), (bela.open(), names.bela, numbers.bela))
        return (amina, bela)
    }

    static func places(in folder: URL) -> StandardPaths {
        StandardPaths(state: folder.path + "/state", sessions: folder.path + "/sessions")
    }

    /// Makes a keyring named `keyring` in a folder, with the password of all.
    static func createKeyring(
        in folder: URL, country: String = "27", lockTries: Int = 3, lockSeconds: Int = 300,
        clock: TestClock = TestClock()
    ) throws -> Keyring {
        let path = folder.path + "/keyring"
        let password = secret(TestKeyrings.password)
        try Keyring.create(
            at: path, user: "Somebody", country: country, lockTries: lockTries,
            lockSeconds: lockSeconds, password: password, places: places(in: folder))
        return try Keyring(path: path, places: places(in: folder), clocks: clock.clocks())
    }

    deinit {
        keyring = nil
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.path + "/keyring" }

    /// Opens the keyring, again if it is open, as a process would that starts now.
    @discardableResult
    func open() throws -> Keyring {
        keyring = nil
        let opened = try another()
        keyring = opened
        return opened
    }

    /// The keyring as a second process would open it.
    ///
    /// - Parameter bootID: with another one, as a process that has died since.
    func another(bootID: String? = nil) throws -> Keyring {
        let clocks = bootID.map { clock.clocks(bootID: $0) } ?? clock.clocks()
        let opened = try Keyring(path: path, places: places, clocks: clocks)
        if bootID == nil {
            try opened.unlock(session: try Session(token: token, folder: places.sessions))
        } else {
            let password = secret(TestKeyrings.password)
            try opened.unlock(password: password)
        }
        return opened
    }

    func close() { keyring = nil }

    func contact(in keyring: Keyring) throws -> Contact {
        try keyring.contact(named: contactName)
    }

    /// What was enciphered in one exchange, and is still in flight.
    final class Sent {
        fileprivate var sending: Sending?
        fileprivate(set) var ciphertexts: [[UInt8]] = []
        /// Message keys taken up to each.
        fileprivate(set) var keys: [Int] = []

        /// Ends the exchange, of which `count` messages may be out.
        func finish(out count: Int? = nil) throws { try sending.take()?.finish(out: count) }
    }

    /// Enciphers messages in one exchange, as many as it takes.
    ///
    /// - Parameter commits: false to drop the exchange.
    func encipher(
        _ messages: [String], with other: Keyring? = nil, commits: Bool = true
    ) throws -> Sent {
        let keyring = try other ?? keyring ?? open()
        let contact = try contact(in: keyring).id
        let sent = Sent()
        var sending = try Sending(with: keyring)
        for frame in try messages.map(frame) {
            var ciphertext = frame
            var span = ciphertext.mutableSpan
            guard case .done = try sending.pass(&span, of: contact) else { break }
            sent.ciphertexts.append(ciphertext)
        }
        guard commits else { return sent }
        try sending.commit()
        sent.keys = sending.messages.map(\.keysTaken)
        sent.sending = consume sending
        return sent
    }

    /// The files in the folder of notes.
    func stateFiles() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: places.state).sorted()) ?? []
    }

    /// The path of the rollback note; nil if there is none.
    func notePath() throws -> String? { stateFiles().first.map { places.state + "/" + $0 } }

    /// The count of commits that is noted outside.
    func note() throws -> Int {
        let folder = URL(fileURLWithPath: places.state)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let texts = try names.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        return texts.compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.max()
            ?? 0
    }

    func send(_ messages: String...) throws -> [[UInt8]] { try encipher(messages).ciphertexts }

    /// Deciphers in one exchange and lets go of the keys of all, or of the first `written`.
    func receive(
        _ ciphertexts: [[UInt8]], written: Int? = nil, with other: Keyring? = nil
    ) throws -> [Read] {
        let keyring = try other ?? keyring ?? open()
        let contact = try contact(in: keyring).id
        var read: [Read] = []
        var receiving = try Receiving(with: keyring)
        for ciphertext in ciphertexts {
            var frame = ciphertext
            var span = frame.mutableSpan
            let outcome = try receiving.pass(&span, of: contact)
            read.append(Self.read(outcome, frame))
        }
        try receiving.commit()
        try receiving.finish(out: written)
        return read
    }

    /// Returns the own sync key that is out, or a new one.
    func syncKey(renew: Bool = false) throws -> String {
        let keyring = try open()
        let key = try keyring.resynchronise(try contact(in: keyring), renew: renew)
        return text(of: key)
    }

    /// Synchronises with the key that the contact gave: scrypt's time and memory.
    /// - Parameter meanwhile: what happens while scrypt runs.
    @discardableResult
    func synchronise(
        with key: String, meanwhile: () throws -> Void = {}
    ) throws -> VerificationCodes {
        let keyring = try keyring ?? open()
        let theirs = try SyncKey(reading: Array(key.utf8).span)
        let pending = try keyring.prepare(try contact(in: keyring), with: theirs)
        let agreement = try Agreement(pending.exchange)
        try meanwhile()
        return try keyring.synchronise(pending, agreement)
    }

    /// Writes another process's mark beside the keys of messages that were not written.
    ///
    /// - Returns: how many rows have it.
    @discardableResult
    func mark(as process: String) throws -> Int {
        let keyring = try open()
        var count = 0
        try keyring.commit(for: .tidying) { (transaction) throws(KeyringError) in
            let ring = transaction.keys.ring
            for old in try transaction.unwritten(in: ring.id) {
                guard let stored = try transaction.stored(old) else { continue }
                let bytes = try stored.read(ring.sealer) { (record) throws(Broken) in
                    try record.secret(record.remaining)
                }
                let new = Row.unwritten(since: old.id, in: old.number, by: process)
                try transaction.put(bytes, as: new, under: ring.sealer)
                count += 1
            }
        }
        close()
        return count
    }

    func link() throws -> Link {
        let keyring = try keyring ?? open()
        return try keyring.link(of: try contact(in: keyring))
    }
}

/// What became of a ciphertext.
enum Read: Equatable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    case message(String)
    case late(String)
    case again(String)
    case reread(String)
    case refused

    init(stringLiteral text: String) { self = .message(text) }
}

extension Person {
    private func frame(_ message: String) throws -> [UInt8] {
        try [UInt8](atMost: Frame.length) { (frame: inout OutputSpan<UInt8>) in
            try Frame.encode(
                Array(message.utf8).span, newline: .lineFeed, into: &frame)
        }
    }

    static func read(_ outcome: Passed, _ frame: [UInt8]) -> Read {
        guard case .done(_, let coming?) = outcome else { return .refused }
        let text = try? [UInt8](atMost: Frame.longestMessage) {
            (text: inout OutputSpan<UInt8>) in
            try Frame.decode(frame.span, newline: .lineFeed, into: &text)
        }
        let message = String(decoding: text ?? [], as: UTF8.self)
        return switch coming.arrival {
        case .inOrder: .message(message)
        case .late: .late(message)
        case .again: .again(message)
        case .reread: .reread(message)
        }
    }
}

func hex(_ secret: borrowing SecretBytes) -> String {
    bytes(of: secret).map { String(format: "%02x", $0) }.joined()
}
