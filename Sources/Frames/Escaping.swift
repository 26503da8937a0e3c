internal import GSM7

/// The escaped form: `¤` and a symbol stand for a character that no symbol alone can stand for.
///
/// `¤` with the extension table's symbols is as there; the three below come on top of it.
enum Escaping {
    static let currency = symbol("¤")
    static let newline = symbol("n")
    static let space = symbol("_")

    /// Symbols that codes take, the spaces at their end as pairs.
    static func length(of codes: Span<UInt8>) -> Int {
        var length = 0
        for index in codes.indices { length += isPair(Code(rawValue: codes[index])) ? 2 : 1 }
        return length + codes.count - lengthWithoutTrailingSpaces(codes)
    }

    /// Appends the symbols of codes.
    static func write(_ codes: Span<UInt8>, to symbols: inout OutputSpan<UInt8>) {
        let end = lengthWithoutTrailingSpaces(codes)
        for index in 0..<end {
            let code = Code(rawValue: codes[index])
            if isPair(code) { symbols.append(currency) }
            symbols.append(code == .newline ? newline : code.symbol)
        }
        for _ in end..<codes.count {
            symbols.append(currency)
            symbols.append(space)
        }
    }

    /// Hands out a text field, the padding taken off: runs of symbols that stand for themselves, and
    /// what the pairs between them stand for.
    ///
    /// - Throws: `unknownPair`, `halfPair`, the column that in the frame.
    @inline(__always)
    static func read(
        _ text: Span<UInt8>, run: (Span<UInt8>) -> Void, pair: (Code) -> Void
    ) throws(FrameFault) {
        let end = lengthWithoutTrailingSpaces(text)
        let currency = currency
        var start = 0
        var index = 0
        while index < end {
            guard text[index] == currency else {
                index += 1
                while end - index >= chunk, !holds(currency, text, at: index) { index += chunk }
                continue
            }
            if start < index { run(text.extracting(start..<index)) }
            index += 1
            guard index < end else { throw .halfPair(column: Frame.text.lowerBound + index) }
            guard let code = code(after: text[index]) else {
                throw .unknownPair(
                    Alphabet.scalar(of: text[index]), column: Frame.text.lowerBound + index)
            }
            pair(code)
            index += 1
            start = index
        }
        if start < end { run(text.extracting(start..<end)) }
    }

    /// Throws what `read` throws.
    static func check(_ text: Span<UInt8>) throws(FrameFault) {
        try read(text, run: { _ in }, pair: { _ in })
    }

    static func lengthWithoutTrailingSpaces(_ symbols: Span<UInt8>) -> Int {
        let space = Alphabet.space
        var end = symbols.count
        while end >= chunk, isAll(space, symbols, at: end - chunk) { end -= chunk }
        while end > 0, symbols[end - 1] == space { end -= 1 }
        return end
    }

    /// Symbols looked at together: without a branch on each, the compiler makes vector instructions.
    private static let chunk = 16

    @inline(__always)
    private static func isAll(_ symbol: UInt8, _ symbols: Span<UInt8>, at start: Int) -> Bool {
        let part = symbols.extracting(start..<(start + chunk))
        var differences: UInt8 = 0
        for index in part.indices { differences |= part[index] ^ symbol }
        return differences == 0
    }

    @inline(__always)
    private static func holds(_ symbol: UInt8, _ symbols: Span<UInt8>, at start: Int) -> Bool {
        let part = symbols.extracting(start..<(start + chunk))
        var isThere: UInt8 = 0
        // Bit 7 is set where a difference of symbols, which are below 125, is nothing.
        for index in part.indices { isThere |= (part[index] ^ symbol) &- 1 }
        return isThere & 0x80 != 0
    }

    private static func isPair(_ code: Code) -> Bool {
        !code.isBasic || code.symbol == currency
    }

    private static func code(after symbol: UInt8) -> Code? {
        switch symbol {
        case currency: .basic(currency)
        case newline: .newline
        case space: .basic(Alphabet.space)
        default: ExtensionTable.scalar(of: symbol).map { _ in .extended(symbol) }
        }
    }
}
