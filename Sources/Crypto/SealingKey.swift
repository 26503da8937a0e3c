internal import CCrypto

/// Encrypts and authenticates ("seals") records with AES-256-GCM and a single key (NIST SP 800-38D). A
/// sealed record has this layout:
///
///     offset  bytes  content
///     0       12     nonce, random
///     12      n      ciphertext
///     12 + n  16     tag
///
/// The nonces are random, which is safe if a key seals at most 2^32 records.
@safe
package struct SealingKey: ~Copyable {
    /// Number of bytes that sealing adds to a record.
    package static let overhead = nonceSize + tagSize
    package static let nonceSize = 12
    package static let tagSize = 16

    private let sealing: CipherContext
    private let opening: CipherContext

    /// Creates a sealing key from a 32-byte key.
    package init(key: borrowing SecretBytes) {
        precondition(key.count == 32)
        sealing = CipherContext()
        opening = CipherContext()
        let ready = unsafe key.withPointer { key in
            unsafe EVP_EncryptInit_ex(sealing.pointer, Libcrypto.galois, nil, key, nil) == 1
                && EVP_DecryptInit_ex(opening.pointer, Libcrypto.galois, nil, key, nil) == 1
        }
        guard ready else { fatalError("libcrypto failed: EVP_EncryptInit_ex") }
    }

    /// Seals a record.
    ///
    /// - Parameter associated: associated data, which is authenticated but not stored. The caller must pass
    ///   the same associated data to `open`.
    /// - Throws: `noRandomness`.
    package borrowing func seal(
        _ record: Span<UInt8>, associated: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        let context = unsafe sealing.pointer
        var sealed = [UInt8](repeating: 0, count: record.count + Self.overhead)
        let nonce = try Random.bytes(Self.nonceSize)
        let done = unsafe sealed.withUnsafeMutableBufferPointer { sealed in
            guard let start = sealed.baseAddress else { return false }
            unsafe nonce.withPointer { unsafe start.update(from: $0, count: Self.nonceSize) }
            let text = unsafe start + Self.nonceSize
            let tag = unsafe text + record.count
            var length: Int32 = 0
            return unsafe EVP_EncryptInit_ex(context, nil, nil, nil, start) == 1
                && Self.feed(associated) { unsafe EVP_EncryptUpdate(context, nil, &length, $0, $1) }
                && Self.feed(record) { unsafe EVP_EncryptUpdate(context, text, &length, $0, $1) }
                && EVP_EncryptFinal_ex(context, tag, &length) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(Self.tagSize), tag) == 1
        }
        guard done else { fatalError("libcrypto failed: EVP_EncryptUpdate") }
        return sealed
    }

    /// Decrypts and verifies a sealed record.
    ///
    /// - Throws: `InvalidRecord` if the record or the associated data was altered.
    package borrowing func open(
        _ sealed: Span<UInt8>, associated: Span<UInt8>
    ) throws(InvalidRecord) -> SecretBytes {
        guard sealed.count >= Self.overhead else { throw InvalidRecord() }
        let context = unsafe opening.pointer
        let end = sealed.count - Self.tagSize
        let record = SecretBytes(count: sealed.count - Self.overhead)
        let genuine = unsafe record.withPointer { record in
            unsafe sealed.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return false }
                let tag = unsafe UnsafeMutablePointer(mutating: start + end)
                var length: Int32 = 0
                return unsafe EVP_DecryptInit_ex(context, nil, nil, nil, start) == 1
                    && Self.feed(associated) {
                        unsafe EVP_DecryptUpdate(context, nil, &length, $0, $1)
                    }
                    && Self.feed(sealed.extracting(Self.nonceSize..<end)) {
                        unsafe EVP_DecryptUpdate(context, record, &length, $0, $1)
                    }
                    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(Self.tagSize), tag)
                        == 1
                    && EVP_DecryptFinal_ex(context, record, &length) == 1
            }
        }
        guard genuine else { throw InvalidRecord() }
        return record
    }

    /// Passes bytes to libcrypto. Does nothing if the span is empty. An empty span would be passed as a
    /// null pointer, which libcrypto interprets as the end of the record.
    private static func feed(
        _ bytes: Span<UInt8>, _ update: (UnsafePointer<UInt8>?, Int32) -> Int32
    ) -> Bool {
        if bytes.isEmpty { return true }
        return unsafe bytes.withUnsafeBufferPointer {
            unsafe update($0.baseAddress, Int32($0.count)) == 1
        }
    }
}
