/// A hash table that maps integer keys to small numbers. The table is at most half full, so a look-up
/// rarely examines more than two slots.
struct HashIndex<Key: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    /// One slot of the hash table. Key 0 marks an empty slot.
    private struct Slot {
        var key: Key
        var value: UInt16
    }

    private var slots: [Slot]
    private let shift: UInt64

    /// Creates an empty index with room for `count` keys.
    init(count: Int) {
        var bits: UInt64 = 2
        while 1 << bits < 2 * count { bits += 1 }
        slots = Array(repeating: Slot(key: 0, value: 0), count: 1 << Int(bits))
        shift = 64 - bits
    }

    mutating func insert(_ value: Int, for key: Key) {
        precondition(key != 0 && self[key] == nil, "a table has a duplicate row or entry")
        slots[slotIndex(of: key)] = Slot(key: key, value: UInt16(value))
    }

    @inline(__always)
    subscript(_ key: Key) -> Int? {
        let slot = slots[slotIndex(of: key)]
        return slot.key == key ? Int(slot.value) : nil
    }

    /// Returns the slot that contains a key, or the empty slot in which the key would be stored.
    @inline(__always)
    private func slotIndex(of key: Key) -> Int {
        // The factor is 2^64 divided by the golden ratio (Fibonacci hashing). It distributes similar keys
        // evenly.
        var index = Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while slots[index].key != key, slots[index].key != 0 {
            index = (index &+ 1) & (slots.count &- 1)
        }
        return index
    }
}
