package import Crypto

/// A chain key of 32 bytes, from which message keys are derived one after the other (smsenc-protocol(7),
/// Chains and message keys).
package struct ChainKey: ~Copyable {
    package static let size = 32
    package private(set) var bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }

    /// Derives the next message key, and replaces the chain key with the next chain key.
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

    /// Returns a copy, so that a search can try keys without advancing this chain.
    package borrowing func fork() -> ChainKey { ChainKey(stored: bytes.duplicate()) }

    /// Returns true if both chains are at the same position.
    package borrowing func isAtSamePosition(as other: borrowing ChainKey) -> Bool {
        bytes == other.bytes
    }

    /// Moves the chain forward by `count` message keys without using them.
    package mutating func skip(_ count: Int, _ cipher: inout Cipher) {
        for _ in 0..<count { _ = step(&cipher) }
    }
}
