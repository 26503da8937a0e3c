import Foundation
import Frames
import GSM7
import Crypto
import Protocol
import Support
import System

@testable import Keyring

/// Somebody with a keyring of their own in a temporary folder, and a contact.
final class Person {
    let folder: URL
    let places: StandardPaths
    let clock = TestClock()
    private let token: String
    private let contactName: String
    /// Open and unlocked; nil while it lies at rest.
    private(set) var keyring: Keyring?

    /// Takes over a folder made by `Template`.
    init(_ folder: URL, token: String, contact: String) {
        self.folder = folder
        self.token = token
        contactName = contact
        places = Template.places(in: folder)
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
            try opened.unlock(session: try opened.session(token: token))
        } else {
            let password = secret(Template.password)
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
        fileprivate(set) var committed: Committed?
        fileprivate(set) var ciphertexts: [[UInt8]] = []
        /// Message keys taken up to each.
        fileprivate(set) var keys: [Int] = []

        /// Ends the exchange, of which `count` messages may be out.
        func finish(out count: Int? = nil) throws { try committed.take()?.finish(out: count) }
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
        let exchange = try keyring.beginExchange()
        for frame in try messages.map(frame) {
            var ciphertext = frame
            var span = ciphertext.mutableSpan
            guard case .done = try exchange.encipher(&span, for: contact) else { break }
            sent.ciphertexts.append(ciphertext)
        }
        guard commits else { return sent }
        let committed = try exchange.commit()
        sent.keys = committed.work.messages.map(\.keysTaken)
        sent.committed = consume committed
        return sent
    }

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
        let exchange = try keyring.beginExchange()
        for ciphertext in ciphertexts {
            var frame = ciphertext
            var span = frame.mutableSpan
            let receiving = try exchange.decipher(
                &span, of: contact, window: Conversation.window)
            read.append(Self.read(receiving, frame))
        }
        try exchange.commit().finish(out: written)
        return read
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
        let agreement = try Agreement(own: pending.own, theirs: pending.theirs)
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
        try keyring.tidyUp { (rows) throws(KeyringError) in
            let row = try rows.database.statement(
                "SELECT contact, number, process, record FROM unwritten")
            guard try row.step() else { return }
            let (contact, number) = (row.integer(0), row.integer(1))
            let old = Place(unwrittenOf: contact, number, by: row.text(2))
            let share = rows.unwrittenShare(row)
            let record = try rows.ring.sealer.open(row.bytes(3).span, at: old)
            row.reset()
            let new = Place(unwrittenOf: contact, number, by: process)
            let sealed = try rows.ring.sealer.seal(record, at: new)
            try rows.database.statement("UPDATE unwritten SET process = ?, record = ?")
                .bind(process).bind(sealed).run()
            count = rows.database.changedRows
            rows.ledger.transit.exchange(share, for: rows.hash.share(new, sealed))
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
    case refused

    init(stringLiteral text: String) { self = .message(text) }
}

extension Person {
    private func frame(_ message: String) throws -> [UInt8] {
        try [UInt8](atMost: Frame.length) { (frame: inout OutputSpan<UInt8>) in
            try Frame.layOut(
                Array(message.utf8).span, newline: .lineFeed, into: &frame)
        }
    }

    private static func read(_ outcome: Exchange.Outcome, _ frame: [UInt8]) -> Read {
        guard case .done(_, let arrival?) = outcome else { return .refused }
        let text = try? [UInt8](atMost: Frame.longestMessage) {
            (text: inout OutputSpan<UInt8>) in
            try Frame.unpack(frame.span, newline: .lineFeed, into: &text)
        }
        let message = String(decoding: text ?? [], as: UTF8.self)
        return switch arrival {
        case .inOrder: .message(message)
        case .late: .late(message)
        case .again: .again(message)
        }
    }
}
