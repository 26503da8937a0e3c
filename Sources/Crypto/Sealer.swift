internal import CCrypto

/// Records sealed with AES-256-GCM under one key (NIST SP 800-38D).
///
///     offset  bytes  what
///     0       12     nonce, random
///     12      n      ciphertext
///     12 + n  16     tag
///
/// Nonces are random, which is sound for 2^32 records under a key.
@safe
package struct Sealer: ~Copyable {
    /// Bytes that a sealed record is longer than what it holds.
    package static let overhead = nonceSize + tagSize
    private static let nonceSize = 12
    private static let tagSize = 16

    private let sealing: CipherContext
    private let opening: CipherContext
    private let nonces = NonceSource(size: nonceSize)

    /// - Parameter key: 32 bytes.
    package init(key: borrowing SecretBytes) throws(CryptoError) {
        precondition(key.count == 32)
        let sealing = try CipherContext()
        let opening = try CipherContext()
        let ready = unsafe key.withPointer { key in
            unsafe EVP_EncryptInit_ex(sealing.pointer, Libcrypto.galois, nil, key, nil) == 1
                && EVP_DecryptInit_ex(opening.pointer, Libcrypto.galois, nil, key, nil) == 1
        }
        guard ready else { throw .failed("EVP_EncryptInit_ex") }
        self.sealing = sealing
        self.opening = opening
    }

    /// Seals a record; `associated` must be the same when it is opened.
    package borrowing func seal(
        _ record: Span<UInt8>, associated: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: record.count + Self.overhead)
        var span = sealed.mutableSpan
        try nonces.draw(into: &span)
        let done = unsafe sealed.withUnsafeMutableBufferPointer { sealed in
            guard let start = sealed.baseAddress else { return false }
            return unsafe record.withUnsafeBufferPointer { record in
                unsafe associated.withUnsafeBufferPointer { associated in
                    var length: Int32 = 0
                    let text = unsafe start + Self.nonceSize
                    return unsafe EVP_EncryptInit_ex(sealing.pointer, nil, nil, nil, start) == 1
                        && EVP_EncryptUpdate(
                            sealing.pointer, nil, &length, associated.baseAddress,
                            Int32(associated.count))
                            == 1
                        && EVP_EncryptUpdate(
                            sealing.pointer, text, &length, record.baseAddress, Int32(record.count))
                            == 1
                        && EVP_EncryptFinal_ex(sealing.pointer, text + record.count, &length) == 1
                        && EVP_CIPHER_CTX_ctrl(
                            sealing.pointer, EVP_CTRL_GCM_GET_TAG, Int32(Self.tagSize),
                            text + record.count) == 1
                }
            }
        }
        guard done else { throw .failed("EVP_EncryptUpdate") }
        return sealed
    }

    /// Opens a sealed record.
    /// - Throws: `broken` when it, or what is associated with it, was altered.
    package borrowing func open(
        _ sealed: Span<UInt8>, associated: Span<UInt8>
    ) throws(CryptoError) -> SecretBytes {
        guard sealed.count >= Self.overhead else { throw .broken }
        let record = SecretBytes(count: sealed.count - Self.overhead)
        let genuine = unsafe record.withPointer { record in
            unsafe sealed.withUnsafeBufferPointer { sealed in
                unsafe associated.withUnsafeBufferPointer { associated in
                    guard let start = sealed.baseAddress else { return false }
                    var length: Int32 = 0
                    let size = sealed.count - Self.overhead
                    let text = unsafe start + Self.nonceSize
                    let tag = unsafe UnsafeMutablePointer(mutating: text + size)
                    return unsafe EVP_DecryptInit_ex(opening.pointer, nil, nil, nil, start) == 1
                        && EVP_DecryptUpdate(
                            opening.pointer, nil, &length, associated.baseAddress,
                            Int32(associated.count))
                            == 1
                        && EVP_DecryptUpdate(opening.pointer, record, &length, text, Int32(size))
                            == 1
                        && EVP_CIPHER_CTX_ctrl(
                            opening.pointer, EVP_CTRL_GCM_SET_TAG, Int32(Self.tagSize), tag) == 1
                        && EVP_DecryptFinal_ex(opening.pointer, record + size, &length) == 1
                }
            }
        }
        guard genuine else { throw .broken }
        return record
    }
}
