internal import FrameLayout
internal import System

/// A receipt, which states which messages from a contact were read and which were not (smsenc-protocol(7),
/// Receipts).
///
/// A message is identified by the number of its chain and the number of its key. In each listed chain, the
/// messages with the key numbers from `from` to `next - 1` were read, except the messages in `skipped`.
package struct Receipt: Equatable, Sendable {
    /// Maximum number of symbols in a receipt.
    package static let maximumLength = Frame.longestReceipt

    /// The part of a receipt that describes one chain.
    package struct Chain: Equatable, Sendable {
        package let number: UInt32
        /// Lowest key number that the receipt describes. The receipt says nothing about messages with lower
        /// key numbers.
        package fileprivate(set) var from: UInt32
        /// One more than the highest key number of a decrypted message, or 0 if there is no such message.
        package let next: UInt32
        /// The key numbers from `from` to `next - 1` whose messages were not read. The key numbers are stored
        /// as runs in ascending order. Consecutive numbers are always in the same run.
        package fileprivate(set) var skipped: [Range<UInt32>]
    }

    /// The chains, newest first. A receipt describes at least one chain.
    package private(set) var chains: [Chain]

    /// Returns true if the receipt lists `position` as skipped.
    package func lists(_ position: KeyPosition) -> Bool {
        chains.contains { (chain) in
            chain.number == position.chain && chain.skipped.contains { $0.contains(position.key) }
        }
    }

    /// Returns a receipt of at most `room` symbols. If this receipt is too long, omits its oldest chains. If
    /// the newest chain alone is too long, omits its lowest runs. Returns nil if the newest chain is too long
    /// even without runs, which is impossible if `room` is 19 or more.
    package func shortened(to room: Int) -> Receipt? {
        var short = self
        while short.numbers.reduce(0, { $0 + ReceiptNumber.length(of: $1) }) > room {
            let runs = short.chains[0].skipped.count
            if short.chains.count > 1 {
                short.chains.removeLast()
            } else if runs > 0 {
                // Each run takes at least two symbols.
                short.chains[0].drop(max(1, runs - max(0, room) / 2))
            } else {
                return nil
            }
        }
        return short
    }

    /// The numbers that encode the receipt (smsenc-protocol(7), Encoding of a receipt).
    private var numbers: [UInt32] {
        var numbers = [chains[0].number]
        var last: Chain?
        for chain in chains {
            numbers += chain.numbers(after: last)
            last = chain
        }
        return numbers
    }

    /// Appends the symbols of the receipt. `symbols` must have room for the whole receipt.
    @_lifetime(symbols: copy symbols)
    package func encode(into symbols: inout OutputSpan<UInt8>) {
        for number in numbers { ReceiptNumber.append(number, to: &symbols) }
    }
}

extension Receipt {
    /// Decodes a receipt. Returns nil if `encode` cannot have written these symbols. If `symbols` contains
    /// `maximumLength` symbols, zeros may follow the receipt.
    package init?(decoding symbols: Span<UInt8>) {
        var reader = ReceiptReader(rest: Array(copying: symbols)[...])
        guard reader.rest.allSatisfy({ $0 < ReceiptNumber.base }), let first = reader.number()
        else { return nil }
        chains = []
        repeat {
            guard let chain = reader.chain(after: chains.last, first: first) else { return nil }
            chains.append(chain)
            let isPadding =
                symbols.count == Self.maximumLength && reader.rest.allSatisfy { $0 == 0 }
            if isPadding { return }
        } while !reader.rest.isEmpty
    }
}

extension Receipt.Chain {
    /// Returns the numbers that encode this chain.
    ///
    /// - Parameter last: the previous chain in the receipt, or nil for the first chain.
    fileprivate func numbers(after last: Self?) -> [UInt32] {
        let gap = last.map { $0.number - number - 1 } ?? 0
        // The shift cannot overflow, because there are far fewer than 2^30 runs. A receipt from a contact has
        // at most 70 runs.
        let flags: UInt32 = (gap > 0 ? 2 : 0) + (from > 0 ? 1 : 0)
        var numbers = [1 + UInt32(skipped.count) << 2 + flags, next]
        if gap > 0 { numbers.append(gap - 1) }
        if from > 0 { numbers.append(from - 1) }
        var end = from
        for (index, run) in skipped.enumerated() {
            numbers.append(run.lowerBound - end - (index > 0 ? 1 : 0))
            numbers.append(run.upperBound - run.lowerBound - 1)
            end = run.upperBound
        }
        return numbers
    }

