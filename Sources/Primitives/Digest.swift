internal import CCrypto

/// SHA-256 (FIPS 180-4) of what is not secret.
package enum Digest {
    /// Bytes in a digest.
    package static let size = 32

    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        _ = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe digest.withUnsafeMutableBufferPointer { digest in
                unsafe SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
            }
        }
        return digest
    }
}
