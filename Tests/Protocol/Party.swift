import FrameLayout
import Foundation
import Frames
import GSM7
import Crypto
import Support

@testable import Protocol

/// One side of a conversation, which consists of a `Conversation` and its past.
final class Party {
    var conversation: Conversation
    var past = ConversationPast()
    /// Positions of the messages that were sent since the last receipt arrived.
    private var recent = RecentlySent()
    var cipher: Cipher
    /// Number of message keys that the last sent message used, including discarded keys.
    private(set) var keysOfLast = 0
    private var generator: Generator

    /// Creates one side of a conversation.
    ///
    /// - Parameter seed: determines the next keys, unless a test passes them.
    init(_ conversation: consuming Conversation, seed: UInt64 = 0) throws {
        self.conversation = conversation
        generator = Generator(seed: seed)
        cipher = Cipher()
    }

    /// Creates both sides of a conversation from two sync keys.
    static func pair(_ first: String, _ second: String) throws -> (Party, Party) {
        let one = try SyncKey(reading: Array(first.utf8).span)
        let other = try SyncKey(reading: Array(second.utf8).span)
        var cipher = Cipher()
        let exchange = KeyExchange(own: one, theirs: other)
        let mirrored = KeyExchange(own: other, theirs: one)
        return try (
            Party(Agreement(exchange, cost: .released).conversation(of: exchange, &cipher)),
            Party(Agreement(mirrored, cost: .released).conversation(of: mirrored, &cipher))
        )
    }

    /// Creates both sides of a conversation with pseudo-random chains.
    static func pair(seed: UInt64) throws -> (Party, Party) {
        var generator = Generator(seed: seed)
        let (one, other) = (generator.bytes(64), generator.bytes(64))
        func direction(_ bytes: [UInt8]) -> Direction {
            Direction(
                name: anyDirectionName, root: SecretBytes(copying: bytes.span.extracting(..<32)),
                chain: chain(Array(bytes[32...])))
        }
        let amina = Conversation(sending: direction(one), receiving: direction(other))
        let bela = Conversation(sending: direction(other), receiving: direction(one))
        return (try Party(amina, seed: seed + 1), try Party(bela, seed: seed + 2))
    }

    /// Encrypts a message.
    ///
    /// - Parameter offer: the next key to use if a new next key is drawn.
    func send(_ message: String, offer: String? = nil) throws -> [UInt8] {
        try send(frame: laidOut(message), offer: offer).ciphertext
    }

    /// Encrypts a frame.
    ///
    /// - Parameter offer: the next key to use if a new next key is drawn.
    func send(frame: [UInt8], offer: String? = nil) throws -> (
        ciphertext: [UInt8], position: KeyPosition, hasDrawn: Bool
    ) {
        var ciphertext = frame
        var span = ciphertext.mutableSpan
        let next = offer.map(symbols) ?? generator.bytes(NextKey.length).map { $0 % 125 }
        var drawn = 0
        let sent = try conversation.send(&span, limit: 100, &cipher) {
            () throws(CryptoError) in
            drawn += 1
            return NextKey(stored: SecretBytes(copying: next.span))
        }
        guard let position = sent.position, drawn <= 1 else {
            preconditionFailure("a next key is drawn once, and few keys are discarded")
        }
        keysOfLast = sent.keys
        if recent.isLong { past.sent.insert(&recent, in: conversation.sending.name) }
        recent.insert(position)
        return (ciphertext, position, drawn == 1)
    }

    /// The receipt that states what this side has read.
    var receipt: Receipt { past.receipt(conversation.receiving.chain, unwritten: []) }

    /// Takes in a receipt.
    func learn(from receipt: Receipt) {
        let name = conversation.sending.name
        past.sent.insert(&recent, in: name)
        _ = past.sent.learn(from: receipt, in: name, at: 1)
    }

    /// Returns what is known about a message that was sent.
    func state(of message: KeyPosition) -> SentState {
        let name = conversation.sending.name
        past.sent.insert(&recent, in: name)
        return past.sent.state(of: Position(name, message), current: name)
    }

    /// A message that was decrypted.
    struct Message {
        /// The frame, with a blank next key.
        let frame: [UInt8]
        let position: KeyPosition
        let info: ReceivedInfo
        var message: String? { try? text(of: frame) }
        var isLate: Bool { info.arrival == .late }
        /// The change in the number of missing messages.
        var missing: Int { info.missing.count - info.found.count }
    }

