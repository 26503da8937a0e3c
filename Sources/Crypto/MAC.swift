/// HMAC-SHA-256 (RFC 2104). The same key can be used for any number of messages.
///
/// This type is built from SHA-256 because `HMAC()` and EVP_MAC look up their algorithm at every call. The
/// look-up takes four times as long as hashing a short message. The state depends on the key and is
/// overwritten when it is freed.
package struct MAC: ~Copyable {
    /// Number of bytes in a MAC.
    package static let size = Digest.size
    /// Number of bytes in a SHA-256 block. This type does not support keys longer than a block, which would
    /// have to be hashed first (RFC 2104, section 2).
    private static let blockSize = 64

    /// SHA-256 states after the inner and the outer key block.
    private let inner = Hash()
    private let outer = Hash()
    /// Running hash of the current message.
    private let running = Hash()
    private var block = SecretBytes(count: blockSize)
    /// Buffer for the digest of the inner hash, and for a MAC that is returned as an integer.
    private let digest = SecretBytes(count: size)

    package init() {}

    /// Sets a key of at most 64 bytes, and starts a message.
    package mutating func setKey(_ key: Span<UInt8>) {
        precondition(key.count <= Self.blockSize)
        Self.begin(inner, key, mask: 0x36, &block)
        Self.begin(outer, key, mask: 0x5C, &block)
        running.begin(where: inner)
    }

    package mutating func setKey(_ key: borrowing SecretBytes) {
        key.withSpan { setKey($0) }
    }

    package mutating func update(_ message: Span<UInt8>) { running.update(message) }

    package mutating func update(_ label: StaticString) { running.update(label) }

    /// Writes the MAC of the message into `result` at `offset`, and starts the next message with the same
    /// key.
    package mutating func finish(into result: inout SecretBytes, at offset: Int = 0) {
        end(into: result, at: offset)
    }

    /// Returns the MAC of the message, and starts the next message with the same key.
    package mutating func finish() -> SecretBytes {
        let result = SecretBytes(count: Self.size)
        end(into: result)
        return result
    }

    /// Returns the MAC of the message as two 16-byte big-endian integers, and starts the next message with
    /// the same key.
    package mutating func finish() -> (high: UInt128, low: UInt128) {
        end(into: digest)
        return unsafe digest.withPointer { digest in
            let halves = unsafe UnsafeRawPointer(digest).loadUnaligned(as: (UInt128, UInt128).self)
            return (halves.0.bigEndian, halves.1.bigEndian)
        }
    }

    /// Starts a hash with a block that depends on the key. The block is the key followed by zeros, and
    /// each byte is XORed with `mask`.
    private static func begin(
        _ hash: borrowing Hash, _ key: Span<UInt8>, mask: UInt8, _ block: inout SecretBytes
    ) {
        block.withMutableSpan { block in
            for index in block.indices { block[index] = mask }
            for index in key.indices { block[index] ^= key[index] }
        }
        hash.begin()
        block.withSpan { hash.update($0) }
    }

    /// Writes the MAC into `result` at `offset`, and starts the next message with the same key.
    private func end(into result: borrowing SecretBytes, at offset: Int = 0) {
        running.end(into: digest)
        running.begin(where: outer)
        digest.withSpan { running.update($0) }
        running.end(into: result, at: offset)
        running.begin(where: inner)
    }
}
