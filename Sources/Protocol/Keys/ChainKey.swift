package import Crypto

/// The key that yields message keys one after the other: 32 bytes (smsenc(7), Chains and message keys).
package struct ChainKey: ~Copyable {
    package static let size = 32
    package private(set) var bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }

    /// Yields the next message key and moves past it; the chain key used is overwritten.
    mutating func step(_ cipher: inout Cipher) -> MessageKey {
        cipher.mac.setKey(bytes)
        cipher.mac.update("\u{01}")
        cipher.mac.finish(into: &bytes)
        var key = SecretBytes(count: MessageKey.size)
        cipher.mac.update("\u{02}")
        cipher.mac.finish(into: &key)
        cipher.mac.update("\u{03}")
        cipher.mac.finish(into: &key, at: 32)
        return MessageKey(stored: key)
    }

    /// A copy to search ahead with; it is thrown away unless a key of it fits.
    package borrowing func fork() -> ChainKey { ChainKey(stored: bytes.duplicate()) }

    /// True when it is where another is.
    package borrowing func stands(where other: borrowing ChainKey) -> Bool { bytes == other.bytes }

    /// Moves past `count` message keys without using them.
    package mutating func skip(_ count: Int, _ cipher: inout Cipher) {
        for _ in 0..<count { _ = step(&cipher) }
    }
}
