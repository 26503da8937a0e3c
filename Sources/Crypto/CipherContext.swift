internal import CCrypto

/// A libcrypto cipher context, made once and keyed anew for each use.
///
/// libcrypto cleanses the key schedule when it frees the context.
@safe
struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    /// - Throws: `noMemory`.
    init() throws(CryptoError) {
        guard let made = unsafe EVP_CIPHER_CTX_new() else { throw .noMemory }
        unsafe pointer = made
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(pointer)
    }
}
