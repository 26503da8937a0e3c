package import GSM7

extension Frame {
    /// Looks at a frame without unpacking it.
    ///
    /// - Throws: what `unpack` throws.
    package static func check(_ symbols: Span<UInt8>) throws(FrameFault) {
        switch try form(of: symbols) {
        case .plain: break
        case .escaped: try Escaping.check(symbols.extracting(text))
        case .packed:
            try withScratch(Packing.room) { (bytes) throws(FrameFault) in
                try Packing.unpack(symbols.extracting(text), into: &bytes)
            }
        }
    }

    /// Appends a frame's message, in NFC: at most `longestMessage` bytes, for which there is room.
    ///
    /// - Throws: `length`, `notSymbol`, `unknownForm`, `nextKeyNotBlank`; `unknownPair`, `halfPair`;
    ///   `groupOutOfRange`, `bytesAfterEnd`, `notUTF8`, `control`. Nothing is appended then.
    package static func unpack(
        _ symbols: Span<UInt8>, newline: Newline, into utf8: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        let form = try form(of: symbols)
        let field = symbols.extracting(text)
        switch form {
        case .plain:
            let end = Escaping.lengthWithoutTrailingSpaces(field)
            Alphabet.write(field.extracting(..<end), to: &utf8)
        case .escaped:
            try Escaping.check(field)
            try Escaping.read(
                field, run: { Alphabet.write($0, to: &utf8) },
                pair: { write($0, newline, to: &utf8) })
        case .packed:
            try withScratch(Packing.room) { (bytes) throws(FrameFault) in
                try Packing.unpack(field, into: &bytes)
                write(packed: bytes.span, newline, to: &utf8)
            }
        }
    }

    /// The form of 160 symbols that end in a blank next key.
    private static func form(of symbols: Span<UInt8>) throws(FrameFault) -> Form {
        guard symbols.count == length else { throw .length(symbols.count) }
        let (limit, space) = (UInt8(Alphabet.symbolCount), Alphabet.space)
        // A loop without an end in the middle is made vectors of.
        var highest: UInt8 = 0
        for index in symbols.indices { highest = max(highest, symbols[index]) }
        if highest >= limit, let column = symbols.indices.first(where: { symbols[$0] >= limit }) {
            throw .notSymbol(column: column + 1)
        }
        guard let form = Form(failsafe: symbols.extracting(failsafe)) else { throw .unknownForm }
        for index in nextKey where symbols[index] != space { throw .nextKeyNotBlank }
        return form
    }

    private static func write(
        _ code: Code, _ newline: Newline, to utf8: inout OutputSpan<UInt8>
    ) {
        if code == .newline {
            newline.write(to: &utf8)
        } else if code.isBasic {
            Alphabet.write(code.symbol, to: &utf8)
        } else {
            ExtensionTable.write(code.symbol, to: &utf8)
        }
    }

    /// Appends what was packed, which is valid UTF-8; another writer may not have brought it to NFC.
    private static func write(
        packed bytes: Span<UInt8>, _ newline: Newline, to utf8: inout OutputSpan<UInt8>
    ) {
        try? NormalText.read(bytes) { (text) throws(TextFault) in
            for index in text.indices {
                if text[index] == UInt8(ascii: "\n") {
                    newline.write(to: &utf8)
                } else {
                    utf8.append(text[index])
                }
            }
        }
    }
}
