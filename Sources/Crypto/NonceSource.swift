/// Random nonces, drawn from the system many at a time: a draw costs as much as sealing a record.
///
/// Each is given out once. They are no secrets.
final class NonceSource {
    /// Bytes that the system gives in one piece (getentropy(3)).
    private static let longestDraw = 256

    private let size: Int
    private var drawn: SecretBytes
    private var next: Int

    /// - Parameter size: bytes in a nonce.
    init(size: Int) {
        precondition(size > 0 && size <= Self.longestDraw)
        self.size = size
        drawn = SecretBytes(count: 0)
        next = 0
    }

    /// Writes a new nonce to the beginning of a record.
    /// - Throws: `noRandomness`.
    func draw(into record: inout MutableSpan<UInt8>) throws(CryptoError) {
        if next + size > drawn.count {
            drawn = try Random.bytes(Self.longestDraw / size * size)
            next = 0
        }
        drawn.withSpan { drawn in
            for index in 0..<size { record[index] = drawn[next + index] }
        }
        next += size
    }
}
