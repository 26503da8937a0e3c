internal import System

/// Runs of the commonest characters: space to `Z` and `a` to `z`, each one byte of ASCII and a basic
/// character. But for `$` and `@`, the symbol is the byte less three. They are gone over in blocks.
enum PlainRun {
    /// Bytes that are looked at together: those of a vector register.
    static let block = 16
    /// From a symbol to its byte.
    private static let shift: UInt8 = 3

    /// The length of a run, as far as it fills blocks or reaches the end.
    static func length(_ utf8: Span<UInt8>, from start: Int) -> Int {
        let last = utf8.count - block
        var end = start
        while end <= last {
            let areAll = isPlain(utf8.extracting(end..<(end &+ block))) { $0 }
            guard areAll else { return end - start }
            end &+= block
        }
        // The last block overlaps the one before it.
        if last >= 0, isPlain(utf8.extracting(last...), { $0 }) { end = utf8.count }
        return end - start
    }

    /// True where all symbols are of such characters other than `$` and `@`.
    static func holds(_ symbols: Span<UInt8>) -> Bool {
        // What would become `$` and `@` is `¤` and `¡`.
        isPlain(symbols) { $0 == dollar &- shift || $0 == at &- shift ? 0 : $0 &+ shift }
    }

    /// Appends the symbols of a run, for which there is room.
    @_lifetime(symbols: copy symbols)
    static func decode(_ run: Span<UInt8>, into symbols: inout OutputSpan<UInt8>) {
        symbols.append(run) { $0 == dollar ? 2 : $0 == at ? 0 : $0 &- shift }
    }

    /// Appends the bytes of symbols that are of such characters, for which there is room.
    @_lifetime(utf8: copy utf8)
    static func write(_ symbols: Span<UInt8>, to utf8: inout OutputSpan<UInt8>) {
        utf8.append(symbols) { $0 &+ shift }
    }

    private static let dollar = UInt8(ascii: "$")
    private static let at = UInt8(ascii: "@")

    /// Each test answers in bit 7: adding 0x80 − bound sets it exactly for bytes ≥ bound. Without
    /// branches the compiler vectorises the loop; a table is ten times slower.
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
