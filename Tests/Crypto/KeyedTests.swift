import CCrypto
import Crypto
import Support
import Testing

/// Checks that functions assembled from parts of libcrypto give the same results as the complete functions
/// of libcrypto.
@Suite(.measured) struct KeyedTests {
    /// The messages have all lengths near multiples of the block size. Several messages have the same key,
    /// and other keys are used between them.
    @Test func keyedHashesAreHMAC() {
        var generator = SystemRandomNumberGenerator()
        var mac = MAC()
        for length in Array(0...130) + [155, 1000] {
            let key = randomBytes(Int.random(in: 0...64), &generator)
            let message = randomBytes(length, &generator)
            mac.setKey(key.span)
            for cut in [0, length / 2, length] {
                mac.update(message.span.extracting(..<cut))
                mac.update(message.span.extracting(cut...))
                #expect(contents(mac.finish()) == hmac(key, message))
            }
        }
    }

    /// The number of pads is so large that words without rejected bytes, with one, and with several occur
    /// at all positions.
    @Test func padsAreTheKeyStreamReducedByteByByte() throws {
        var generator = SystemRandomNumberGenerator()
        var pads = KeyStream()
        for round in 0..<3000 {
            let key = randomBytes(64, &generator)
            let nonce = UInt64.random(in: 0...UInt64.max, using: &generator)
            let length = round.isMultiple(of: 4) ? Int.random(in: 0...160) : 154
            pads.make(length, key: SecretBytes(copying: key.span), keyOffset: 32, nonce: nonce)
            var symbols = (0..<length).map { _ in UInt8.random(in: 0..<125, using: &generator) }
            let before = symbols
            var span = symbols.mutableSpan
            pads.add(to: &span, from: 0)
            let stream = keyStream(Array(key[32...]), nonce, count: 256)
            let pad = stream.filter { $0 < 250 }.map { $0 % 125 }.prefix(length)
            #expect(symbols == zip(before, pad).map { ($0 + $1) % 125 })
            span = symbols.mutableSpan
            pads.subtract(from: &span, from: 0)
            #expect(symbols == before)
        }
    }

    private func randomBytes(
        _ count: Int, _ generator: inout SystemRandomNumberGenerator
    ) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        var length = 0
        unsafe EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, key, key.count, message, message.count, &result,
            result.count, &length)
        return result
    }

    /// Returns AES-256-CTR of zeros. The initial counter block consists of the nonce and eight zero bytes.
    private func keyStream(_ key: [UInt8], _ nonce: UInt64, count: Int) -> [UInt8] {
        let block = (0..<8).map { UInt8(truncatingIfNeeded: nonce >> (56 - 8 * $0)) }
        let zeros = [UInt8](repeating: 0, count: count)
        var stream = zeros
        var length: Int32 = 0
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let counter = block + [UInt8](repeating: 0, count: 8)
        unsafe EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, counter)
        unsafe EVP_EncryptUpdate(context, &stream, &length, zeros, Int32(count))
        return stream
    }
}
