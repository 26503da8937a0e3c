import Crypto

/// A search for the message key of a ciphertext in a chain. Keys that did not match remain stored, so that the
/// next search in the same chain does not derive them again.
struct KeySearch: ~Copyable {
    /// The chain after the last key that was derived.
    private var chain: Chain
    private var tried: [TriedKey] = []

    init(_ chain: consuming Chain) { self.chain = chain }

    /// Approximate number of bytes that the keys of this search take in memory.
    var memory: Int { tried.count * 256 }

    /// The position of the first key in this search.
    var start: KeyPosition { tried.first?.key.position ?? chain.position }

    /// Tries a key. If the key matches, returns it and replaces the ciphertext with the frame.
    ///
    /// - Parameter index: number of keys between `start` and the key. All keys with a smaller index must have
    ///   been tried in this search or an earlier search.
    mutating func open(
        _ index: Int, _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> SpentKey? {
        if index < tried.count {
            let key = tried[index].key
            return key.key.decrypt(&symbols, &cipher) ? key : nil
        }
        let key = chain.take(&cipher)
        if key.key.decrypt(&symbols, &cipher) { return key }
        tried.append(TriedKey(key, chain.fork()))
        return nil
    }

    /// Returns the keys of this search that come before a key that matched.
    func skipped(before key: SpentKey) -> [SpentKey] {
        tried.prefix(index(of: key)).map { $0.key }
    }

    /// Removes a key that matched, and all keys before it, from this search. Returns the chain after the
    /// matching key.
    mutating func advance(past key: SpentKey) -> Chain {
        let index = index(of: key)
        let next = index < tried.count ? tried[index].next.fork() : chain.fork()
        tried.removeFirst(min(index + 1, tried.count))
        return next
    }

    /// Returns the index of a key in this search, which is 0 for the key at `start`.
    private func index(of key: SpentKey) -> Int { Int(key.position.key &- start.key) }
}

/// A message key that did not match, and the chain after this key.
private final class TriedKey {
    let key: SpentKey
    let next: Chain

    init(_ key: SpentKey, _ next: consuming Chain) {
        self.key = key
        self.next = next
    }
}
