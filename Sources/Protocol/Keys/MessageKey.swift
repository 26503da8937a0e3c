package import Crypto

internal import FrameLayout

/// The key of a single message, which consists of k_mac and k_enc (smsenc-protocol(7), Chains and message
/// keys).
///
/// Encrypting a message consumes the key, so code that uses a key twice does not compile.
package struct MessageKey: ~Copyable {
    /// Number of bytes in a message key, which consists of two 32-byte keys.
    package static let size = 64
    /// Indices of the symbols after the failsafe, which contain the text and the next key of a frame. The
    /// symbols after the failsafe are called B in smsenc-protocol(7), The pad.
    private static let body = Frame.failsafe.upperBound..<Frame.length
    /// Number of possible values of six symbols (125^6).
    private static let tagModulus: UInt128 = 3_814_697_265_625

    package let bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }

    /// Encrypts a frame, and consumes the key.
    ///
    /// If copying could change the ciphertext, the frame remains unchanged and the function returns false. If
    /// the result is false, the caller can encrypt the frame with the next message key.
    ///
    /// - Parameter symbols: a frame of 160 symbols, which is replaced with the ciphertext.
    consuming func encrypt(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        let tag = tag(of: symbols.span.extracting(Self.body), &cipher)
        Self.add(tag, times: 1, to: &symbols)
        makePad(symbols.span, &cipher)
        cipher.stream.add(to: &symbols, from: Self.body.lowerBound)
        if Ciphertext.survivesCopying(symbols.span) { return true }
        cipher.stream.subtract(from: &symbols, from: Self.body.lowerBound)
        Self.add(tag, times: -1, to: &symbols)
        return false
    }

    /// Returns true if this key is unusable for a frame, because the ciphertext would not survive copying.
    /// The sender discards an unusable key and uses the next message key.
    borrowing func isUnusable(
        for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        var copy = SecretBytes(copying: frame)
        return copy.withMutableSpan { (symbols) in
            !MessageKey(stored: bytes.duplicate()).encrypt(&symbols, &cipher)
        }
    }

    /// Tries to decrypt a ciphertext. If this function returns true, the message is genuine, and the
    /// caller must erase the key.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols, which is replaced with the frame if the key matches.
    ///   If the key does not match, the ciphertext remains unchanged.
    borrowing func decrypt(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        makePad(symbols.span, &cipher)
        cipher.stream.subtract(from: &symbols, from: Self.body.lowerBound)
        let tag = tag(of: symbols.span.extracting(Self.body), &cipher)
        Self.add(tag, times: -1, to: &symbols)
        if Form(named: symbols.span.extracting(Frame.failsafe)) != nil { return true }
        Self.add(tag, times: 1, to: &symbols)
        cipher.stream.add(to: &symbols, from: Self.body.lowerBound)
        return false
    }

    /// Generates the pad P. The initial counter block begins with T, which is the first six symbols of the
    /// ciphertext.
    private borrowing func makePad(_ symbols: Span<UInt8>, _ cipher: inout Cipher) {
        cipher.pads += 1
        var nonce: UInt64 = 0
        for index in Frame.failsafe { nonce = nonce << 8 | UInt64(symbols[index]) }
        cipher.stream.make(Self.body.count, key: bytes, keyOffset: 32, nonce: nonce << 16)
    }

    /// Returns the tag s, which is an integer below 125^6.
    private borrowing func tag(of body: Span<UInt8>, _ cipher: inout Cipher) -> UInt64 {
        bytes.withSpan { cipher.mac.setKey($0.extracting(..<32)) }
        cipher.mac.update(body)
        return UInt64(truncatingIfNeeded: cipher.mac.finish().high % Self.tagModulus)
    }

    /// Adds the tag s to the first six symbols, or subtracts it from them. The sum of the failsafe and the
    /// tag is T, the beginning of the ciphertext. If the key matches, the difference of T and the tag is one
    /// of the failsafes (smsenc-protocol(7), Frames).
    ///
    /// - Parameter factor: 1 to add the tag, or -1 to subtract it.
    private static func add(
        _ tag: UInt64, times factor: Int, to symbols: inout MutableSpan<UInt8>
    ) {
        var tag = tag
        for index in Frame.failsafe.reversed() {
            let digit = UInt8(tag % 125)
            let sum = symbols[index] + (factor > 0 ? digit : 125 - digit)
            symbols[index] = sum >= 125 ? sum - 125 : sum
            tag /= 125
        }
    }
}

/// A message key that was taken from a chain without encrypting a message, and its position. A `SpentKey` has
/// no method that encrypts. If the key has decrypted a message, it is stored until the message has been
/// written (smsenc-protocol(7), Stored state).
package final class SpentKey {
    /// Number of bytes in a stored key.
    package static let size = KeyPosition.size + MessageKey.size

    package let key: MessageKey
    package let position: KeyPosition

    init(_ key: consuming MessageKey, at position: KeyPosition) {
        self.key = key
        self.position = position
    }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        position = try KeyPosition(from: &record)
        key = MessageKey(stored: try record.secret(MessageKey.size))
    }

    package func write(to record: inout SecretWriter) {
        position.write(to: &record)
        record.put(key.bytes)
    }

    /// Tries to decrypt a message again with this key. If the key matches, returns true and replaces the
    /// ciphertext with the frame. Spaces replace the next key in the frame.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols.
    package func opensAgain(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        guard key.decrypt(&symbols, &cipher) else { return false }
        Conversation.blankNextKey(&symbols)
        return true
    }
}
