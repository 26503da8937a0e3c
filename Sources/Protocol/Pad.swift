package import Primitives

internal import Frames

/// The numbers of the pad (PROTOCOL.md, section 5).
enum Pad {
    /// Symbols of a frame behind the failsafe: text and next key.
    static let bodyLength = Frame.length - failsafeLength
    static let failsafeLength = Frame.failsafe.count
    /// 125^6: as many values as a failsafe's pad can have.
    static let tagModulus: UInt64 = 3_814_697_265_625
}

/// The key of one message, k_mac ‖ k_enc (PROTOCOL.md, section 4).
///
/// Enciphering takes the key away: a second use does not compile.
package struct MessageKey: ~Copyable {
    /// Bytes: two keys of 32.
    package static let size = 64
    package let bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }

    /// Enciphers a frame and spends the key.
    ///
    /// - Parameters:
    ///   - frame: 160 symbols, next key included.
    ///   - ciphertext: room for 160 symbols.
    consuming func encipher(
        _ frame: Span<UInt8>, into ciphertext: inout MutableSpan<UInt8>, _ bench: inout Workbench
    ) throws(CryptoError) {
        var tag = tag(of: frame.extracting(Pad.failsafeLength...), &bench)
        for index in (0..<Pad.failsafeLength).reversed() {
            ciphertext[index] = Self.sum(frame[index], Self.lastDigit(of: &tag))
        }
        try fillPad(nonce: ciphertext.span.extracting(..<Pad.failsafeLength), &bench)
        bench.pad.withSpan { pad in
            for index in pad.indices {
                let place = Pad.failsafeLength + index
                ciphertext[place] = Self.sum(frame[place], pad[index])
            }
        }
    }

    /// Tries the key on a ciphertext: true when the message is genuine, and then the key is spent
    /// and must go.
    ///
    /// - Parameters:
    ///   - ciphertext: 160 symbols.
    ///   - frame: room for 160 symbols; it holds nothing of meaning when the key does not fit.
    borrowing func opens(
        _ ciphertext: Span<UInt8>, into frame: inout MutableSpan<UInt8>, _ bench: inout Workbench
    ) throws(CryptoError) -> Bool {
        try fillPad(nonce: ciphertext.extracting(..<Pad.failsafeLength), &bench)
        bench.pad.withSpan { pad in
            for index in pad.indices {
                let place = Pad.failsafeLength + index
                frame[place] = Self.difference(ciphertext[place], pad[index])
            }
        }
        var tag = tag(of: frame.span.extracting(Pad.failsafeLength...), &bench)
        for index in (0..<Pad.failsafeLength).reversed() {
            frame[index] = Self.difference(ciphertext[index], Self.lastDigit(of: &tag))
        }
        return Form(failsafe: frame.span.extracting(Frame.failsafe)) != nil
    }

    private borrowing func fillPad(
        nonce: Span<UInt8>, _ bench: inout Workbench
    ) throws(CryptoError) {
        try bench.pad.withMutableSpan { (pad) throws(CryptoError) in
            try bench.stream.fill(&pad, key: bytes, keyOffset: 32, nonce: nonce)
        }
    }

    /// s of section 5, as an integer below 125^6.
    private borrowing func tag(of body: Span<UInt8>, _ bench: inout Workbench) -> UInt64 {
        bytes.withSpan { bench.mac.setKey($0.extracting(..<32)) }
        bench.mac.update(body)
        return bench.mac.finish(modulo: Pad.tagModulus)
    }

    /// Takes the least significant base-125 digit off.
    private static func lastDigit(of tag: inout UInt64) -> UInt8 {
        defer { tag /= 125 }
        return UInt8(tag % 125)
    }

    private static func sum(_ one: UInt8, _ other: UInt8) -> UInt8 {
        let sum = one + other
        return sum >= 125 ? sum - 125 : sum
    }

    private static func difference(_ one: UInt8, _ other: UInt8) -> UInt8 {
        one >= other ? one - other : one + 125 - other
    }
}

/// A message key that has deciphered its message. All it is good for is to be stored until the
/// message is written (section 7).
package struct SpentKey: ~Copyable {
    package let bytes: SecretBytes

    init(_ key: borrowing MessageKey) { bytes = key.bytes.duplicate() }
}
