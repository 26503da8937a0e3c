package import Crypto

/// The reason why a text is not a valid sync key.
package enum SyncKeyFault: Error, Equatable {
    /// The sync key does not have ten characters. The value is the number of its characters.
    case length(Int)
    /// The sync key contains a character that is not in the alphabet. The value is the position of the
    /// character, beginning with 1.
    case character(Int)
    /// The check symbol is wrong, so the sync key was not copied correctly.
    case check
}

/// A sync key, which consists of ten characters of Crockford's Base32. The last character is a check
/// symbol (smsenc-protocol(7), Sync keys).
package struct SyncKey: ~Copyable {
    /// Number of characters in a sync key.
    package static let length = 10

    /// The canonical form, which consists of ten ASCII bytes without a hyphen.
    package let bytes: SecretBytes

    /// Generates a sync key from 45 random bits.
    package static func generate() throws(CryptoError) -> SyncKey {
        let symbols = try Random.symbols(length - 1, below: 32)
        var bytes = SecretWriter(capacity: length)
        symbols.withSpan { symbols in
            for index in symbols.indices { bytes.put(Base32.alphabet[Int(symbols[index])]) }
            bytes.put(Base32.alphabet[Int(checkSymbol(of: symbols))])
        }
        return SyncKey(stored: bytes.finish())
    }

    /// Parses a sync key that a user typed. ASCII case, hyphens and white space are ignored.
    package init(reading text: Span<UInt8>) throws(SyncKeyFault) {
        var values = SecretWriter(capacity: Self.length)
        var count = 0
        for index in text.indices where !Base32.isSeparator(text[index]) {
            guard let value = Base32.value(of: text[index]) else {
                throw .character(count + 1)
            }
            if count < Self.length { values.put(value) }
            count += 1
        }
        guard count == Self.length else { throw .length(count) }
        var symbols = values.finish()
        guard symbols.withSpan({ Self.checkSum(of: $0) }) == 0 else { throw .check }
        symbols.withMutableSpan { symbols in
            for index in symbols.indices { symbols[index] = Base32.alphabet[Int(symbols[index])] }
        }
        bytes = symbols
    }

    /// Creates a sync key from its stored canonical form.
    package init(stored bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Formats the sync key for display, as `XXXXX-XXXXX`, and passes the result to `body`.
    package borrowing func withShownForm<Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var shown = SecretWriter(capacity: Self.length + 1)
        bytes.withSpan { bytes in
            shown.put(bytes.extracting(..<5))
            shown.put(UInt8(ascii: "-"))
            shown.put(bytes.extracting(5...))
        }
        try shown.finish().withSpan(body)
    }

    package borrowing func duplicate() -> SyncKey { SyncKey(stored: bytes.duplicate()) }

    package static func == (one: borrowing SyncKey, other: borrowing SyncKey) -> Bool {
        one.bytes == other.bytes
    }

    /// Returns the check symbol. The check symbol is chosen so that the sum of αⁱ·sᵢ over all symbols is
    /// zero.
    private static func checkSymbol(of symbols: Span<UInt8>) -> UInt8 {
        var symbol = checkSum(of: symbols)
        // Multiplying by α²² is the same as dividing by α⁹, because α³¹ = 1.
        for _ in 0..<(31 - (length - 1)) { symbol = timesAlpha(symbol) }
        return symbol
    }

    /// Returns Σ αⁱ·sᵢ in GF(2⁵), computed by Horner's rule.
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
