internal import CCrypto
internal import CPlatform

/// The pad's symbols: AES-256-CTR key stream without the bytes that would favour some symbols
/// (PROTOCOL.md, section 5).
///
/// One libcrypto context serves all keys; making one costs more than enciphering a message.
@safe
package struct PadStream: ~Copyable {
    /// Bytes of key stream made at a time. 154 symbols need 158 of them on average; the odds that
    /// 192 do not do are below 2^-50.
    private static let blockSize = 192

    private let context: CipherContext
    private let zeros: UnsafeMutablePointer<UInt8>
    private let stream: UnsafeMutablePointer<UInt8>

    package init() throws(CryptoError) {
        let made = try CipherContext()
        guard unsafe EVP_EncryptInit_ex(made.pointer, EVP_aes_256_ctr(), nil, nil, nil) == 1 else {
            throw .failed("EVP_EncryptInit_ex")
        }
        context = made
        unsafe zeros = .allocate(capacity: Self.blockSize)
        unsafe zeros.initialize(repeating: 0, count: Self.blockSize)
        unsafe stream = .allocate(capacity: Self.blockSize)
        unsafe stream.initialize(repeating: 0, count: Self.blockSize)
    }

    deinit {
        unsafe platform_cleanse(stream, Self.blockSize)
        unsafe stream.deallocate()
        unsafe zeros.deallocate()
    }

    /// Cleanses the key and the key stream made with it.
    package mutating func forget() {
        // Keyed anew, libcrypto overwrites the key schedule.
        _ = unsafe EVP_EncryptInit_ex(context.pointer, nil, nil, zeros, zeros)
        unsafe platform_cleanse(stream, Self.blockSize)
    }

    /// Fills `pad` with symbols below 125.
    ///
    /// - Parameters:
    ///   - key: 32 bytes from `keyOffset` on.
    ///   - nonce: the first bytes of the initial counter block, the rest being zero.
    package mutating func fill(
        _ pad: inout MutableSpan<UInt8>, key: borrowing SecretBytes, keyOffset: Int,
        nonce: Span<UInt8>
    ) throws(CryptoError) {
        var counter: (UInt64, UInt64) = (0, 0)
        let started = unsafe withUnsafeMutableBytes(of: &counter) { block in
            for index in 0..<min(nonce.count, 16) { unsafe block[index] = nonce[index] }
            return unsafe key.withPointer { key in
                unsafe EVP_EncryptInit_ex(
                    context.pointer, nil, nil, key + keyOffset,
                    block.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
        }
        guard started == 1 else { throw .failed("EVP_EncryptInit_ex") }
        var filled = 0
        while filled < pad.count {
            var length: Int32 = 0
            guard
                unsafe EVP_EncryptUpdate(
                    context.pointer, stream, &length, zeros, Int32(Self.blockSize)) == 1,
                length == Int32(Self.blockSize)
            else { throw .failed("EVP_EncryptUpdate") }
            for index in 0..<Self.blockSize where filled < pad.count {
                let byte = unsafe stream[index]
                if byte < 250 {
                    pad[filled] = byte < 125 ? byte : byte - 125
                    filled += 1
                }
            }
        }
    }
}
