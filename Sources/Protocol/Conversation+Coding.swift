package import Crypto

/// The layout of a stored conversation:
///
///     offset  bytes  content
///     0       80     sending direction: name (8), root key (32), chain (40)
///     80      80     receiving direction
///     160     1      flags: user's next key exists (1), contact's exists (2), contact's is not mixed in (4)
///     161     10     the user's next key, or zeros
///     171     10     the contact's next key, or zeros
extension Conversation {
    /// Number of bytes in a stored conversation.
    package static let recordSize = 2 * Direction.recordSize + 1 + 2 * NextKey.length

    package borrowing func write(to record: inout SecretWriter) {
        sending.write(to: &record)
        receiving.write(to: &record)
        var flags: UInt8 = isPending ? 4 : 0
        if ownNext != nil { flags |= 1 }
        if contactNext != nil { flags |= 2 }
        record.put(flags)
        if ownNext?.write(to: &record) == nil { record.skip(NextKey.length) }
        if contactNext?.write(to: &record) == nil { record.skip(NextKey.length) }
    }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        let sending = try Direction(from: &record)
        let receiving = try Direction(from: &record)
        let flags = try record.byte()
        let ownNext = NextKey(stored: try record.secret(NextKey.length))
        let contactNext = NextKey(stored: try record.secret(NextKey.length))
        self.init(
            sending: sending, receiving: receiving, ownNext: flags & 1 != 0 ? consume ownNext : nil,
            contactNext: flags & 2 != 0 ? consume contactNext : nil, isPending: flags & 4 != 0)
    }
}

extension Direction {
    fileprivate static let recordSize = 40 + Chain.size

    fileprivate borrowing func write(to record: inout SecretWriter) {
        name.write(to: &record)
        record.put(root)
        chain.write(to: &record)
    }

    fileprivate init(from record: inout SecretReader) throws(InvalidRecord) {
        let name = try DirectionName(from: &record)
        let root = try record.secret(32)
        self.init(name: name, root: root, chain: try Chain(from: &record))
    }
}
