package import Crypto

/// The part of a conversation that is needed for messages that arrive late or again: the skipped message keys,
/// the retired chains, and the message keys that a process used before it died (smsenc-protocol(7), Receiving).
///
/// All lists begin with the oldest entry. Only their lengths are limited, and no clock is involved. A value
/// can contain only what is new, until `insert(older:)` adds what is stored.
package struct ConversationPast: ~Copyable {
    package static let maximumSkippedKeys = 1024
    package static let maximumRetiredChains = 64
    /// Maximum number of keys of messages that are to be read again.
    package static let maximumKeysToReadAgain = 8192

    package private(set) var retired: [RetiredChain]
    package private(set) var skipped: KeyTable
    /// Keys of messages that a process decrypted and possibly did not write before it died.
    package private(set) var again: KeyTable
    /// True if this value must be stored again.
    package private(set) var isChanged = false

    package init() { self.init([], KeyTable(), KeyTable()) }

    private init(
        _ retired: [RetiredChain], _ skipped: consuming KeyTable, _ again: consuming KeyTable
    ) {
        self.retired = retired
        self.skipped = skipped
        self.again = again
    }

    /// Parses the stored form: the number of retired chains (1 byte), the chains (40 bytes each), the skipped
    /// keys, and the keys of messages to be read again (`KeyTable`).
    package init(from record: inout SecretReader) throws(InvalidRecord) {
        var retired: [RetiredChain] = []
        for _ in 0..<(try record.byte()) {
            retired.append(RetiredChain(try Chain(from: &record)))
        }
        let skipped = try KeyTable(from: &record)
        self.init(retired, skipped, try KeyTable(from: &record))
    }

    package borrowing func write(to record: inout SecretWriter) {
        record.put(UInt8(clamping: retired.count))
        for retired in retired { retired.chain.write(to: &record) }
        skipped.write(to: &record)
        again.write(to: &record)
    }

    /// Number of bytes in the stored form.
    package var size: Int { 1 + retired.count * Chain.size + skipped.size + again.size }
    package var isEmpty: Bool { retired.isEmpty && skipped.count == 0 && again.count == 0 }

    /// Inserts what is stored before what is new, and removes the oldest entries that exceed the limits.
    package mutating func insert(older: consuming ConversationPast) {
        retired = older.retired + retired
        older.skipped.append(skipped)
        older.again.append(again)
        skipped = older.skipped
        again = older.again
        trim()
    }

    private mutating func trim() {
        if skipped.keepNewest(Self.maximumSkippedKeys) { isChanged = true }
        if again.keepNewest(Self.maximumKeysToReadAgain) { isChanged = true }
        guard retired.count > Self.maximumRetiredChains else { return }
        retired.removeFirst(retired.count - Self.maximumRetiredChains)
        isChanged = true
    }

    /// Appends the next `count` keys of a chain, which a search has skipped. If `count` exceeds the limit,
    /// only the last keys are kept.
    ///
    /// The sender discards a key if it would produce a ciphertext that does not survive copying. Discarded
    /// keys are recognised by encrypting the decrypted frame with the keys directly before its message
    /// key. If such a ciphertext would not survive copying, the sender most likely discarded the key, and
    /// no message is missing.
    ///
    /// - Parameter frame: the decrypted message, 160 symbols.
    /// - Returns: the number of messages that are missing (smsenc-protocol(7), Missing messages).
    mutating func skip(
        _ count: Int, of chain: borrowing Chain, before frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> Int {
        guard count > 0 else { return 0 }
        isChanged = true
        let kept = min(count, Self.maximumSkippedKeys)
        var chain = chain.fork()
        chain.skip(count - kept, &cipher)
        for _ in 0..<kept {
            let position = chain.position
            chain.step(&cipher).bytes.withSpan { skipped.append($0, at: position) }
        }
        let discarded = setDiscarded(before: skipped.count, atMost: kept, for: frame, &cipher).count
        trim()
        return count - discarded
    }

    /// Marks the skipped keys directly before an index, one after the other, as not missing while the sender
    /// most likely discarded them.
    ///
    /// - Returns: the positions of the keys that counted as missing.
    private mutating func setDiscarded(
        before end: Int, atMost limit: Int, for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> [KeyPosition] {
        var found: [KeyPosition] = []
        var index = end - 1
        while index >= end - limit, skipped.key(at: index).isUnusable(for: frame, &cipher) {
            if skipped.entries[index].isMissing {
                skipped.setNotMissing(at: index)
                found.append(skipped.entries[index].position)
            }
            let isAdjacent =
                index > 0
                && skipped.entries[index - 1].position
                    .isDirectlyBefore(skipped.entries[index].position)
            guard isAdjacent else { break }
            index -= 1
        }
        return found
    }

    /// Retires the receiving chain.
    mutating func retire(_ chain: consuming Chain) {
        retired.append(RetiredChain(chain))
        isChanged = true
        trim()
    }

    /// Moves a retired chain past a message that arrived late.
    mutating func move(_ retired: RetiredChain, to chain: consuming Chain) {
        retired.chain = chain
        isChanged = true
    }

    /// Removes the key of a message that arrived late. Keys directly before it that the sender most likely
    /// discarded no longer count as missing.
    ///
    /// - Parameter frame: the decrypted message, 160 symbols.
    /// - Returns: the key, and the positions of all keys that no longer count as missing.
    mutating func spend(
        skippedAt index: Int, for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> (key: SpentKey, found: [KeyPosition]) {
        isChanged = true
        let entry = skipped.entries[index]
        let key = SpentKey(skipped.key(at: index), at: entry.position)
        skipped.remove(at: index)
        var found = entry.isMissing ? [entry.position] : []
        if index > 0, skipped.entries[index - 1].position.isDirectlyBefore(entry.position) {
            found += setDiscarded(before: index, atMost: index, for: frame, &cipher)
        }
        return (key, found)
    }

    /// Stores the key of a message that was decrypted, but that only a newer version can read. The message is
    /// not missing.
    package mutating func keep(_ key: SpentKey) {
        isChanged = true
        key.bytes.withSpan { skipped.insert($0, at: key.position) }
        trim()
    }

    /// Removes the key of a message that is read again.
    mutating func spend(againAt index: Int) -> SpentKey {
        isChanged = true
        defer { again.remove(at: index) }
        return SpentKey(again.key(at: index), at: again.entries[index].position)
    }

    /// Stores the key of a message that was possibly not written before its process died.
    package mutating func readAgain(_ key: SpentKey) {
        isChanged = true
        key.bytes.withSpan { again.append($0, at: key.position, isMissing: false) }
        trim()
    }
}

/// A receiving chain that was replaced by a newer chain. It is kept for messages that may still arrive.
package final class RetiredChain {
    package fileprivate(set) var chain: Chain

    fileprivate init(_ chain: consuming Chain) { self.chain = chain }
}
