/// Numbers by their keys, in a table of twice the room and more: a search takes a step or two.
struct HashIndex<Key: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    /// A key of 0 is none.
    private struct Slot {
        var key: Key
        var value: UInt16
    }

    private var slots: [Slot]
    private let shift: UInt64

    /// - Parameter count: keys that will be added, at most.
    init(count: Int) {
        var bits: UInt64 = 2
        while 1 << bits < 2 * count { bits += 1 }
        slots = Array(repeating: Slot(key: 0, value: 0), count: 1 << Int(bits))
        shift = 64 - bits
    }

    mutating func insert(_ value: Int, for key: Key) {
        precondition(key != 0 && self[key] == nil, "a table has a row or an entry twice")
        slots[slotIndex(of: key)] = Slot(key: key, value: UInt16(value))
    }

    @inline(__always)
    subscript(_ key: Key) -> Int? {
        let slot = slots[slotIndex(of: key)]
        return slot.key == key ? Int(slot.value) : nil
    }

    /// Where a key is, or would be.
    @inline(__always)
    private func slotIndex(of key: Key) -> Int {
        // 2^64 by the golden ratio: neighbouring keys come to lie far apart.
        var index = Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while slots[index].key != key, slots[index].key != 0 {
            index = (index &+ 1) & (slots.count &- 1)
        }
        return index
    }
}
