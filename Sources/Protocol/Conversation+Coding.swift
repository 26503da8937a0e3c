package import Crypto

/// The layout of a stored conversation:
///
///     offset  bytes  content
///     0       32     sending root
///     32      32     sending chain key
///     64      32     receiving root
///     96      32     receiving chain key
///     128     1      flags; 1: own next key; 2: contact's next key; 4: it is not mixed in yet
///     129     10     the own next key, or zeros
///     139     10     the contact's next key, or zeros
extension Conversation {
    /// Number of bytes in a stored conversation.
    package static let recordSize = 149

    package borrowing func write(to record: inout SecretWriter) {
        record.put(sending.root)
        record.put(sending.chain.bytes)
        record.put(receiving.root)
        record.put(receiving.chain.bytes)
        var flags: UInt8 = isPending ? 4 : 0
        if ownNext != nil { flags |= 1 }
        if contactNext != nil { flags |= 2 }
        record.put(flags)
        if ownNext?.write(to: &record) == nil { record.skip(NextKey.length) }
        if contactNext?.write(to: &record) == nil { record.skip(NextKey.length) }
    }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        let sending = try Self.direction(from: &record)
        let receiving = try Self.direction(from: &record)
        let flags = try record.byte()
        let ownNext = NextKey(stored: try record.secret(NextKey.length))
        let contactNext = NextKey(stored: try record.secret(NextKey.length))
        self.init(
            sending: sending, receiving: receiving, ownNext: flags & 1 != 0 ? consume ownNext : nil,
            contactNext: flags & 2 != 0 ? consume contactNext : nil, isPending: flags & 4 != 0)
    }

    private static func direction(from record: inout SecretReader) throws(InvalidRecord)
        -> Direction
    {
        Direction(
            root: try record.secret(32), chain: ChainKey(stored: try record.secret(32)))
    }
}
