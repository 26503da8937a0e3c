package import GSM7

/// An encoding of the 144 symbols of a frame's text field.
///
/// A message is encoded in the form `plain` if it fits, and otherwise in the form `compressed`. Only
/// smsenc-pad writes and reads the form `receipt`. The target Frames implements each form in a separate
/// file.
package enum Form: String, CaseIterable, Sendable {
    case plain, compressed
    /// The text field contains a receipt, and usually a compressed message.
    case receipt

    package var name: String { rawValue }

    /// The digit at the end of the form's failsafe.
    package var digit: Unicode.Scalar {
        switch self {
        case .plain: "0"
        case .compressed: "1"
        case .receipt: "2"
        }
    }
}

/// The failsafe of a form. A failsafe is the first six symbols of a frame, and identifies the form.
extension Form {
    /// First five characters of every failsafe. The sixth character of a failsafe is the digit that
    /// identifies the form.
    private static let prefix = "cos73"
    private static let prefixSymbols = prefix.unicodeScalars.map { Alphabet.knownSymbol(of: $0) }

    /// The failsafe as text.
    package var failsafe: String { Self.prefix + String(digit) }

    /// Parses a failsafe. Returns nil if the symbols are not a failsafe.
    package init?(named failsafe: Span<UInt8>) {
        let prefix = Self.prefixSymbols
        guard failsafe.count == Frame.failsafe.count else { return nil }
        for (index, symbol) in prefix.enumerated() where failsafe[index] != symbol { return nil }
        let digit = Alphabet.scalar(of: failsafe[prefix.count])
        guard let form = Self.allCases.first(where: { $0.digit == digit }) else { return nil }
        self = form
    }

    @_lifetime(symbols: copy symbols)
    package func writeFailsafe(to symbols: inout OutputSpan<UInt8>) {
        for symbol in Self.prefixSymbols { symbols.append(symbol) }
        symbols.append(Alphabet.knownSymbol(of: digit))
    }
}

extension Alphabet {
    /// Returns the symbol of a character of the basic alphabet.
    package static func knownSymbol(of scalar: Unicode.Scalar) -> UInt8 {
        guard let symbol = symbol(of: scalar) else { fatalError("every caller names a basic one") }
        return symbol
    }
}
