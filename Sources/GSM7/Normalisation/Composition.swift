/// Normalises text to Normalization Form C (UAX #15). This type has its own tables, because the tables of
/// the standard library are not public.
struct Composition: Sendable {
    static let shared = Composition()

    /// A code point of a decomposed text, and its canonical combining class.
    private struct Part {
        let scalar: Unicode.Scalar
        let combiningClass: UInt8
    }

    /// Decompositions, sorted by code point. If a code point decomposes into a single code point, its
    /// decomposition has no second part.
    private var decompositions:
        [(whole: Unicode.Scalar, first: Unicode.Scalar, second: Unicode.Scalar?)] =
            []
    /// Compositions, sorted by `pair`. `pair` contains the two code points that are composed.
    private var compositions: [(pair: UInt64, whole: Unicode.Scalar)] = []

    private init() {
        Self.read(DecompositionTable.pairs, inPairs: true) { (whole, first, second) in
            decompositions.append((whole, first, second))
            if let second { compositions.append((Self.pair(first, second), whole)) }
        }
        for (table, inPairs) in [
            (DecompositionTable.excludedPairs, true), (DecompositionTable.singletons, false),
        ] {
            Self.read(table, inPairs: inPairs) { decompositions.append(($0, $1, $2)) }
        }
        decompositions.sort { $0.whole < $1.whole }
        compositions.sort { $0.pair < $1.pair }
    }

    /// Returns a text in Normalization Form C.
    func normalise(_ text: some Collection<Unicode.Scalar>) -> [Unicode.Scalar] {
        var parts: [Part] = []
        parts.reserveCapacity(2 * text.count)
        for scalar in text { decompose(scalar, into: &parts) }
        sortMarks(&parts)
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(parts.count)
        var starter: Int?
        var lastClass: UInt8 = 0
        for part in parts {
            if let starter, starter == result.count - 1 || lastClass < part.combiningClass,
                let whole = composition(of: result[starter], part.scalar)
            {
                result[starter] = whole
                continue
            }
            if part.combiningClass == 0 { starter = result.count }
            lastClass = part.combiningClass
            result.append(part.scalar)
        }
        return result
    }

    /// Appends the full decomposition of a code point.
    private func decompose(_ scalar: Unicode.Scalar, into parts: inout [Part]) {
        if let (first, second) = Hangul.decomposition(of: scalar) ?? decomposition(of: scalar) {
            decompose(first, into: &parts)
            if let second { decompose(second, into: &parts) }
            return
        }
        parts.append(
            Part(scalar: scalar, combiningClass: scalar.properties.canonicalCombiningClass.rawValue)
        )
    }

    /// Sorts each run of marks by combining class. Marks of the same class keep their order.
    private func sortMarks(_ parts: inout [Part]) {
        var start = 0
        for end in 0...parts.count where end == parts.count || parts[end].combiningClass == 0 {
            if end - start > 1 { parts[start..<end].sort { $0.combiningClass < $1.combiningClass } }
            start = end + 1
        }
    }

    private func decomposition(
        of scalar: Unicode.Scalar
    ) -> (first: Unicode.Scalar, second: Unicode.Scalar?)? {
        let index = firstIndex(in: decompositions) { $0.whole >= scalar }
        guard index < decompositions.count, decompositions[index].whole == scalar else {
            return nil
        }
        return (decompositions[index].first, decompositions[index].second)
    }

    private func composition(
        of first: Unicode.Scalar, _ second: Unicode.Scalar
    ) -> Unicode.Scalar? {
        if let syllable = Hangul.composition(of: first, second) { return syllable }
        let pair = Self.pair(first, second)
        let index = firstIndex(in: compositions) { $0.pair >= pair }
        guard index < compositions.count, compositions[index].pair == pair else { return nil }
        return compositions[index].whole
    }

    /// Returns the first index for which a condition is true, using a binary search. The rows for which
    /// the condition is true must be at the end of `rows`.
    @inline(__always)
    private func firstIndex<Row>(in rows: [Row], where isAfter: (Row) -> Bool) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(rows[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt64 {
        UInt64(first.value) << 32 | UInt64(second.value)
    }

    /// Parses a table, and passes each code point to `body` with the one or two code points of its
    /// decomposition.
    private static func read(
        _ table: String, inPairs: Bool,
        _ body: (_ whole: Unicode.Scalar, _ first: Unicode.Scalar, _ second: Unicode.Scalar?) ->
            Void
    ) {
        var (whole, value): (UInt32, UInt32) = (0, 0)
        var first: Unicode.Scalar?
        for byte in (table + " ").utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte & 0xF)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 55)
            case UInt8(ascii: ":"): (whole, value) = (value, 0)
            default:
                guard value > 0, let part = Unicode.Scalar(value) else { continue }
                value = 0
                if inPairs && first == nil {
                    first = part
                } else if let scalar = Unicode.Scalar(whole) {
                    body(scalar, first ?? part, first == nil ? nil : part)
                    (whole, first) = (whole + 1, nil)
                }
            }
        }
    }
}

/// Composes and decomposes Hangul syllables by arithmetic (Unicode, section 3.12).
private enum Hangul {
    private static let (syllables, leading, vowels, trailing): (UInt32, UInt32, UInt32, UInt32) =
        (0xAC00, 0x1100, 0x1161, 0x11A7)
    private static let (leadingCount, vowelCount, trailingCount): (UInt32, UInt32, UInt32) =
        (19, 21, 28)

    static func decomposition(
        of scalar: Unicode.Scalar
    ) -> (first: Unicode.Scalar, second: Unicode.Scalar?)? {
        guard 0xAC00...0xD7A3 ~= scalar.value else { return nil }
        let index = scalar.value - syllables
        let (pair, last) = index.quotientAndRemainder(dividingBy: trailingCount)
        let first =
            last > 0 ? scalar.value - last : leading + pair / vowelCount
        let second = last > 0 ? trailing + last : vowels + pair % vowelCount
        return Unicode.Scalar(first).map { ($0, Unicode.Scalar(second)) }
    }

    static func composition(
        of first: Unicode.Scalar, _ second: Unicode.Scalar
    ) -> Unicode.Scalar? {
        let (first, second) = (first.value, second.value)
        if leading..<leading + leadingCount ~= first, vowels..<vowels + vowelCount ~= second {
            let pair = (first - leading) * vowelCount + second - vowels
            return Unicode.Scalar(syllables + pair * trailingCount)
        }
        if 0xAC00...0xD7A3 ~= first, (first - syllables) % trailingCount == 0,
            trailing + 1..<trailing + trailingCount ~= second
        {
            return Unicode.Scalar(first + second - trailing)
        }
        return nil
    }
}
