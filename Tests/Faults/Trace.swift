import GSM7
import Crypto
import Support
import TestPeople
import System
import Testing

@testable import Keyring
@testable import Protocol

/// The message keys of one direction of a conversation, derived here from the chain with which it
/// began and the next keys that were offered (smsenc(7), Chains and message keys, Next keys). It
/// tells which key made a ciphertext, and that no other was made with it.
final class Trace {
    /// The how-manieth chain of the direction, and which key of it.
    struct Mark: Hashable, Comparable {
        var chain = 0
        var key = -1

        static func < (one: Mark, other: Mark) -> Bool {
            (one.chain, one.key) < (other.chain, other.key)
        }
    }

    private struct Chain {
        let root: [UInt8]
        /// The chain key behind the message keys.
        var next: [UInt8]
        var keys: [[UInt8]] = []
    }

    private var chains: [Chain]
    private var used: Set<Mark> = []
    /// Next keys that the reader has offered and the sender has not mixed in.
    private var offers: [[UInt8]] = []
    private var cipher: Cipher
    /// The key furthest on so far.
    private(set) var last = Mark()

    /// Keys that are tried ahead: more than any reader tries.
    private static let reach = 3000

    private init(root: [UInt8], chain: [UInt8]) throws {
        chains = [Chain(root: root, next: chain)]
        cipher = Cipher()
    }

    /// Both directions of a conversation in which nothing has been sent, as one side's keyring has them.
    static func pair(
        of person: String, with name: String, in bench: Bench
    ) throws -> (sending: Trace, receiving: Trace) {
        try bench.withKeyring(of: person) { keyring in
            let link = try keyring.link(of: try keyring.contact(named: name))
            guard let conversation = link.conversation.take() else { throw NotInStep() }
            return (
                try Trace(
                    root: bytes(of: conversation.sending.root),
                    chain: bytes(of: conversation.sending.chain.bytes)),
                try Trace(
                    root: bytes(of: conversation.receiving.root),
                    chain: bytes(of: conversation.receiving.chain.bytes))
            )
        }
    }

    struct NotInStep: Error {}

    /// What a key gives back.
    struct Found {
        let mark: Mark
        /// The frame as it was before: its next key blanked out.
        let frame: String
        let nextKey: [UInt8]
    }

    /// Finds the key of a ciphertext; it is an issue when there is none, or it has made another.
    ///
    /// - Parameter mark: the key of one that the same process made before; nil for the last of all.
    func place(_ ciphertext: String, after mark: Mark? = nil) throws -> Found? {
        let symbols = ciphertext.unicodeScalars.compactMap { Alphabet.symbol(of: $0) }
        guard symbols.count == 160, let found = try search(symbols, after: mark ?? last) else {
            Issue.record("no key made this: \(ciphertext)")
            return nil
        }
        let isNew = used.insert(found.mark).inserted
        #expect(isNew, "key \(found.mark.key) of chain \(found.mark.chain) made two ciphertexts")
        last = max(last, found.mark)
        return found
    }

    /// The key of a ciphertext, of which no note is taken; nil when there is none.
    func mark(of ciphertext: String, after mark: Mark) throws -> Mark? {
        let symbols = ciphertext.unicodeScalars.compactMap { Alphabet.symbol(of: $0) }
        return try search(symbols, after: mark)?.mark
    }

    /// Takes note of a next key that a message of the other direction holds.
    func offer(_ nextKey: [UInt8]) {
        if offers.last != nextKey { offers.append(nextKey) }
    }

    private func search(_ symbols: [UInt8], after mark: Mark) throws -> Found? {
        for chain in mark.chain..<chains.count {
            let first = chain == mark.chain ? mark.key + 1 : 0
            if let found = try search(symbols, chain, first..<(first + Self.reach)) { return found }
        }
        for (index, offer) in offers.enumerated() {
            chains.append(mixed(offer))
            if let found = try search(symbols, chains.count - 1, 0..<Self.reach) {
                offers.removeSubrange(...index)
                return found
            }
            chains.removeLast()
        }
        // What was made out of turn.
        for chain in chains.indices {
            let all = 0..<chains[chain].keys.count
            if let found = try search(symbols, chain, all) { return found }
        }
        return nil
    }

    private func search(
        _ symbols: [UInt8], _ chain: Int, _ range: Range<Int>
    ) throws -> Found? {
        var frame = symbols
        for index in range {
            let stored = messageKey(at: index, chain)
            let key = MessageKey(stored: SecretBytes(copying: stored.span))
            var room = frame.mutableSpan
            guard key.opens(&room, &cipher) else { continue }
            let text = frame[..<150].map { Alphabet.scalar(of: $0) }
            return Found(
                mark: Mark(chain: chain, key: index),
                frame: String(String.UnicodeScalarView(text)) + String(repeating: " ", count: 10),
                nextKey: Array(frame[150...]))
        }
        return nil
    }

    /// One step for each key that is not there yet.
    private func messageKey(at index: Int, _ chain: Int) -> [UInt8] {
        while chains[chain].keys.count <= index {
            let next = chains[chain].next
            var key = ChainKey(stored: SecretBytes(copying: next.span))
            let message = key.step(&cipher)
            chains[chain].keys.append(bytes(of: message.bytes))
            chains[chain].next = bytes(of: key.bytes)
        }
        return chains[chain].keys[index]
    }

    /// The chain that mixing a next key into the last root gives.
    private func mixed(_ offer: [UInt8]) -> Chain {
        let last = chains[chains.count - 1]
        let direction = Direction(
            root: SecretBytes(copying: last.root.span),
            chain: ChainKey(stored: SecretBytes(copying: last.next.span)))
        let next = NextKey(stored: SecretBytes(copying: offer.span))
            .mixed(into: direction, &cipher)
        return Chain(
            root: bytes(of: next.root), next: bytes(of: next.chain.bytes))
    }
}
