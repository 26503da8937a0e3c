internal import CCrypto
internal import System

/// HMAC-SHA-256 (RFC 2104), keyed once for several messages.
///
/// It is put together from libcrypto's SHA256_ functions because `HMAC()` and EVP_MAC look their
/// algorithm up at every call, which costs four times the hashing of a short message. The state
/// depends on the key, lives on the heap and is cleansed.
@safe
package struct MAC: ~Copyable {
    /// Bytes in a result.
    package static let size = 32
    /// Bytes in a block of SHA-256; a longer key is hashed first (RFC 2104, section 2).
    private static let blockSize = 64

    /// What SHA-256 carries from block to block: all there is to copy between blocks.
    private typealias Chaining = (
        UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
    )

    private struct State {
        /// Before the first block, and behind that of the key, for the inner and the outer hash.
        var (fresh, inner, outer): (Chaining, Chaining, Chaining)
        var running = SHA256_CTX()
        var block: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
            (0, 0, 0, 0, 0, 0, 0, 0)
        var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        init() {
            unsafe SHA256_Init(&running)
            (fresh, inner, outer) = (running.h, running.h, running.h)
        }

        /// Goes on behind so many bytes, whole blocks.
        mutating func run(from chaining: Chaining, behind bytes: UInt32) {
            running.h = chaining
            running.Nl = 8 * bytes
            running.Nh = 0
            running.num = 0
        }
    }
    private let state: UnsafeMutablePointer<State>

    package init() {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State())
    }

    deinit {
        unsafe cleanse(state, MemoryLayout<State>.size)
        unsafe state.deallocate()
    }

    /// Takes a key of at most 64 bytes.
    package mutating func setKey(_ key: Span<UInt8>) {
        precondition(key.count <= Self.blockSize)
        absorb(key, mask: 0x3636_3636_3636_3636)
        unsafe state.pointee.inner = state.pointee.running.h
        absorb(key, mask: 0x5C5C_5C5C_5C5C_5C5C)
        unsafe state.pointee.outer = state.pointee.running.h
        begin()
    }

    /// Begins a message.
    private func begin() {
        unsafe state.pointee.run(from: state.pointee.inner, behind: UInt32(Self.blockSize))
    }

    package mutating func setKey(_ key: borrowing SecretBytes) {
        key.withSpan { setKey($0) }
    }

    package mutating func update(_ message: Span<UInt8>) {
        _ = unsafe message.withUnsafeBytes {
            unsafe SHA256_Update(&state.pointee.running, $0.baseAddress, $0.count)
        }
    }

    package mutating func update(_ byte: UInt8) {
        _ = unsafe withUnsafePointer(to: byte) {
            unsafe SHA256_Update(&state.pointee.running, $0, 1)
        }
    }

    package mutating func update(_ label: StaticString) {
        _ = unsafe SHA256_Update(&state.pointee.running, label.utf8Start, label.utf8CodeUnitCount)
    }

    /// Ends the message and writes the first bytes of the result from `offset` on, as many as there
    /// is room for; the next message is under the same key.
    package mutating func finish(into result: inout MutableSpan<UInt8>, at offset: Int = 0) {
        digest()
        unsafe withUnsafeBytes(of: &state.pointee.digest) { digest in
            unsafe result.withUnsafeMutableBytes { result in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: result[offset...])
                unsafe room.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: digest.prefix(room.count)))
            }
        }
    }

    /// Ends the message; the result stands in the state until the next.
    private mutating func digest() {
        unsafe withUnsafeMutableBytes(of: &state.pointee.digest) { digest in
            unsafe SHA256_Final(digest.baseAddress, &state.pointee.running)
            unsafe state.pointee.run(from: state.pointee.outer, behind: UInt32(Self.blockSize))
            unsafe SHA256_Update(&state.pointee.running, digest.baseAddress, Self.size)
            unsafe SHA256_Final(digest.baseAddress, &state.pointee.running)
        }
        begin()
    }

    /// Ends the message; the result is a new secret.
    package mutating func finish() -> SecretBytes {
        var result = SecretBytes(count: Self.size)
        result.withMutableSpan { finish(into: &$0) }
        return result
    }

    /// Ends the message; the first 16 bytes of the result, as a big-endian integer, modulo `modulus`.
    package mutating func finish(modulo modulus: UInt64) -> UInt64 {
        let (high, low) = finishHalves()
        return modulus.dividingFullWidth((high % modulus, low)).remainder
    }

    /// The same for a larger modulus.
    package mutating func finish(modulo modulus: UInt128) -> UInt128 {
        let (high, low) = finishHalves()
        return (UInt128(high) << 64 | UInt128(low)) % modulus
    }

    private mutating func finishHalves() -> (high: UInt64, low: UInt64) {
        digest()
        return unsafe (
            UInt64(bigEndian: state.pointee.digest.0), UInt64(bigEndian: state.pointee.digest.1)
        )
    }

    /// Cleanses what depends on the key; the next message needs another.
    package mutating func forget() {
        unsafe cleanse(state, MemoryLayout<State>.size)
        unsafe state.initialize(to: State())
    }

    /// Starts hashing with the key, filled up with zeros to a block and masked, eight bytes at a time.
    private mutating func absorb(_ key: Span<UInt8>, mask: UInt64) {
        unsafe withUnsafeMutableBytes(of: &state.pointee.block) { block in
            let words = unsafe block.bindMemory(to: UInt64.self)
            unsafe words.update(repeating: 0)
            unsafe key.withUnsafeBytes { unsafe block.copyMemory(from: $0) }
            for index in words.indices { unsafe words[index] ^= mask }
            unsafe state.pointee.run(from: state.pointee.fresh, behind: 0)
            unsafe SHA256_Update(&state.pointee.running, block.baseAddress, Self.blockSize)
        }
    }
}
