package import Crypto

internal import FrameLayout

/// The key of one message, k_mac ‖ k_enc (smsenc-protocol(7), Chains and message keys).
///
/// Encrypting consumes the key, so code that uses a key twice does not compile.
package struct MessageKey: ~Copyable {
    /// Bytes in a message key: two keys of 32 bytes.
    package static let size = 64
    /// Positions of B, the symbols of a frame after the failsafe: text and next key (smsenc-protocol(7), The
    /// pad).
    private static let body = Frame.failsafe.upperBound..<Frame.length
    /// 125^6, the number of values that six symbols can have.
    private static let tagModulus: UInt128 = 3_814_697_265_625

    package let bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }

    /// Encrypts a frame and consumes the key.
    ///
    /// - Parameter symbols: a frame of 160 symbols, which becomes a ciphertext.
    /// - Returns: false if the ciphertext would not survive copying. The frame is then unchanged, so that the
    ///   caller can encrypt it with the next key.
    consuming func encrypt(
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

    /// Returns true if the ciphertext of a frame under this key would not survive copying. The sender
    /// discards such a key and uses the next one.
    borrowing func isUnusable(
        for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        var copy = SecretBytes(copying: frame)
        return copy.withMutableSpan { (symbols) in
            !MessageKey(stored: bytes.duplicate()).encrypt(&symbols, &cipher)
        }
    }

    /// Tries to decrypt a ciphertext. If the result is true, the message is genuine, and the caller must
    /// erase the key.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols, which becomes a frame if the key matches and is
    ///   unchanged otherwise.
    borrowing func decrypt(
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

    /// Generates the pad, P. The symbols begin with T, the first bytes of the initial counter block.
    private borrowing func makePad(_ symbols: Span<UInt8>, _ cipher: inout Cipher) {
        cipher.pads += 1
        var nonce: UInt64 = 0
        for index in Frame.failsafe { nonce = nonce << 8 | UInt64(symbols[index]) }
        cipher.stream.make(Self.body.count, key: bytes, keyOffset: 32, nonce: nonce << 16)
    }

    /// Returns the tag, s, an integer below 125^6.
    private borrowing func tag(of body: Span<UInt8>, _ cipher: inout Cipher) -> UInt64 {
        bytes.withSpan { cipher.mac.setKey($0.extracting(..<32)) }
        cipher.mac.update(body)
        return UInt64(truncatingIfNeeded: cipher.mac.finish().high % Self.tagModulus)
    }

    /// Adds s to the failsafe, which becomes T.
    private static func add(_ tag: UInt64, to symbols: inout MutableSpan<UInt8>) {
        var tag = tag
        for index in Frame.failsafe.reversed() {
            let sum = symbols[index] + UInt8(tag % 125)
            symbols[index] = sum >= 125 ? sum - 125 : sum
            tag /= 125
        }
    }

    /// Subtracts s from T. The result is the failsafe if the key matches.
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

/// A message key that has decrypted its message. Such a key can only be stored, which is done until the
/// message is written (smsenc-protocol(7), Stored state).
package final class SpentKey {
    package let bytes: SecretBytes

    init(_ key: consuming MessageKey) { bytes = key.bytes }

    init(copying key: borrowing MessageKey) { bytes = key.bytes.duplicate() }
}
