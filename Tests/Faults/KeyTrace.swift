import GSM7
import Crypto
import Support
import TestPeople
import System
import Testing

@testable import Keyring
@testable import Protocol

/// The message keys of one direction of a conversation. They are derived independently from the first
/// chain and the next keys that were offered (smsenc-protocol(7), Chains and message keys, Next keys).
/// This type finds the key of each ciphertext, and reports keys that are used twice.
final class KeyTrace {
    /// Index of a chain in its direction, and index of a key in that chain.
    struct Mark: Hashable, Comparable {
        var chain = 0
        var key = -1

        static func < (one: Mark, other: Mark) -> Bool {
            (one.chain, one.key) < (other.chain, other.key)
        }
    }

    private struct Chain {
        let root: [UInt8]
        /// Chain key after the message keys that were derived so far.
        var next: [UInt8]
        var keys: [[UInt8]] = []
    }

    private var chains: [Chain]
    private var used: Set<Mark> = []
    /// Next keys that the reader has offered and the sender has not yet mixed in.
    private var offers: [[UInt8]] = []
    private var cipher: Cipher
    /// Last key that was used so far.
    private(set) var last = Mark()

    /// Number of keys to try. Recipients try fewer keys.
    private static let reach = 3000

    private init(root: [UInt8], chain: [UInt8]) throws {
        chains = [Chain(root: root, next: chain)]
        cipher = Cipher()
    }

    /// Returns the traces of both directions of a new conversation, which are read from one side's
    /// keyring.
    static func pair(
        of person: String, with name: String, in sandbox: Sandbox
    ) throws -> (sending: KeyTrace, receiving: KeyTrace) {
        try sandbox.withKeyring(of: person) { keyring in
            let state = try keyring.state(of: try keyring.contact(named: name))
            guard let conversation = state.conversation.take() else { throw NotInStep() }
            return (
                try KeyTrace(
                    root: bytes(of: conversation.sending.root),
                    chain: chainKey(of: conversation.sending.chain)),
                try KeyTrace(
                    root: bytes(of: conversation.receiving.root),
                    chain: chainKey(of: conversation.receiving.chain))
            )
        }
    }

    struct NotInStep: Error {}

    /// A key that was found, and the message that it encrypted.
    struct Found {
        let mark: Mark
        /// Encrypted frame, with blanks instead of its next key.
        let frame: String
        let nextKey: [UInt8]
    }

    /// Finds the key of a ciphertext. Reports an issue if no key matches, or if the key was used before.
    ///
    /// - Parameter mark: the last key used by the same process, or nil for the last key used by any
    ///   process.
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

    /// Finds the key of a ciphertext without recording that the key was used. Returns nil if no key
    /// matches.
    func mark(of ciphertext: String, after mark: Mark) throws -> Mark? {
        let symbols = ciphertext.unicodeScalars.compactMap { Alphabet.symbol(of: $0) }
        return try search(symbols, after: mark)?.mark
    }

    /// Records a next key from a message of the other direction.
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
        // Search the other chains, because messages may be out of order.
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
            guard key.decrypt(&room, &cipher) else { continue }
            let text = frame[..<150].map { Alphabet.scalar(of: $0) }
            return Found(
                mark: Mark(chain: chain, key: index),
                frame: String(String.UnicodeScalarView(text)) + String(repeating: " ", count: 10),
                nextKey: Array(frame[150...]))
        }
        return nil
    }

    /// Returns a message key, after deriving the keys before it if necessary.
    private func messageKey(at index: Int, _ chain: Int) -> [UInt8] {
        while chains[chain].keys.count <= index {
            let next = chains[chain].next
            var step = Protocol.Chain(number: 0, key: SecretBytes(copying: next.span))
            let message = step.step(&cipher)
            chains[chain].keys.append(bytes(of: message.bytes))
            chains[chain].next = chainKey(of: step)
        }
        return chains[chain].keys[index]
    }

    /// Returns the chain that results from mixing a next key into the root of the last chain.
    private func mixed(_ offer: [UInt8]) -> Chain {
        let last = chains[chains.count - 1]
        // The name of the direction is not part of any key.
        guard let name = DirectionName(bits: 0) else { preconditionFailure("0 has few bits") }
        let direction = Direction(
            name: name, root: SecretBytes(copying: last.root.span),
            chain: Protocol.Chain(number: 0, key: SecretBytes(copying: last.next.span)))
        let next = NextKey(stored: SecretBytes(copying: offer.span))
            .mixed(into: direction, &cipher)
        return Chain(
            root: bytes(of: next.root), next: chainKey(of: next.chain))
    }
}
