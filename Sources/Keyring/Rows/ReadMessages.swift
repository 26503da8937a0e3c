internal import Crypto

/// The last messages that were read from a contact, newest first, each known by a tag of 4 bytes.
///
/// A tag is only looked up after no key has decrypted a message, to choose between two diagnostics. So a wrong match
/// gives the wrong diagnostic, and nothing else.
struct ReadMessages {
    private static let count = 64
    /// Bytes in a record.
    static let size = count * 4

    /// Zero where there were fewer.
    private var tags: [UInt32]

    init() { tags = Array(repeating: 0, count: Self.count) }

    init(from record: inout SecretReader) throws(Broken) {
        tags = try record.withBytes(Self.size) { (bytes) in
            (0..<Self.count).map { (index) in
                (4 * index..<4 * index + 4).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
            }
        }
    }

    func write(to record: inout SecretWriter) {
        for tag in tags { record.put(tag) }
    }

    /// Puts a message first. After a crash it may be there already.
    mutating func insert(_ tag: UInt32) {
        var index = tags.firstIndex(of: tag) ?? tags.count - 1
        while index > 0 {
            tags[index] = tags[index - 1]
            index -= 1
        }
        tags[0] = tag
    }

    /// True if a message is among them. A message whose tag is 0, one in 2^32, always is until there are 64.
    func contains(_ tag: UInt32) -> Bool { tags.contains(tag) }
}

/// The keyed hash that gives messages their tags: a polynomial modulo the prime 2^61 - 1 at a secret point. The
/// coefficients are the ciphertext (smsenc-keyring(5), Sealed records).
///
/// The values of two ciphertexts are equal at 20 points at most. An HMAC would take a tenth of the time that is
/// needed to decrypt a message.
struct ReadMessageHash {
    private static let modulus: UInt64 = (1 << 61) - 1
    /// Symbols in a coefficient, 7 bits each.
    private static let groupLength = 8

    private let point: UInt64

    /// - Parameter number: any number, of which the point is the remainder.
    init(point number: UInt64) { point = number % Self.modulus }

    /// The tag of a ciphertext: the lowest 4 bytes of the polynomial's value.
    func tag(of symbols: Span<UInt8>) -> UInt32 {
        var value: UInt64 = 0
        for start in stride(from: 0, to: symbols.count, by: Self.groupLength) {
            var coefficient: UInt64 = 0
            for index in start..<min(start + Self.groupLength, symbols.count) {
                coefficient = coefficient << 7 | UInt64(symbols[index])
            }
            value = timesPoint(value, plus: coefficient)
        }
        // Without this, three symbols would not change the lowest bytes.
        return UInt32(truncatingIfNeeded: timesPoint(value, plus: 0))
    }

    /// - Parameters:
    ///   - value: below the modulus.
    ///   - summand: below 2^56.
    private func timesPoint(_ value: UInt64, plus summand: UInt64) -> UInt64 {
        // Below 2^122, so both parts together are below twice the modulus.
        let product = UInt128(value) * UInt128(point) + UInt128(summand)
        let low = UInt64(truncatingIfNeeded: product) & Self.modulus
        let sum = low + UInt64(truncatingIfNeeded: product >> 61)
        return sum < Self.modulus ? sum : sum - Self.modulus
    }
}
