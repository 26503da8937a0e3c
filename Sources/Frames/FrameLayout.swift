package import GSM7

extension Frame {
    /// Appends the 160 symbols of a message's frame, its next key blank. `symbols` has that much room.
    ///
    /// - Parameters:
    ///   - message: UTF-8, in NFC or not.
    ///   - packing: a message with characters that are not GSM goes packed; otherwise it is refused.
    ///     One of GSM characters never does.
    /// - Throws: `text`, `tooLong`, `tooLongPacked`. Nothing is appended then.
    package static func layOut(
        _ message: Span<UInt8>, packing: Bool, newline: Newline,
        into symbols: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        let start = symbols.count
        Form.plain.write(to: &symbols)
        do throws(FrameFault) {
            let tally = try readCodes(message, packing, newline, into: &symbols)
            if let tally, !fitsPlain(tally, symbols.span) {
                try escape(message, tally, newline, in: &symbols)
            } else if tally == nil {
                try pack(message, newline, in: &symbols)
            }
        } catch {
            symbols.removeLast(symbols.count - start)
            throw error
        }
        let space = Alphabet.space
        while symbols.count < start + length { symbols.append(space) }
    }

    /// Appends the codes of a message; nil where it is to be packed.
    private static func readCodes(
        _ message: Span<UInt8>, _ packing: Bool, _ newline: Newline,
        into symbols: inout OutputSpan<UInt8>
    ) throws(FrameFault) -> Code.Tally? {
        do throws(TextFault) {
            return try Code.read(
                message, into: &symbols, atMost: text.count, accepting: .all(newline))
        } catch {
            if packing { return nil }
            throw .text(error)
        }
    }

    /// True when the codes appended are the plain form's symbols.
    private static func fitsPlain(_ tally: Code.Tally, _ symbols: Span<UInt8>) -> Bool {
        tally.isBasic && tally.characters <= text.count
            && symbols[symbols.count - 1] != Alphabet.space
    }

    /// Puts the escaped form in the place of the plain form's failsafe and of the codes.
    private static func escape(
        _ message: Span<UInt8>, _ tally: Code.Tally, _ newline: Newline,
        in symbols: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        guard tally.characters <= text.count else {
            throw .tooLong(symbols: try symbolsNeeded(message, tally, newline))
        }
        try withScratch(text.count) { (codes) throws(FrameFault) in
            for index in (symbols.count - tally.characters)..<symbols.count {
                codes.append(symbols.span[index])
            }
            let needed = Escaping.length(of: codes.span)
            guard needed <= text.count else { throw .tooLong(symbols: needed) }
            symbols.removeLast(tally.characters + failsafe.count)
            Form.escaped.write(to: &symbols)
            Escaping.write(codes.span, to: &symbols)
        }
    }

    /// How long the text field would have to be.
    private static func symbolsNeeded(
        _ message: Span<UInt8>, _ tally: Code.Tally, _ newline: Newline
    ) throws(FrameFault) -> Int {
        if tally.isBasic, Load.trailingSpaces(message) == 0 { return tally.characters }
        do throws(TextFault) {
            return try NormalText.read(message) { (text) throws(TextFault) in
                Load(text, newline: newline).symbols
            }
        } catch {
            throw .text(error)
        }
    }

    /// Puts the packed form in the place of the plain form's failsafe.
    private static func pack(
        _ message: Span<UInt8>, _ newline: Newline, in symbols: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        var bytes = 0
        do throws(TextFault) {
            try NormalText.read(message) { (text) throws(TextFault) in
                try PackedText.read(text, newline: newline) { _ in bytes += 1 }
                guard bytes <= Packing.room else { return }
                symbols.removeLast(failsafe.count)
                Form.packed.write(to: &symbols)
                var packer = Packing.Packer()
                try PackedText.read(text, newline: newline) { (byte) in
                    packer.add(byte, to: &symbols)
                }
                packer.finish(to: &symbols)
            }
        } catch {
            throw .text(error)
        }
        guard bytes <= Packing.room else { throw .tooLongPacked(bytes: bytes) }
    }
}
