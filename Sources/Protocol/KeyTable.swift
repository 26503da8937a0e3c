package import Crypto

/// Message keys with their positions, oldest first. The keys share one buffer, because a contact can have
/// thousands of keys.
///
/// A stored table begins with the number of keys (2 bytes). Each entry consists of the position (8 bytes),
/// the flags (1 byte) and the key (64 bytes). Flag 1 means that the message is missing. Flag 2 means that the
/// last receipt listed the key.
package struct KeyTable: ~Copyable {
    private static let entrySize = KeyPosition.size + 1 + MessageKey.size

    package struct Entry {
        package let position: KeyPosition
        /// True if the message of this key is missing. False if, for example, the sender most likely
        /// discarded this key.
        package var isMissing: Bool
        /// True if the last receipt listed the key as skipped.
        package var isInReceipt = false
    }

    package private(set) var entries: [Entry]
    /// The keys (64 bytes each). Unused bytes may follow.
    private var keys: SecretBytes

    package init() {
        entries = []
        keys = SecretBytes(count: 0)
    }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        let count = Int(try record.integer() as UInt16)
        guard count * Self.entrySize <= record.remaining else { throw InvalidRecord() }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var keys = SecretBytes(count: count * MessageKey.size)
        for _ in 0..<count {
            let position = try KeyPosition(from: &record)
            let flags = try record.byte()
            try record.copy(MessageKey.size, to: &keys, at: entries.count * MessageKey.size)
            entries.append(
                Entry(
                    position: position, isMissing: flags & 1 != 0, isInReceipt: flags & 2 != 0))
        }
        self.entries = entries
        self.keys = keys
    }

    package borrowing func write(to record: inout SecretWriter) {
        record.put(UInt16(clamping: entries.count))
        keys.withSpan { (keys) in
            for (index, entry) in entries.enumerated() {
                entry.position.write(to: &record)
                record.put((entry.isMissing ? 1 : 0) + (entry.isInReceipt ? 2 : 0) as UInt8)
                record.put(keys.extracting(Self.range(of: index)))
            }
        }
    }

    /// Number of bytes in the stored table.
    package var size: Int { 2 + count * Self.entrySize }
    package var count: Int { entries.count }
    /// Number of keys whose messages are missing.
    package var missing: Int { entries.count { $0.isMissing } }

    /// Appends a key.
    package mutating func append(
        _ key: Span<UInt8>, at position: KeyPosition, isMissing: Bool = true
    ) {
        makeRoom(for: count + 1)
        keys.copy(key, to: count * MessageKey.size)
        entries.append(Entry(position: position, isMissing: isMissing))
    }

    /// Inserts a key after all keys that have lower numbers in the same chain. The key is not marked as
    /// missing.
    mutating func insert(_ key: Span<UInt8>, at position: KeyPosition) {
        let index =
            (entries.lastIndex { $0.position.chain == position.chain && $0.position < position })
            .map { $0 + 1 }
            ?? entries.firstIndex { $0.position.chain == position.chain } ?? count
        makeRoom(for: count + 1)
        let range = Self.range(of: index)
        let end = count * MessageKey.size
        keys.withMutableSpan { (keys) in
            for index in (range.lowerBound..<end).reversed() {
                keys[index + MessageKey.size] = keys[index]
            }
        }
        keys.copy(key, to: range.lowerBound)
        entries.insert(Entry(position: position, isMissing: false), at: index)
    }

    /// Appends all keys of another table.
    package mutating func append(_ other: borrowing KeyTable) {
        makeRoom(for: count + other.count)
        other.keys.withSpan {
            keys.copy(
                $0.extracting(..<(other.count * MessageKey.size)), to: count * MessageKey.size)
        }
        entries += other.entries
    }

    private mutating func makeRoom(for count: Int) {
        guard count * MessageKey.size > keys.count else { return }
        var larger = SecretBytes(count: max(4, count, 2 * self.count) * MessageKey.size)
        keys.withSpan { larger.copy($0, to: 0) }
        keys = larger
    }

    /// Returns a copy of a key.
    package borrowing func key(at index: Int) -> MessageKey {
        keys.withSpan { (keys) in
            MessageKey(stored: SecretBytes(copying: keys.extracting(Self.range(of: index))))
        }
    }

    /// Tries to decrypt a ciphertext with a key (`MessageKey.decrypt`).
    borrowing func decrypt(
        _ symbols: inout MutableSpan<UInt8>, withKeyAt index: Int, _ cipher: inout Cipher
    ) -> Bool {
        keys.withSpan {
            MessageKey.decrypt(&symbols, with: $0.extracting(Self.range(of: index)), &cipher)
        }
    }

    package mutating func remove(at index: Int) {
        entries.remove(at: index)
        keys.remove(Self.range(of: index))
    }

    /// Removes the oldest keys until at most `limit` keys are left. Returns the positions of the removed
    /// keys.
    package mutating func keepNewest(_ limit: Int) -> [KeyPosition] {
        let excess = max(0, count - limit)
        guard excess > 0 else { return [] }
        defer {
            entries.removeFirst(excess)
            keys.remove(0..<(excess * MessageKey.size))
        }
        return entries[..<excess].map { $0.position }
    }

    mutating func setNotMissing(at index: Int) { entries[index].isMissing = false }

    /// Marks the keys that the receipt lists, and removes the marks from all other keys.
    mutating func mark(listedIn receipt: Receipt) {
        for index in entries.indices {
            entries[index].isInReceipt = receipt.lists(entries[index].position)
        }
    }

    private static func range(of index: Int) -> Range<Int> {
        (index * MessageKey.size)..<((index + 1) * MessageKey.size)
    }
}
