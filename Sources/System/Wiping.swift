internal import CPlatform

/// Overwrites memory that held something secret, in a way that the optimiser keeps.
@safe
package func cleanse(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    unsafe platform_cleanse(start, memory.count)
}

/// Overwrites `count` bytes.
package func cleanse(_ start: UnsafeMutableRawPointer, _ count: Int) {
    unsafe platform_cleanse(start, count)
}

/// Overwrites an array that held something secret, what was removed from it included, and empties it.
/// It must have this one owner, else what is overwritten is a copy.
package func cleanse(_ bytes: inout [UInt8]) {
    bytes.append(contentsOf: repeatElement(0, count: bytes.capacity - bytes.count))
    unsafe bytes.withUnsafeMutableBytes { cleanse($0) }
    bytes.removeAll(keepingCapacity: true)
}

/// Fills memory from the system's generator of randomness; false where it gives none.
package func fillAtRandom(_ start: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    unsafe platform_random(start, count) == 0
}
