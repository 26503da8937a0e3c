internal import CCrypto

/// SHA-256 (FIPS 180-4) of what is not secret.
package enum Digest {
    /// Bytes in a digest.
    package static let size = 32

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        _ = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe digest.withUnsafeMutableBufferPointer { digest in
                // Not SHA256(), which looks its algorithm up among all others at the first call.
                var state = SHA256_CTX()
                unsafe SHA256_Init(&state)
                unsafe SHA256_Update(&state, bytes.baseAddress, bytes.count)
                return unsafe SHA256_Final(digest.baseAddress, &state)
            }
        }
        return digest
    }
}
