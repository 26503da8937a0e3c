internal import System

/// Randomness from the system's generator, which is what seeds libcrypto's: that one takes longer to
/// start than a message to encipher.
package enum Random {
    /// So many random bytes.
    /// - Throws: `noRandomness`.
    package static func bytes(_ count: Int) throws(CryptoError) -> SecretBytes {
        let bytes = SecretBytes(count: count)
        let isDone = unsafe bytes.withPointer { unsafe fillAtRandom($0, count) }
        guard isDone else { throw .noRandomness }
        return bytes
    }

    /// So many symbols, each uniform below `bound`: a byte at or over the largest multiple of
    /// `bound` is skipped.
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
