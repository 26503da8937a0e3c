import Foundation
import Frames
import GSM7
import Keyring
import Crypto
import Protocol
import System

/// Somebody with a keyring of their own in a temporary folder, and a contact.
final class Person {
    let folder: URL
    let places: StandardPaths
    let clock = TestClock()
    private let token: String
    private let contactName: String
    private var bench: Workbench
    /// Open and unlocked; nil while it lies at rest.
    private(set) var keyring: Keyring?

    /// Takes over a folder made by `Template`.
    init(_ folder: URL, token: String, contact: String) throws {
        self.folder = folder
        self.token = token
        contactName = contact
        places = Template.places(in: folder)
        bench = try Workbench()
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
    func another() throws -> Keyring {
        let opened = try Keyring(path: path, places: places, clocks: clock.clocks())
        let session = try opened.session(token: token)
        try opened.unlock(session: session)
        return opened
    }

    func close() { keyring = nil }

    func contact(in keyring: Keyring) throws -> Contact {
        try keyring.contact(named: contactName)
    }

    /// What was enciphered in one exchange.
    struct Sent {
        /// Nil where nothing of it stands.
        let exchange: Exchange?
        var ciphertexts: [[UInt8]] = []
        /// Message keys taken up to each.
        var keys: [Int] = []
    }

    /// Enciphers messages in one exchange, as many as it takes.
    func encipher(
        _ messages: [String], with other: Keyring? = nil, stands: Bool = true
    ) throws -> Sent {
        let keyring = try other ?? keyring ?? open()
        return try encipher(messages, in: keyring) { (body) throws(KeyringError) in
            let exchange = try keyring.exchange { (exchange) throws(KeyringError) in
                try body(exchange)
                return stands
            }
            try keyring.completeCommit()
            return exchange
        }
    }

    /// Enciphers messages ahead of the commit; nil where it comes to nothing.
    func prepare(_ messages: [String]) throws -> Sent? {
        let keyring = try keyring ?? open()
        let sent = try encipher(messages, in: keyring) { (body) throws(KeyringError) in
            try keyring.prepare { (exchange) throws(KeyringError) in
                try body(exchange)
                return true
            }
        }
        return sent.exchange == nil ? nil : sent
    }

    /// Commits what was prepared; false where somebody was in between.
    func commit(_ prepared: Sent, completely: Bool = true) throws -> Bool {
        guard let exchange = prepared.exchange, let keyring else { return false }
        let stands = try keyring.commit(prepared: exchange)
        if completely { try keyring.completeCommit() }
        return stands
    }

    private func encipher(
        _ messages: [String], in keyring: Keyring,
        _ run: ((Exchange) throws(KeyringError) -> Void) throws(KeyringError) -> Exchange?
    ) throws -> Sent {
        let contact = try contact(in: keyring).id
        let frames = try messages.map(frame)
        var ciphertexts: [[UInt8]] = []
        var keys: [Int] = []
        let exchange = try run { (exchange) throws(KeyringError) in
            guard let link = try exchange.open(contact) else { return }
            for frame in frames {
                var ciphertext = frame
                var span = ciphertext.mutableSpan
                let sending = try exchange.encipher(&span, with: link, &bench)
                guard sending == .enciphered else { break }
                ciphertexts.append(ciphertext)
                keys.append(link.keysTaken)
            }
            try exchange.close(link)
        }
        return Sent(exchange: exchange, ciphertexts: ciphertexts, keys: keys)
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
        let exchange = try keyring.exchange { (exchange) throws(KeyringError) in
            guard let link = try exchange.open(contact) else { return true }
            for ciphertext in ciphertexts {
                var frame = ciphertext
                var span = frame.mutableSpan
                let receiving = try exchange.decipher(
                    &span, with: link, window: Conversation.window, &bench)
                read.append(Self.read(receiving, frame))
            }
            try exchange.close(link)
            return true
        }
        guard let exchange else { throw CocoaError(.featureUnsupported) }
        try keyring.completeCommit()
        try keyring.settle([exchange], written: written.map { [contact: $0] })
        return read
    }

    /// Takes back what came after the first `messages` of an exchange.
    func takeBack(_ sent: Sent, keeping messages: Int) throws {
        let keyring = try keyring ?? open()
        let contact = try contact(in: keyring).id
        let keys = messages == 0 ? 0 : sent.keys[messages - 1]
        guard let exchange = sent.exchange else { return }
        try keyring.takeBack(
            exchange, keeping: [contact: (keys, messages)],
            of: [contact: sent.ciphertexts.count], &bench)
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
        return try keyring.synchronise(pending, agreement, &bench)
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
        try [UInt8](capacity: Frame.length) { (frame: inout OutputSpan<UInt8>) in
            try Frame.layOut(
                Array(message.utf8).span, packing: false, newline: .lineFeed, into: &frame)
        }
    }

    private static func read(_ receiving: Exchange.Receiving, _ frame: [UInt8]) -> Read {
        guard case .read(let arrival) = receiving else { return .refused }
        let text = try? [UInt8](capacity: Frame.longestMessage) {
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
