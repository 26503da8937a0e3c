internal import System

/// Decodes and encodes runs of the most common characters, which are the characters from space to `Z` and
/// from `a` to `z`.
///
/// The most common characters are basic characters in ASCII. The symbol of a common character is its ASCII
/// code minus 3, except for `$` and `@`. Runs are processed in blocks, and the compiler vectorises the
/// loop over each block.
enum PlainRun {
    /// Number of bytes in a block, which is the size of a vector register.
    static let block = 16
    /// Difference between a character's ASCII code and its symbol.
    private static let shift: UInt8 = 3

    /// Returns the length of the run that begins at offset `start`. A run consists of whole blocks, unless
    /// the text ends within a block.
    static func length(_ utf8: Span<UInt8>, from start: Int) -> Int {
        length(utf8, from: start) { $0 }
    }

    /// Returns the length of the run of symbols that begins at offset `start`. A run consists of whole
    /// blocks, unless the text ends within a block. A run of symbols does not include the characters `$`
    /// and `@`.
    static func length(ofSymbols symbols: Span<UInt8>, from start: Int) -> Int {
        // The shift would change the symbols of `¤` and `¡` to `$` and `@`.
        length(symbols, from: start) {
            $0 == dollar &- shift || $0 == at &- shift ? 0 : $0 &+ shift
        }
    }

    @inline(__always)
    private static func length(
        _ bytes: Span<UInt8>, from start: Int, _ change: (UInt8) -> UInt8
    ) -> Int {
        let last = bytes.count - block
        var end = start
        while end <= last {
            let areAll = isPlain(bytes.extracting(end..<(end &+ block)), change)
            guard areAll else { return end - start }
            end &+= block
        }
        // The last block ends at the end of the text, so it may overlap the block before it.
        if last >= 0, isPlain(bytes.extracting(last...), change) { end = bytes.count }
        return end - start
    }

    /// Appends the symbols of a run. `symbols` must have enough room for the whole run.
    @_lifetime(symbols: copy symbols)
    static func decode(_ run: Span<UInt8>, into symbols: inout OutputSpan<UInt8>) {
        symbols.append(run) { $0 == dollar ? 2 : $0 == at ? 0 : $0 &- shift }
    }

    /// Appends the bytes of a run of symbols. `utf8` must have enough room for the whole run.
    @_lifetime(utf8: copy utf8)
    static func write(_ symbols: Span<UInt8>, to utf8: inout OutputSpan<UInt8>) {
        utf8.append(symbols) { $0 &+ shift }
    }

    private static let dollar = UInt8(ascii: "$")
    private static let at = UInt8(ascii: "@")

    /// Returns true if `change` maps all bytes to common characters.
    ///
    /// Bit 7 contains the result of each comparison. Adding 0x80 − bound to a byte sets bit 7 if the byte
    /// is at least bound. The loop has no branches, so the compiler vectorises it. Comparisons in a
    /// vectorised loop are ten times faster than a look-up table.
    @inline(__always)
    private static func isPlain(_ bytes: Span<UInt8>, _ change: (UInt8) -> UInt8) -> Bool {
        var others: UInt8 = 0
        for index in bytes.indices {
            let byte = change(bytes[index])
            let (fromSpace, fromBracket) = (byte &+ (0x80 - 0x20), byte &+ (0x80 - 0x5B))
            let (fromSmall, fromBrace) = (byte &+ (0x80 - 0x61), byte &+ (0x80 - 0x7B))
            let upper = fromSpace & ~fromBracket
            let lower = fromSmall & ~fromBrace
            others |= byte | ~(upper | lower)
        }
        return others & 0x80 == 0
    }
}
