internal import GSM7

/// What a frame's text field holds, which its failsafe names.
package enum Form: Equatable, CaseIterable, Sendable {
    /// `cos730`: the message as it is.
    case plain
    /// `cos731`: the message with `¤` beginning a pair.
    case escaped
    /// `cos732`: the message's UTF-8, six bytes in seven symbols.
    case packed

    /// The form that six symbols name, or nil where they are no failsafe.
    package init?(failsafe: Span<UInt8>) {
        guard failsafe.count == Frame.failsafe.count else { return nil }
        for (index, symbol) in Self.common.enumerated() where failsafe[index] != symbol {
            return nil
        }
        switch failsafe[Self.common.count] {
        case Form.plain.digit: self = .plain
        case Form.escaped.digit: self = .escaped
        case Form.packed.digit: self = .packed
        default: return nil
        }
    }

    /// Appends the failsafe's six symbols.
    package func write(to symbols: inout OutputSpan<UInt8>) {
        for symbol in Self.common { symbols.append(symbol) }
        symbols.append(digit)
    }

    /// `cos73`.
    private static let common: [UInt8] = [
        symbol("c"), symbol("o"), symbol("s"), symbol("7"), symbol("3"),
    ]

    private var digit: UInt8 {
        switch self {
        case .plain: symbol("0")
        case .escaped: symbol("1")
        case .packed: symbol("2")
        }
    }
}

/// The symbol of an ASCII letter, digit or `_`: the codes of the first two are those of ASCII, and
/// three smaller ones (LF, CR, ESC) have no symbol.
func symbol(_ character: Unicode.Scalar) -> UInt8 {
    Alphabet.symbol(of: character) ?? Alphabet.space
}
