internal import System

/// Random numbers from the kernel's generator. libcrypto's generator is seeded from the same source, but
/// initialising it takes longer than encrypting a message.
package enum Random {
    /// Returns `count` random bytes.
    ///
    /// - Throws: `noRandomness`.
    package static func bytes(_ count: Int) throws(CryptoError) -> SecretBytes {
        let bytes = SecretBytes(count: count)
        let isDone = unsafe bytes.withPointer { unsafe fillAtRandom($0, count) }
        guard isDone else { throw .noRandomness }
        return bytes
    }

    /// Returns `count` random symbols, uniformly distributed below `bound`. Random bytes at or above the
    /// largest multiple of `bound` are skipped, because they would make some symbols more likely than others.
    ///
    /// - Throws: `noRandomness`.
    package static func symbols(_ count: Int, below bound: UInt8) throws(CryptoError) -> SecretBytes
    {
        var result = SecretBytes(count: count)
        let limit = 256 / Int(bound) * Int(bound)
        var filled = 0
        while filled < count {
            let draws = try bytes(2 * count)
            draws.withSpan { draws in
                result.withMutableSpan { symbols in
                    for index in draws.indices where filled < count && Int(draws[index]) < limit {
                        symbols[filled] = draws[index] % bound
                        filled += 1
                    }
                }
            }
        }
        return result
    }
}
