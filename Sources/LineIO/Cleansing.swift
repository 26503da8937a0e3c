internal import CPlatform

/// Overwrites an array that held something secret, what was removed from it included, and empties it.
/// It must have this one owner, else what is overwritten is a copy.
package func cleanse(_ bytes: inout [UInt8]) {
    bytes.append(addingCapacity: bytes.capacity - bytes.count) { (space) in
        while !space.isFull { space.append(0) }
    }
    unsafe bytes.withUnsafeMutableBytes { unsafe platform_cleanse($0.baseAddress, $0.count) }
    bytes.removeAll(keepingCapacity: true)
}
