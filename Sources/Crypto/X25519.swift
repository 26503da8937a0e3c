internal import CCrypto

/// Diffie-Hellman key agreement on Curve25519 (RFC 7748).
package enum X25519 {
    /// Number of bytes in each secret key, public key and shared secret.
    package static let size = 32

    /// Returns the public key that belongs to a secret key.
    package static func publicKey(of secret: borrowing SecretBytes) -> [UInt8] {
        let key = EvpKey(secret: secret)
        var bytes = [UInt8](repeating: 0, count: size)
        var count = size
        let done = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe EVP_PKEY_get_raw_public_key(key.pointer, $0.baseAddress, &count)
        }
        guard done == 1, count == size else {
            fatalError("libcrypto failed: EVP_PKEY_get_raw_public_key")
        }
        return bytes
    }

    /// Computes the shared secret.
    ///
    /// - Throws: `InvalidRecord` if the shared secret is zero (RFC 7748, section 6.1). Also throws
    ///   `InvalidRecord` if the public key is 2^255 - 19 or more, because such a key is equivalent to a
    ///   smaller key.
    package static func shared(
        secret: borrowing SecretBytes, publicKey: [UInt8]
    ) throws(InvalidRecord) -> SecretBytes {
        guard isCanonical(publicKey) else { throw InvalidRecord() }
        let own = EvpKey(secret: secret)
        let theirs = try EvpKey(publicKey: publicKey)
        guard let context = unsafe EVP_PKEY_CTX_new(own.pointer, nil) else { throw InvalidRecord() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        let shared = SecretBytes(count: size)
        var count = size
        guard unsafe EVP_PKEY_derive_init(context) == 1,
            unsafe EVP_PKEY_derive_set_peer(context, theirs.pointer) == 1
        else { throw InvalidRecord() }
        let done = unsafe shared.withPointer { unsafe EVP_PKEY_derive(context, $0, &count) }
        guard done == 1, count == size, !(shared == SecretBytes(count: size)) else {
            throw InvalidRecord()
        }
        return shared
    }

    /// Returns true if the public key is a number below 2^255 - 19 in little-endian order.
    private static func isCanonical(_ publicKey: [UInt8]) -> Bool {
        guard publicKey.count == size, publicKey[size - 1] < 0x80 else { return false }
        return publicKey[0] < 0xED || publicKey[size - 1] < 0x7F
            || publicKey[1..<(size - 1)].contains { $0 < 0xFF }
    }
}

/// A key in libcrypto's representation. libcrypto overwrites the key when it frees it.
@safe
private struct EvpKey: ~Copyable {
    let pointer: OpaquePointer

    init(secret: borrowing SecretBytes) {
        Libcrypto.start()
        let made = unsafe secret.withPointer {
            unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, $0, X25519.size)
        }
        guard secret.count == X25519.size, let made = unsafe made else {
            fatalError("libcrypto failed: EVP_PKEY_new_raw_private_key")
        }
        unsafe pointer = made
    }

    init(publicKey: [UInt8]) throws(InvalidRecord) {
        Libcrypto.start()
        let made = unsafe publicKey.withUnsafeBufferPointer {
            unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, $0.baseAddress, $0.count)
        }
        guard let made = unsafe made else { throw InvalidRecord() }
        unsafe pointer = made
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }
}
