package import Crypto

/// A conversation as it is stored.
///
///     offset  bytes  what
///     0       32     sending root
///     32      32     sending chain key
///     64      32     receiving root
///     96      32     receiving chain key
///     128     1      1: an own next key is out; 2: a next key was learned; 4: it is pending
///     129     10     the own next key, or zeros
///     139     10     the learned next key, or zeros
extension Conversation {
    /// Bytes in a stored conversation.
    package static let recordSize = 149

    package borrowing func write(to record: inout SecretWriter) {
        record.put(sending.root.bytes)
        record.put(sending.chain.bytes)
        record.put(receiving.root.bytes)
        record.put(receiving.chain.bytes)
        var flags: UInt8 = isPending ? 4 : 0
        if ownNext != nil { flags |= 1 }
        if learned != nil { flags |= 2 }
        record.put(flags)
        Self.write(ownNext, to: &record)
        Self.write(learned, to: &record)
    }

    package init(from record: inout SecretReader) throws(Broken) {
        let sending = try Self.direction(from: &record)
        let receiving = try Self.direction(from: &record)
        let flags = try record.byte()
        let ownNext = try Self.nextKey(from: &record, isThere: flags & 1 != 0)
        let learned = try Self.nextKey(from: &record, isThere: flags & 2 != 0)
        self.init(
            sending: sending, receiving: receiving, ownNext: ownNext, learned: learned,
            isPending: flags & 4 != 0)
    }

    private static func direction(from record: inout SecretReader) throws(Broken) -> Direction {
        Direction(
            root: RootKey(stored: try record.secret(32)),
            chain: ChainKey(stored: try record.secret(32)))
    }

    private static func nextKey(
        from record: inout SecretReader, isThere: Bool
    ) throws(Broken) -> NextKey? {
        if isThere { return NextKey(stored: try record.secret(NextKey.length)) }
        try record.skip(NextKey.length)
        return nil
    }

    private static func write(_ key: borrowing NextKey?, to record: inout SecretWriter) {
        switch key {
        case .none: record.skip(NextKey.length)
        case .some(let key): record.put(key.symbols)
        }
    }
}
