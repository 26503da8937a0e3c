// This target contains wrappers for libcrypto's primitives. This target also contains types for secrets,
// which overwrite their memory when it is freed.
//
// Secrets are stored in noncopyable types (SecretBytes, SecretRows, SecretWriter, SecretReader). There is a
// thin wrapper for each of these primitives: SHA-256, HMAC, AES-256-CTR as a key stream of symbols,
// AES-256-GCM, scrypt, X25519 and the system's random numbers. Each wrapper cites its standard and is tested
// with the test vectors of that standard. Only HMAC is implemented in this target, from libcrypto's SHA-256.
//
// No other target imports libcrypto. Only direct.h of CCrypto calls functions that libcrypto marks as
// deprecated. This target does not depend on the protocol. The target Protocol decides what each key and
// label is used for. Pointers to secrets never leave this target. Other targets receive spans.

internal import CCrypto

/// The system could not provide a resource that libcrypto needs. All other failures of libcrypto terminate
/// the process, because no caller could continue.
package enum CryptoError: Error, Equatable {
    /// The system cannot provide random bytes.
    case noRandomness
    /// There is not enough memory for scrypt.
    case noMemory
}

/// The data was altered or truncated, or was encrypted with another key.
@usableFromInline
package struct InvalidRecord: Error, Equatable {
    package init() {}
}

/// Initialises libcrypto, and stores the AES ciphers that this module uses.
enum Libcrypto {
    /// Initialises libcrypto once. Omits the parts that a short-lived tool does not need: the
    /// configuration file, the error texts, the tables of algorithm names, and the cleanup at exit. The
    /// configuration file could also make libcrypto load foreign code.
    static func start() { _ = started }

    private static let started: Bool = {
        let without = [
            OPENSSL_INIT_NO_LOAD_CONFIG, OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS,
            OPENSSL_INIT_NO_ADD_ALL_CIPHERS,
            OPENSSL_INIT_NO_ADD_ALL_DIGESTS, OPENSSL_INIT_NO_ATEXIT,
        ].reduce(0) { $0 | UInt64($1) }
        return OPENSSL_init_crypto(without, nil) == 1
    }()

    /// AES-256 in counter mode (NIST SP 800-38A).
    static var counterMode: OpaquePointer { unsafe ciphers.counterMode }
    /// AES-256-GCM (NIST SP 800-38D).
    static var galois: OpaquePointer { unsafe ciphers.galois }

    /// The ciphers that all threads share. The ciphers are created once, and never changed or freed.
    @safe
    private struct Ciphers: @unchecked Sendable {
        let counterMode: OpaquePointer
        let galois: OpaquePointer
    }

    private static let ciphers: Ciphers = {
        start()
        return unsafe Ciphers(
            counterMode: crypto_without_lookup(EVP_aes_256_ctr()),
            galois: crypto_without_lookup(EVP_aes_256_gcm()))
    }()
}

/// A libcrypto cipher context. The context is created once, and its key is set again for each use. libcrypto
/// overwrites the key schedule when it frees the context.
@safe
@usableFromInline
struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    init() {
        guard let made = unsafe EVP_CIPHER_CTX_new() else { fatalError("no memory for a cipher") }
        unsafe pointer = made
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() {
        unsafe EVP_CIPHER_CTX_free(pointer)
    }
}
