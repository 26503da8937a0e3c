internal import CCrypto

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
