package import Crypto

/// Why what was typed is no sync key.
package enum SyncKeyFault: Error, Equatable {
    /// It has this many characters where ten are expected.
    case length(Int)
    /// A character that the alphabet does not have, at this place counted from 1.
    case character(Int)
    /// The check symbol does not agree: a mistake in copying.
    case check
}

/// A sync key: ten characters of Crockford's base 32, the last a check symbol (smsenc(7),
/// Sync keys).
package struct SyncKey: ~Copyable {
    /// Characters in a sync key.
    package static let length = 10

    /// The canonical form: ten ASCII bytes.
    package let bytes: SecretBytes

    /// Draws a new one: 45 random bits.
    package static func generate() throws(CryptoError) -> SyncKey {
        let symbols = try Random.symbols(length - 1, below: 32)
        var bytes = SecretBytes(count: length)
        symbols.withSpan { symbols in
            bytes.withMutableSpan { bytes in
                for index in symbols.indices {
                    bytes[index] = Base32.alphabet[Int(symbols[index])]
                }
                bytes[length - 1] = Base32.alphabet[Int(checkSymbol(of: symbols))]
            }
        }
        return SyncKey(bytes: bytes)
    }

    private init(bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Reads what somebody typed: ASCII case, hyphens and spaces do not matter.
    package init(reading text: Span<UInt8>) throws(SyncKeyFault) {
        var values = SecretBytes(count: Self.length)
        var count = 0
        for index in text.indices where !Base32.isSeparator(text[index]) {
            guard let value = Base32.value(of: text[index]) else {
                throw .character(count + 1)
            }
            if count < Self.length {
                let place = count
                values.withMutableSpan { $0[place] = value }
            }
            count += 1
        }
        guard count == Self.length else { throw .length(count) }
        guard values.withSpan({ Self.checkSum(of: $0) }) == 0 else { throw .check }
        values.withMutableSpan { values in
            for index in values.indices { values[index] = Base32.alphabet[Int(values[index])] }
        }
        bytes = values
    }

    /// Takes a stored canonical form.
    ///
    /// - Throws: `Broken` for what is none.
    package init(stored: consuming SecretBytes) throws(Broken) {
        do throws(SyncKeyFault) {
            self = try stored.withSpan { (text) throws(SyncKeyFault) in
                try SyncKey(reading: text)
            }
        } catch {
            throw Broken()
        }
    }

    /// As it is shown: `XXXXX-XXXXX`.
    package borrowing func withShownForm<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var shown = SecretBytes(count: Self.length + 1)
        bytes.withSpan { bytes in
            shown.withMutableSpan { shown in
                for index in 0..<5 {
                    shown[index] = bytes[index]
                    shown[index + 6] = bytes[index + 5]
                }
                shown[5] = UInt8(ascii: "-")
            }
        }
        try shown.withSpan(body)
    }

    package borrowing func duplicate() -> SyncKey { SyncKey(bytes: bytes.duplicate()) }

    package static func == (one: borrowing SyncKey, other: borrowing SyncKey) -> Bool {
        one.bytes == other.bytes
    }

    /// The symbol that makes the sum of αⁱ·sᵢ zero.
    private static func checkSymbol(of symbols: Span<UInt8>) -> UInt8 {
        var symbol = checkSum(of: symbols)
        // α³¹ = 1, so the sum divided by α⁹ is the sum times α²².
        for _ in 0..<(31 - (length - 1)) { symbol = timesAlpha(symbol) }
        return symbol
    }

    /// Σ αⁱ·sᵢ in GF(2⁵), by Horner's rule.
    private static func checkSum(of symbols: Span<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for index in symbols.indices.reversed() { sum = timesAlpha(sum) ^ symbols[index] }
        return sum
    }

    /// Multiplies by α = 2 modulo x⁵ + x² + 1.
    private static func timesAlpha(_ value: UInt8) -> UInt8 {
        value & 0x10 == 0 ? value << 1 : (value << 1 & 0x1F) ^ 0x05
    }
}
