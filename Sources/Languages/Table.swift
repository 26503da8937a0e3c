internal import GSM7

/// The rows of a language's table, read. What is wrong with one stops the program: tables are source,
/// and tests read them all.
struct Table {
    /// A row: a context and its entries.
    struct Row {
        /// What the context is found by.
        let key: UInt64
        /// The place of the escape's weight among the weights.
        let escape: UInt8
        let entries: Range<Int>
    }

    private(set) var rows: [Row] = []
    private(set) var entries: [(unit: Unit, letter: UInt8)] = []

    /// The weights of the letters a to p.
    static let weights: InlineArray<16, UInt32> = [
        1, 2, 3, 4, 6, 10, 16, 25, 40, 64, 102, 161, 256, 406, 645, 1024,
    ]

    /// What the weights save of the price of an entry of weight 1.
    static let prices = weights.indices.map { Price.log2(weights[$0]) }

    init(_ text: String) {
        let bytes = text.utf8.span
        entries.reserveCapacity(bytes.count / 3)
        rows.reserveCapacity(bytes.count / 8)
        var index = 0
        while index < bytes.count { readRow(bytes, &index) }
        precondition(rows.first?.key == History.key(0, 0), "a table begins with no context of none")
    }

    private mutating func readRow(_ bytes: Span<UInt8>, _ index: inout Int) {
        var units: UInt64 = 0
        var length: UInt64 = 0
        while bytes[index] != UInt8(ascii: "\t") {
            units = units << Unit.width | UInt64(Self.unit(bytes, &index).rawValue)
            length += 1
        }
        precondition(length <= 3, "a table has a context of more than three units")
        index += 1
        let escape = Self.letter(bytes, &index)
        let start = entries.count
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            let unit = Self.unit(bytes, &index)
            entries.append((unit, Self.letter(bytes, &index)))
        }
        index += 1
        rows.append(
            Row(key: History.key(units, length), escape: escape, entries: start..<entries.count))
    }

    private static func unit(_ bytes: Span<UInt8>, _ index: inout Int) -> Unit {
        let lead = bytes[index]
        if lead < 0x80 {
            precondition(lead >= 0x20, "a table has a control character, or ends in a row's middle")
            index += 1
            return Unit(rawValue: UInt32(lead))
        }
        guard let (scalar, length) = CodePoint.decode(bytes, at: index) else {
            preconditionFailure("a table is not UTF-8")
        }
        index += length
        return Unit(spelt: scalar.value)
    }

    /// The place of a weight's letter among them.
    private static func letter(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt8 {
        let letter = bytes[index]
        precondition(
            UInt8(ascii: "a")...UInt8(ascii: "p") ~= letter, "a weight is no letter a to p")
        index += 1
        return letter - UInt8(ascii: "a")
    }
}
