/// HMAC-SHA-256 (RFC 2104), keyed once for several messages.
///
/// It is put together from SHA-256 because `HMAC()` and EVP_MAC look their algorithm up at every call,
/// which costs four times the hashing of a short message. The state depends on the key and is cleansed.
package struct MAC: ~Copyable {
    /// Bytes in a result.
    package static let size = Digest.size
    /// Bytes in a block of SHA-256; a longer key is hashed first (RFC 2104, section 2).
    private static let blockSize = 64

    /// SHA-256 after the key's inner and outer block.
    private let inner = Hash()
    private let outer = Hash()
    /// The message's.
    private let running = Hash()
    private var block = SecretBytes(count: blockSize)
    private var digest = SecretBytes(count: size)

    package init() {}

    /// Takes a key of at most 64 bytes.
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

    /// Ends the message and writes the result from `offset` on; the next message is under the same key.
    package mutating func finish(into result: inout SecretBytes, at offset: Int = 0) {
        end()
        digest.withSpan { result.copy($0, to: offset) }
    }

    /// Ends the message; the result is a new secret.
    package mutating func finish() -> SecretBytes {
        end()
        return digest.duplicate()
    }

    /// Ends the message; the result as a big-endian integer in two halves, of 16 bytes each.
    package mutating func finish() -> (high: UInt128, low: UInt128) {
        end()
        return unsafe digest.withPointer { digest in
            let halves = unsafe UnsafeRawPointer(digest).loadUnaligned(as: (UInt128, UInt128).self)
            return (halves.0.bigEndian, halves.1.bigEndian)
        }
    }

    /// Hashes the key, filled up with zeros to a block and masked.
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

    /// Ends the message; the result is in `digest`.
    private mutating func end() {
        running.end(into: digest)
        running.begin(where: outer)
        digest.withSpan { running.update($0) }
        running.end(into: digest)
        running.begin(where: inner)
    }
}
