package import Crypto

internal import Frames

/// The key of a direction that the next keys are mixed into: 32 bytes (PROTOCOL.md, section 4).
package struct RootKey: ~Copyable {
    package let bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }
}

/// The key that yields message keys one after the other: 32 bytes (PROTOCOL.md, section 4).
package struct ChainKey: ~Copyable {
    package private(set) var bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }

    /// Yields the next message key and moves behind it; the chain key used is overwritten.
    mutating func step(_ bench: inout Workbench) -> MessageKey {
        bench.mac.setKey(bytes)
        bench.mac.update(0x01)
        bytes.withMutableSpan { bench.mac.finish(into: &$0) }
        var key = SecretBytes(count: MessageKey.size)
        key.withMutableSpan { key in
            bench.mac.update(0x02)
            bench.mac.finish(into: &key)
            bench.mac.update(0x03)
            bench.mac.finish(into: &key, at: 32)
        }
        return MessageKey(stored: key)
    }

    /// A copy to search ahead with; it is thrown away unless a key of it fits.
    package borrowing func fork() -> ChainKey { ChainKey(stored: bytes.duplicate()) }

    /// Moves behind so many message keys without using them.
    package mutating func skip(_ count: Int, _ bench: inout Workbench) {
        for _ in 0..<count { _ = step(&bench) }
    }
}

/// One direction of a conversation: its root and its chain.
package struct Direction: ~Copyable {
    package var root: RootKey
    package var chain: ChainKey

    package init(root: consuming RootKey, chain: consuming ChainKey) {
        self.root = root
        self.chain = chain
    }

    /// start(k) of PROTOCOL.md, section 3; k is erased.
    init(start key: consuming SecretBytes, _ bench: inout Workbench) {
        bench.mac.setKey(key)
        bench.mac.update("smsenc/1 root")
        root = RootKey(stored: bench.mac.finish())
        bench.mac.update("smsenc/1 chain")
        chain = ChainKey(stored: bench.mac.finish())
    }

    /// The direction that mixing a next key into the root gives (section 6).
    borrowing func mixed(with next: borrowing NextKey, _ bench: inout Workbench) -> Direction {
        let key = next.symbols.withSpan {
            bench.derive(from: root.bytes, "smsenc/1 combine", $0)
        }
        return Direction(start: key, &bench)
    }
}

/// A next key: ten uniform symbols that one side offers and the other mixes in (section 6).
package struct NextKey: ~Copyable {
    /// Symbols in a next key.
    package static let length = 10
    package let symbols: SecretBytes

    package init(stored: consuming SecretBytes) { symbols = stored }

    static func generate() throws(CryptoError) -> NextKey {
        NextKey(stored: try Random.symbols(length, below: 125))
    }

    borrowing func write(into frame: inout MutableSpan<UInt8>) {
        symbols.withSpan { symbols in
            for index in symbols.indices {
                frame[Frame.nextKey.lowerBound + index] = symbols[index]
            }
        }
    }
}
