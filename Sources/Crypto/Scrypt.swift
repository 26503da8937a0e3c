internal import CCrypto

/// Parameters of scrypt (RFC 7914). This key derivation function makes guessing a password slow, and each
/// guess needs much memory.
package struct Scrypt: Equatable, Sendable {
    package let cost: UInt64
    package let blockSize: UInt64
    package let parallelism: UInt64

    package init(cost: UInt64, blockSize: UInt64, parallelism: UInt64) {
        self.cost = cost
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Memory that a derivation needs, in bytes.
    package var memory: Int { Int(128 * blockSize * cost) }

    /// Derives a 32-byte key.
    ///
    /// - Throws: `noMemory`.
    package func derive(
        password: borrowing SecretBytes, salt: Span<UInt8>
    ) throws(CryptoError) -> SecretBytes {
        Libcrypto.start()
        let key = SecretBytes(count: 32)
        // Without an explicit limit, libcrypto does not use more than 32 MiB. libcrypto needs a few KiB more
        // than `memory`.
        let limit = UInt64(memory) + (1 << 20)
        let done = unsafe key.withPointer { key in
            unsafe password.withPointer { secret in
                unsafe salt.withUnsafeBufferPointer { salt in
                    unsafe secret.withMemoryRebound(to: CChar.self, capacity: password.count) {
                        unsafe EVP_PBE_scrypt(
                            $0, password.count, salt.baseAddress, salt.count, cost, blockSize,
                            parallelism, limit, key, 32)
                    }
                }
            }
        }
        guard done == 1 else { throw .noMemory }
        return key
    }
}

extension Scrypt {
    /// Parameters in releases. A derivation takes 128 MiB of memory and a few tenths of a second.
    package static let released = Scrypt(cost: 1 << 17, blockSize: 8, parallelism: 1)

    #if SMSENC_TEST_BUILD
        /// Parameters in tests, which create and open thousands of keyrings. Only scripts/test sets the flag
        /// `SMSENC_TEST_BUILD`.
        private static let current = Scrypt(cost: 1 << 10, blockSize: 8, parallelism: 1)
    #else
        private static let current = released
    #endif

    /// Parameters for deriving a key from an account's password. A keyring that was created with other
    /// parameters is refused.
    package static let account = current

    /// Parameters for deriving the root keys of a conversation. Both sides of a conversation must use the
    /// same parameters, so they are part of the protocol.
    package static let synchronisation = current
}
