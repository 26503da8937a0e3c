import FrameLayout
import Foundation
import Frames
import GSM7
import Crypto
import Protocol
import Support

/// One side of a conversation, which consists of a `Conversation`, its skipped message keys, and a clock
/// that tests can set.
final class Party {
    var conversation: Conversation
    var skipped = SkippedKeys()
    var cipher: Cipher
    var now: Int64 = 1_700_000_000
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
        let agreement = try Agreement(KeyExchange(own: one, theirs: other), cost: .released)
        let mirrored = try Agreement(KeyExchange(own: other, theirs: one), cost: .released)
        return try (
            Party(agreement.conversation(&cipher)), Party(mirrored.conversation(&cipher))
        )
    }

    /// Creates both sides of a conversation with pseudo-random chains.
    static func pair(seed: UInt64) throws -> (Party, Party) {
        var generator = Generator(seed: seed)
        let (one, other) = (generator.bytes(64), generator.bytes(64))
        func direction(_ bytes: [UInt8]) -> Direction {
            let (root, chain) = (bytes.span.extracting(..<32), bytes.span.extracting(32...))
            return Direction(
                root: SecretBytes(copying: root),
                chain: ChainKey(stored: SecretBytes(copying: chain)))
        }
        let amina = Conversation(sending: direction(one), receiving: direction(other))
        let bela = Conversation(sending: direction(other), receiving: direction(one))
        return (try Party(amina, seed: seed + 1), try Party(bela, seed: seed + 2))
    }

    /// Encrypts a message.
    ///
    /// - Parameter offer: the next key to use if a new next key is drawn.
    func send(_ message: String, offer: String? = nil) throws -> [UInt8] {
        var ciphertext = try laidOut(message)
        var span = ciphertext.mutableSpan
        let next = offer.map(symbols) ?? generator.bytes(NextKey.length).map { $0 % 125 }
        var drawn = 0
        let sent = try conversation.send(&span, limit: 100, &cipher) {
            () throws(CryptoError) in
            drawn += 1
            return NextKey(stored: SecretBytes(copying: next.span))
        }
        precondition(sent.isWritten && drawn <= 1)
        keysOfLast = sent.keys
        return ciphertext
    }

    /// Decrypts a ciphertext. Returns the message and whether it was late, or nil if it is refused.
    ///
    /// - Parameter triesKeptKeys: false to try only the next message keys, which is faster.
    func receive(
        _ ciphertext: [UInt8], window: Int = Conversation.window, triesKeptKeys: Bool = true
    ) throws -> (message: String, isLate: Bool)? {
        guard ciphertext.count == Ciphertext.length else { return nil }
        var frame = ciphertext
        var span = frame.mutableSpan
        let isNext =
            conversation.receiveNext(
                &span, window: window, at: now, skipped: &skipped, &cipher) != nil
        let isLate =
            !isNext && triesKeptKeys
            && (conversation.receiveSkipped(&span, at: now, skipped: &skipped, &cipher) != nil
                || conversation.receiveRetired(&span, at: now, skipped: &skipped, &cipher) != nil)
        guard isNext || isLate else {
            precondition(frame == ciphertext)
            return nil
        }
        return (try message(of: frame), isLate)
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
        var record = SecretWriter(capacity: Conversation.recordSize)
        conversation.write(to: &record)
        var state = record.finish().withSpan { bytes(of: $0) }
        for index in 0..<skipped.kept.count {
            state += skipped.kept[index].key.bytes.withSpan { bytes(of: $0) }
        }
        for index in 0..<skipped.retired.count {
            state += skipped.retired[index].chain.bytes.withSpan { bytes(of: $0) }
        }
        return state
    }
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

func message(of frame: [UInt8]) throws -> String {
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