    /// Removes the lowest runs of skipped keys, and sets `from` to the end of the last removed run.
    fileprivate mutating func drop(_ runs: Int) {
        from = skipped[runs - 1].upperBound
        skipped.removeFirst(runs)
    }
}

/// Reads the numbers and chains of a receipt. All sums are computed with 64 bits, so that sums of 32-bit
/// numbers cannot overflow.
private struct ReceiptReader {
    /// The symbols of the receipt that this reader has not consumed yet.
    var rest: ArraySlice<UInt8>

    mutating func number() -> UInt32? {
        guard let symbol = rest.popFirst() else { return nil }
        let row = ReceiptNumber.row { $0.symbol <= symbol }
        guard rest.count >= row.digits else { return nil }
        var number = UInt64(symbol - row.symbol)
        for digit in rest.prefix(row.digits) { number = number * 125 + UInt64(digit) }
        rest.removeFirst(row.digits)
        return UInt32(exactly: UInt64(row.start) + number)
    }

    /// Reads one chain. The numbers of the chain have the same order as in `Receipt.Chain.numbers`.
    mutating func chain(after last: Receipt.Chain?, first: UInt32) -> Receipt.Chain? {
        guard let kind = number(), kind > 0, let next = number() else { return nil }
        let flags = kind - 1
        var (chain, from) = (last.map { Int64($0.number) - 1 } ?? Int64(first), Int64(0))
        if flags & 2 != 0 {
            guard last != nil, let gap = number() else { return nil }
            chain -= Int64(gap) + 1
        }
        if flags & 1 != 0 {
            guard let number = number() else { return nil }
            from = Int64(number) + 1
        }
        guard chain >= 0, from <= next else { return nil }
        var skipped: [Range<UInt32>] = []
        var end = from
        // Each run has at least two symbols, so this loop ends soon even if the number of runs is too large.
        for run in 0..<(flags >> 2) {
            guard let gap = number(), let length = number() else { return nil }
            let start = end + Int64(gap) + (run > 0 ? 1 : 0)
            end = start + Int64(length) + 1
            guard end <= next else { return nil }
            skipped.append(UInt32(start)..<UInt32(end))
        }
        return Receipt.Chain(
            number: UInt32(chain), from: UInt32(from), next: next, skipped: skipped)
    }
}

/// The encoding of a number below 2^32 in one, two, four or six symbols. Each number has only one encoding.
private enum ReceiptNumber {
    static let base: UInt8 = 125

    /// A row of the table that shows how numbers are encoded (smsenc-protocol(7), Encoding of a receipt).
    struct Row {
        /// Lowest number that this row of the table encodes.
        let start: UInt32
        /// First symbol in the encoding of the number `start`.
        let symbol: UInt8
        /// Number of symbols that follow the first symbol of an encoded number.
        let digits: Int
    }

    private static let rows = [
        Row(start: 0, symbol: 0, digits: 0), Row(start: 100, symbol: 100, digits: 1),
        Row(start: 2975, symbol: 123, digits: 3), Row(start: 1_956_100, symbol: 124, digits: 5),
    ]

    /// Returns the last row of the table that satisfies a condition. At least the first row must satisfy the
    /// condition.
    static func row(where condition: (Row) -> Bool) -> Row {
        rows.last(where: condition) ?? rows[0]
    }

    static func length(of number: UInt32) -> Int { 1 + row { $0.start <= number }.digits }

    @_lifetime(symbols: copy symbols)
    static func append(_ number: UInt32, to symbols: inout OutputSpan<UInt8>) {
        let row = row { $0.start <= number }
        var weight: UInt64 = 1
        for _ in 0..<row.digits { weight *= UInt64(base) }
        var rest = UInt64(number - row.start)
        symbols.append(row.symbol + UInt8(rest / weight))
        while weight > 1 {
            rest %= weight
            weight /= UInt64(base)
            symbols.append(UInt8(rest / weight))
        }
    }
}
