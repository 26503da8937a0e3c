internal import Crypto

/// The last messages from a contact that were decrypted, newest first. Each message is represented by a tag
/// of 4 bytes.
///
/// A tag is only looked up after no key has decrypted a message, to choose between two diagnostics. A wrong
/// match therefore only causes the wrong diagnostic.
struct ReadMessages {
    private static let count = 64
    /// Bytes in the stored form.
    static let size = count * 4

    /// Tags of the messages. Unused tags are zero.
    private var tags: [UInt32]

    init() { tags = Array(repeating: 0, count: Self.count) }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        tags = try record.withBytes(Self.size) { (bytes) in
            (0..<Self.count).map { (index) in
                (4 * index..<4 * index + 4).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
            }
        }
    }

    func write(to record: inout SecretWriter) {
        for tag in tags { record.put(tag) }
    }

    /// Inserts a message as the newest message. A message that is already in the list, which can happen after
    /// a crash, is moved to the front.
    mutating func insert(_ tag: UInt32) {
        var index = tags.firstIndex(of: tag) ?? tags.count - 1
        while index > 0 {
            tags[index] = tags[index - 1]
            index -= 1
        }
        tags[0] = tag
    }

    /// Returns true if a message is in the list. A tag of 0, which one message in 2^32 has, is always found
    /// until the list is full.
    func contains(_ tag: UInt32) -> Bool { tags.contains(tag) }
}

/// The keyed hash that computes tags of messages: a polynomial modulo the prime 2^61 - 1, evaluated at a
/// secret point. The coefficients of the polynomial are the symbols of the ciphertext (smsenc-keyring(5),
/// contacts).
///
/// The polynomials of two ciphertexts have the same value at no more than 20 points. Decrypting a message
/// would take a tenth more time with HMAC.
struct ReadMessageHash {
    private static let modulus: UInt64 = (1 << 61) - 1
    /// Symbols in a coefficient, 7 bits each.
    private static let groupLength = 8

    private let point: UInt64

    /// Creates a hash with a point.
    ///
    /// - Parameter number: any number. The point is the remainder of this number modulo 2^61 - 1.
    init(point number: UInt64) { point = number % Self.modulus }

    /// Returns the tag of a ciphertext: the lowest 4 bytes of the polynomial's value.
    func tag(of symbols: Span<UInt8>) -> UInt32 {
        var value: UInt64 = 0
        for start in stride(from: 0, to: symbols.count, by: Self.groupLength) {
            var coefficient: UInt64 = 0
            for index in start..<min(start + Self.groupLength, symbols.count) {
                coefficient = coefficient << 7 | UInt64(symbols[index])
            }
            value = timesPoint(value, plus: coefficient)
        }
        // Multiply once more. Otherwise, the first three symbols of the last group would not affect the
        // lowest 4 bytes.
        return UInt32(truncatingIfNeeded: timesPoint(value, plus: 0))
    }

    /// Returns `value` times the point plus `summand`, modulo 2^61 - 1.
    ///
    /// - Parameters:
    ///   - value: below the modulus.
    ///   - summand: below 2^56.
    private func timesPoint(_ value: UInt64, plus summand: UInt64) -> UInt64 {
        // The product is below 2^122, so the sum of both parts is below twice the modulus.
        let product = UInt128(value) * UInt128(point) + UInt128(summand)
        let low = UInt64(truncatingIfNeeded: product) & Self.modulus
        let sum = low + UInt64(truncatingIfNeeded: product >> 61)
        return sum < Self.modulus ? sum : sum - Self.modulus
    }
}
