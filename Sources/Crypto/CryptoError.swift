/// What libcrypto refused.
@usableFromInline
package enum CryptoError: Error, Equatable {
    /// A sealed record was altered, or is sealed under another key.
    case broken
    /// The system gives no randomness.
    case noRandomness
    /// There is not enough memory for scrypt.
    case noMemory
    /// libcrypto failed where it has no reason to, in the function named.
    case failed(String)
}
