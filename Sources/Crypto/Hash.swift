internal import CCrypto
internal import System

/// Computes SHA-256 (FIPS 180-4) of a message that the caller passes in pieces. The state may depend on a
/// key, so it is overwritten when the hash is freed.
@safe
@usableFromInline
struct Hash: ~Copyable {
    private let state: OpaquePointer

    init() {
        guard let made = unsafe crypto_hash_new() else { fatalError("no memory for a hash") }
        unsafe state = made
        begin()
    }

    @inlinable deinit { finish() }

    @usableFromInline
    func finish() {
        unsafe crypto_hash_free(state)
    }

    /// Starts a new message and overwrites the state of the previous message.
    func begin() { unsafe crypto_hash_begin(state) }

    /// Replaces the state of this hash with a copy of another hash's state.
    func begin(where other: borrowing Hash) { unsafe crypto_hash_copy(state, other.state) }

    func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe crypto_hash_update(state, $0.baseAddress, $0.count)
        }
    }

    func update(_ label: StaticString) {
        unsafe crypto_hash_update(state, label.utf8Start, label.utf8CodeUnitCount)
    }

    /// Writes the 32-byte digest into `result` at `offset`.
    func end(into result: borrowing SecretBytes, at offset: Int = 0) {
        precondition(offset >= 0 && Digest.size <= result.count - offset)
        unsafe result.withPointer { unsafe crypto_hash_end(state, $0 + offset) }
    }
}

/// SHA-256 of data that is not secret.
package enum Digest {
    /// Number of bytes in a digest.
    package static let size = 32

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { sha256(bytes.span) }

    package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
        let hash = Hash()
        hash.update(bytes)
        let digest = SecretBytes(count: size)
        hash.end(into: digest)
        return digest.withSpan { Array(copying: $0) }
    }
}
