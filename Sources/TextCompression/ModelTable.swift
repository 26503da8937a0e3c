internal import GSM7

/// A parsed language table.
///
/// An error in a language table terminates the program. Releases contain no errors in language tables,
/// because the tables are part of the source code and the tests parse all tables.
struct ModelTable {
    /// One row of a table.
    struct Context {
        /// The tokens of the context, encoded as a key by `TokenHistory`.
        let key: UInt64
        /// Index of the escape's weight in `weights`.
        let escapeWeightIndex: UInt8
        let entries: Range<Int>
    }

    private(set) var contexts: [Context] = []
    private(set) var entries: [(token: Token, weightIndex: UInt8)] = []

    /// The weights that the letters a to p represent in a language table.
    static let weights: InlineArray<16, UInt32> = [
        1, 2, 3, 4, 6, 10, 16, 25, 40, 64, 102, 161, 256, 406, 645, 1024,
    ]

    /// Logarithms of `weights`. The cost of an entry is the cost of an entry of weight 1, minus the
    /// logarithm of the entry's weight.
    static let logWeights = weights.indices.map { CodingCost.log2(weights[$0]) }

    init(_ text: String) {
        let bytes = text.utf8.span
        entries.reserveCapacity(bytes.count / 3)
        contexts.reserveCapacity(bytes.count / 8)
        var index = 0
        while index < bytes.count { readContext(bytes, &index) }
        precondition(
            contexts.first?.key == TokenHistory.key(0, 0),
            "a table does not begin with the empty context")
    }

    private mutating func readContext(_ bytes: Span<UInt8>, _ index: inout Int) {
        var tokens: UInt64 = 0
        var length: UInt64 = 0
        while bytes[index] != UInt8(ascii: "\t") {
            tokens = tokens << Token.width | UInt64(Self.token(bytes, &index).rawValue)
            length += 1
        }
        precondition(length <= 3, "a table has a context of more than three tokens")
        index += 1
        let escape = Self.weightIndex(bytes, &index)
        let start = entries.count
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            let token = Self.token(bytes, &index)
            entries.append((token, Self.weightIndex(bytes, &index)))
        }
        index += 1
        contexts.append(
            Context(
                key: TokenHistory.key(tokens, length), escapeWeightIndex: escape,
                entries: start..<entries.count))
    }

    private static func token(_ bytes: Span<UInt8>, _ index: inout Int) -> Token {
        let lead = bytes[index]
        if lead < 0x80 {
            precondition(lead >= 0x20, "a table has a control character or an incomplete row")
            index += 1
            return Token(rawValue: UInt32(lead))
        }
        guard let (scalar, length) = CodePoint.decode(bytes, at: index) else {
            preconditionFailure("a table is not UTF-8")
        }
        index += length
        return Token(spelt: scalar.value)
    }

    /// Parses a letter from a to p, and returns its index in `weights`.
    private static func weightIndex(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt8 {
        let letter = bytes[index]
        precondition(
            UInt8(ascii: "a")...UInt8(ascii: "p") ~= letter, "a weight is not a letter from a to p")
        index += 1
        return letter - UInt8(ascii: "a")
    }
}
