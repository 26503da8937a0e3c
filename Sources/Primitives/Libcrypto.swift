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
}