    /// Decrypts a ciphertext. Returns nil if it is refused.
    ///
    /// - Parameter triesKeptKeys: false to try only the next message keys, which is faster.
    func receive(
        _ ciphertext: [UInt8], window: Int = Conversation.window, triesKeptKeys: Bool = true
    ) throws -> Message? {
        guard ciphertext.count == Ciphertext.length else { return nil }
        var frame = ciphertext
        var span = frame.mutableSpan
        var received = conversation.receiveNext(&span, window: window, past: &past, &cipher)
        if received == nil, triesKeptKeys {
            received =
                past.receiveSkipped(&span, &cipher) ?? past.receiveRetired(&span, &cipher)
        }
        guard let received else {
            precondition(frame == ciphertext)
            return nil
        }
        let position = received.key.position
        if Frame.isFromNewerVersion(frame.span) { past.keep(received.key) }
        return Message(frame: frame, position: position, info: received.info)
    }

    /// Next key that this side currently sends, as text.
    var offer: String? {
        switch conversation.ownNext {
        case .none: nil
        case .some(let own): own.symbols.withSpan { text($0) }
        }
    }

    /// Complete state, which must not be changed by a refused message.
    var state: [UInt8] {
        var record = SecretWriter(capacity: Conversation.recordSize + past.size)
        conversation.write(to: &record)
        past.write(to: &record)
        return record.finish().withSpan { bytes(of: $0) }
    }
}

/// Creates a chain that begins with a chain key.
func chain(_ key: [UInt8]) -> Chain {
    let record = [UInt8](repeating: 0, count: 8) + key
    var reader = SecretReader(SecretBytes(copying: record.span))
    guard let chain = try? Chain(from: &reader) else { preconditionFailure("not a chain key") }
    return chain
}

/// Returns the chain key of a chain in hexadecimal.
func hex(_ chain: borrowing Chain) -> String {
    var record = SecretWriter(capacity: Chain.size)
    chain.write(to: &record)
    return String(hex(record.finish()).dropFirst(16))
}

func bytes(of span: Span<UInt8>) -> [UInt8] {
    span.indices.map { span[$0] }
}

func bytes(hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).compactMap { offset in
        let start = hex.index(hex.startIndex, offsetBy: offset)
        return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
}

func hex(_ secret: borrowing SecretBytes) -> String {
    secret.withSpan { bytes(of: $0) }.map { String(format: "%02x", $0) }.joined()
}

func symbols(_ text: String) -> [UInt8] {
    text.unicodeScalars.compactMap { Alphabet.symbol(of: $0) }
}

func text(_ symbols: Span<UInt8>) -> String {
    String(String.UnicodeScalarView(symbols.indices.map { Alphabet.scalar(of: symbols[$0]) }))
}

func laidOut(_ message: String) throws -> [UInt8] {
    try [UInt8](atMost: Frame.length) { (frame: inout OutputSpan<UInt8>) in
        try Frame.encode(
            Array(message.utf8).span, newline: .lineFeed, into: &frame)
    }
}

func text(of frame: [UInt8]) throws -> String {
    let utf8 = try [UInt8](atMost: Frame.longestMessage) { (text: inout OutputSpan<UInt8>) in
        try Frame.decode(frame.span, newline: .lineFeed, into: &text)
    }
    return String(decoding: utf8, as: UTF8.self)
}

/// Reads a file of Tests/Vectors.
func vectors<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Vectors/\(name).json")
    return try JSONDecoder().decode(type, from: try Data(contentsOf: file))
}

/// A name for directions of tests that have no agreement.
var anyDirectionName: DirectionName {
    DirectionName(bits: 0) ?? { preconditionFailure("0 has fewer than 40 bits") }()
}

/// Returns a key that has decrypted its message, as if it had been stored.
func spentKey(at position: KeyPosition) throws -> SpentKey {
    var record = SecretWriter(capacity: SpentKey.size)
    position.write(to: &record)
    record.put([UInt8](repeating: 7, count: MessageKey.size).span)
    var reader = SecretReader(record.finish())
    return try SpentKey(from: &reader)
}
