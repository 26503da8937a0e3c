internal import CPlatform

/// Overwrites an array that held something secret, what was removed from it included, and empties it.
/// It must have this one owner, else what is overwritten is a copy.
package func cleanse(_ bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(addingCapacity: bytes.capacity) { (space) in
        unsafe space.withUnsafeMutableBufferPointer { (memory, _) in
            unsafe platform_cleanse(memory.baseAddress, memory.count)
        }
    }
}
