// Cryptography, and nothing else: libcrypto's primitives, and memory for secrets that is overwritten.
//
// It owns secret bytes (SecretBytes, SecretRows, SecretWriter and -Reader), all of noncopyable types
// that cleanse what they held, and a thin type for each primitive: SHA-256, HMAC, AES-256-CTR as a key
// stream of symbols, AES-256-GCM, scrypt, X25519, the system's randomness. Each cites its standard and
// is tested with that standard's vectors. No primitive is written here.
//
// It is libcrypto's only importer; what libcrypto calls deprecated is in CCrypto's direct.h alone. It
// knows no protocol: which key is for what, and what a label says, is Protocol's. Pointers to secrets
// stay within this target; others are shown spans.

internal import CCrypto

/// What the system did not give. Where libcrypto fails that has no reason to, the process ends: nobody
/// could go on.
package enum CryptoError: Error, Equatable {
    /// The system gives no randomness.
    case noRandomness
    /// There is not enough memory for scrypt.
    case noMemory
}

/// What is read is none that was written: altered, cut, or under another key.
@usableFromInline
package struct Broken: Error, Equatable {
    package init() {}
}

/// libcrypto's own start, made once and before anything else of it that looks algorithms up.
enum Libcrypto {
    /// Starts libcrypto, once, without what a tool that runs for one message need not wait for: the
    /// configuration file (which could also bring in code of others), words for errors, tables of old
    /// names for all algorithms, and the tidying up at exit of what goes with the process.
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

    /// Made once, and never changed or freed.
    @safe
    private struct Ciphers: @unchecked Sendable {
        let counterMode: OpaquePointer
        let galois: OpaquePointer
    }

    private static let ciphers: Ciphers = {
        start()
        return unsafe Ciphers(
            counterMode: crypto_direct(EVP_aes_256_ctr()), galois: crypto_direct(EVP_aes_256_gcm()))
    }()
}

/// A cipher's context, made once and given another key for each use.
///
/// libcrypto cleanses the key schedule when it frees the context.
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
