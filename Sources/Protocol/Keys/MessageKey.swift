package import Crypto

internal import FrameLayout

/// The key of one message, k_mac ‖ k_enc (smsenc(7), Chains and message keys).
///
/// Enciphering takes the key away: a second use does not compile.
package struct MessageKey: ~Copyable {
    /// Bytes: two keys of 32.
    package static let size = 64
    /// B: the symbols of a frame after the failsafe, text and next key (smsenc(7), The pad).
    private static let body = Frame.failsafe.upperBound..<Frame.length
    /// 125^6: as many values as a failsafe's pad can have.
    private static let tagModulus: UInt128 = 3_814_697_265_625

    package let bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }

    /// Enciphers a frame and spends the key.
    ///
    /// - Parameter symbols: 160, a frame; a ciphertext afterwards.
    /// - Returns: false when the ciphertext would not survive copying; then the frame is there
    ///   as before, for the next key.
    consuming func encipher(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        let tag = tag(of: symbols.span.extracting(Self.body), &cipher)
        Self.add(tag, to: &symbols)
        makePad(symbols.span, &cipher)
        cipher.stream.add(to: &symbols, from: Self.body.lowerBound)
        if Ciphertext.survivesCopying(symbols.span) { return true }
        cipher.stream.subtract(from: &symbols, from: Self.body.lowerBound)
        Self.put(Self.failsafe(of: symbols.span, tag), into: &symbols)
        return false
    }

    /// True when a frame would not survive copying under this key: who sent it threw the key away.
    borrowing func spoils(
        _ frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        var copy = SecretBytes(copying: frame)
        return copy.withMutableSpan { (symbols) in
            !MessageKey(stored: bytes.duplicate()).encipher(&symbols, &cipher)
        }
    }

    /// Tries the key on a ciphertext: true when the message is genuine, and then the key is spent
    /// and must go.
    ///
    /// - Parameter symbols: 160, a ciphertext; a frame afterwards when the key fits, else as before.
    borrowing func opens(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        makePad(symbols.span, &cipher)
        cipher.stream.subtract(from: &symbols, from: Self.body.lowerBound)
        let tag = tag(of: symbols.span.extracting(Self.body), &cipher)
        let failsafe = Self.failsafe(of: symbols.span, tag)
        if Form(named: failsafe.span) != nil {
            Self.put(failsafe, into: &symbols)
            return true
        }
        cipher.stream.add(to: &symbols, from: Self.body.lowerBound)
        return false
    }

    /// The pad, P, for symbols that begin with T, the first bytes of the initial counter block.
    private borrowing func makePad(_ symbols: Span<UInt8>, _ cipher: inout Cipher) {
        cipher.pads += 1
        var nonce: UInt64 = 0
        for index in Frame.failsafe { nonce = nonce << 8 | UInt64(symbols[index]) }
        cipher.stream.make(Self.body.count, key: bytes, keyOffset: 32, nonce: nonce << 16)
    }

    /// The tag, s, as an integer below 125^6.
    private borrowing func tag(of body: Span<UInt8>, _ cipher: inout Cipher) -> UInt64 {
        bytes.withSpan { cipher.mac.setKey($0.extracting(..<32)) }
        cipher.mac.update(body)
        return UInt64(truncatingIfNeeded: cipher.mac.finish().high % Self.tagModulus)
    }

    /// Adds s to the failsafe, which gives T.
    private static func add(_ tag: UInt64, to symbols: inout MutableSpan<UInt8>) {
        var tag = tag
        for index in Frame.failsafe.reversed() {
            let sum = symbols[index] + UInt8(tag % 125)
            symbols[index] = sum >= 125 ? sum - 125 : sum
            tag /= 125
        }
    }

    /// T less s, which is the failsafe if the key fits.
    private static func failsafe(of symbols: Span<UInt8>, _ tag: UInt64) -> InlineArray<6, UInt8> {
        var tag = tag
        var failsafe = InlineArray<6, UInt8>(repeating: 0)
        for index in Frame.failsafe.reversed() {
            let (symbol, digit) = (symbols[index], UInt8(tag % 125))
            failsafe[index] = symbol >= digit ? symbol - digit : symbol + 125 - digit
            tag /= 125
        }
        return failsafe
    }

    private static func put(
        _ failsafe: InlineArray<6, UInt8>, into symbols: inout MutableSpan<UInt8>
    ) {
        for index in Frame.failsafe { symbols[index] = failsafe[index] }
    }
}

/// A message key that has deciphered its message. All it is good for is to be stored until the
/// message is written (smsenc(7), State on disk).
package final class SpentKey {
    package let bytes: SecretBytes

    init(_ key: consuming MessageKey) { bytes = key.bytes }

    init(copying key: borrowing MessageKey) { bytes = key.bytes.duplicate() }
}
