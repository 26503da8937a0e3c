internal import CCrypto
internal import System

/// SHA-256 (FIPS 180-4) of what comes in parts. Its state may depend on a key, and is cleansed.
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

    /// Begins again; nothing of before remains.
    func begin() { unsafe crypto_hash_begin(state) }

    /// Goes on where another hash is.
    func begin(where other: borrowing Hash) { unsafe crypto_hash_copy(state, other.state) }

    func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe crypto_hash_update(state, $0.baseAddress, $0.count)
        }
    }

    func update(_ label: StaticString) {
        unsafe crypto_hash_update(state, label.utf8Start, label.utf8CodeUnitCount)
    }

    /// Ends the input.
    /// - Parameter digest: room for 32 bytes.
    func end(into digest: borrowing SecretBytes) {
        precondition(digest.count == Digest.size)
        unsafe digest.withPointer { unsafe crypto_hash_end(state, $0) }
    }
}

/// SHA-256 of what is not secret.
package enum Digest {
    /// Bytes in a digest.
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
