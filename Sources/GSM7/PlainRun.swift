internal import System

/// Handles runs of the most common characters, which are space to `Z` and `a` to `z`.
///
/// Each is a basic character and one byte of ASCII. Its symbol is the byte minus 3, except for `$` and `@`.
/// Runs are processed in blocks, which the compiler vectorises.
enum PlainRun {
    /// Number of bytes in a block, which is the size of a vector register.
    static let block = 16
    /// The difference between a byte and its symbol.
    private static let shift: UInt8 = 3

    /// Returns the length of the run at `start` of a text. It is a multiple of `block`, unless the run reaches
    /// the end of the text.
    static func length(_ utf8: Span<UInt8>, from start: Int) -> Int {
        length(utf8, from: start) { $0 }
    }

    /// Returns the length of the run at `start` of a text in symbols. It is a multiple of `block`, unless the
    /// run reaches the end of the text. The characters `$` and `@` are not part of this run.
    static func length(ofSymbols symbols: Span<UInt8>, from start: Int) -> Int {
        // The symbols that would become `$` and `@` are `¤` and `¡`.
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
        // The last block overlaps the previous one.
        if last >= 0, isPlain(bytes.extracting(last...), change) { end = bytes.count }
        return end - start
    }

    /// Appends the symbols of a run. There must be space for them.
    @_lifetime(symbols: copy symbols)
    static func decode(_ run: Span<UInt8>, into symbols: inout OutputSpan<UInt8>) {
        symbols.append(run) { $0 == dollar ? 2 : $0 == at ? 0 : $0 &- shift }
    }

    /// Appends the bytes of a run of symbols. There must be space for them.
    @_lifetime(utf8: copy utf8)
    static func write(_ symbols: Span<UInt8>, to utf8: inout OutputSpan<UInt8>) {
        utf8.append(symbols) { $0 &+ shift }
    }

    private static let dollar = UInt8(ascii: "$")
    private static let at = UInt8(ascii: "@")

    /// Returns true if all bytes are common characters after `change`.
    ///
    /// Bit 7 is the result of each comparison. After adding 0x80 − bound, it is set if the byte is ≥ bound.
    /// The compiler vectorises the loop because it has no branches. A look-up table is ten times slower.
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
