import Crypto

/// A search for the message key of a ciphertext in a chain. Keys that did not match remain stored, so that the
/// next search in the same chain does not derive them again.
struct KeySearch: ~Copyable {
    /// Number of bytes in an entry, which consists of a message key and the chain key after it.
    private static let entrySize = MessageKey.size + Chain.keySize

    /// Position of the first key.
    private(set) var start: KeyPosition
    /// The chain after the last key that was derived.
    private var chain: Chain
    /// The entries of the keys that did not match. Unused bytes may follow.
    private var entries = SecretBytes(count: 0)
    private var count = 0

    init(_ chain: consuming Chain) {
        start = chain.position
        self.chain = chain
    }

    /// Tries a key. The keys before it must have been tried in this or an earlier search.
    ///
    /// - Parameters:
    ///   - index: number of keys between `start` and the key.
    ///   - symbols: a ciphertext of 160 symbols, which is replaced with the frame if the key matches.
    /// - Returns: the key if it matches. Call `advance` next.
    mutating func tryKey(
        _ index: Int, _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> SpentKey? {
        let position = position(of: index)
        if index < count {
            let matches = entries.withSpan {
                MessageKey.decrypt(&symbols, with: $0.extracting(Self.key(index)), &cipher)
            }
            return matches ? SpentKey(key(at: index), at: position) : nil
        }
        let key = chain.step(&cipher)
        if key.decrypt(&symbols, &cipher) { return SpentKey(key, at: position) }
        store(key)
        cipher.storedKeys += 1
        return nil
    }

    /// Number of keys before a key that matched.
    func skipped(before key: SpentKey) -> Int { Int(key.position.key &- start.key) }

    func position(of index: Int) -> KeyPosition {
        KeyPosition(chain: start.chain, key: start.key &+ UInt32(index))
    }

    /// Returns a copy of a key that did not match.
    func key(at index: Int) -> MessageKey {
        entries.withSpan { (entries) in
            MessageKey(stored: SecretBytes(copying: entries.extracting(Self.key(index))))
        }
    }

    /// The bytes of the key in the entry at `index`.
    private static func key(_ index: Int) -> Range<Int> {
        (index * entrySize)..<(index * entrySize + MessageKey.size)
    }

    /// Removes a key that matched, and all keys before it. Returns the chain after the key.
    mutating func advance(past key: SpentKey) -> Chain {
        let index = skipped(before: key)
        start = position(of: index + 1)
        guard index < count else {
            if count > 0 { entries = SecretBytes(count: 0) }
            count = 0
            return chain.fork()
        }
        let end = (index + 1) * Self.entrySize
        let next = entries.withSpan { (entries) in
            SecretBytes(copying: entries.extracting((end - Chain.keySize)..<end))
        }
        entries.remove(0..<end)
        count -= index + 1
        return Chain(at: start, key: next)
    }

    private mutating func store(_ key: borrowing MessageKey) {
        let offset = count * Self.entrySize
        if offset == entries.count {
            var larger = SecretBytes(count: max(4, 2 * count) * Self.entrySize)
            entries.withSpan { larger.copy($0, to: 0) }
            entries = larger
        }
        key.bytes.withSpan { entries.copy($0, to: offset) }
        chain.key.withSpan { entries.copy($0, to: offset + MessageKey.size) }
        count += 1
    }
}
