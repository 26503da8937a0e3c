internal import FrameLayout

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
        /// Lowest key number that the receipt describes. The receipt says nothing about lower numbers.
        package private(set) var from: UInt32
        /// One more than the highest number of a key that has decrypted a message, or 0 if no key has.
        package let next: UInt32
        /// The key numbers from `from` to `next - 1` whose messages were not read. They are stored as runs in
        /// ascending order. Consecutive numbers are always in the same run.
        package private(set) var skipped: [Range<UInt32>]

        package init(number: UInt32, from: UInt32, next: UInt32, skipped: [Range<UInt32>]) {
            self.number = number
            self.from = from
            self.next = next
            self.skipped = skipped
        }
    }

    /// The chains, newest first. There is at least one chain.
    package let chains: [Chain]

    /// Returns nil if `chains` is empty, is not in descending order, or contains an invalid chain.
    package init?(_ chains: [Chain]) {
        guard !chains.isEmpty, chains.allSatisfy({ $0.isValid }),
            zip(chains, chains.dropFirst()).allSatisfy({ $0.number > $1.number })
        else { return nil }
        self.chains = chains
    }

    /// Returns true if the receipt lists `position` as skipped.
    package func lists(_ position: KeyPosition) -> Bool {
        chains.contains { (chain) in
            chain.number == position.chain && chain.skipped.contains { $0.contains(position.key) }
        }
    }

    /// Returns a receipt that fits in `room` symbols. Omits the oldest chains that do not fit. If the newest
    /// chain alone does not fit, omits its lowest runs. If the newest chain does not fit without runs either,
    /// returns nil. This cannot happen if `room` is 19 or more.
    package func shortened(to room: Int) -> Receipt? {
        var newest = chains[0]
        var room = room - ReceiptNumber.length(of: newest.number)
        newest.shorten(to: room)
        var kept: [Chain] = []
        for chain in [newest] + chains.dropFirst() {
            room -= chain.length(after: kept.last)
            if room < 0 { break }
            kept.append(chain)
        }
        return Receipt(kept)
    }

    /// Appends the symbols of the receipt. `symbols` needs room for all of them.
    @_lifetime(symbols: copy symbols)
    package func encode(into symbols: inout OutputSpan<UInt8>) {
        ReceiptNumber.append(chains[0].number, to: &symbols)
        var last: Chain?
        for chain in chains {
            chain.forEachNumber(after: last) { ReceiptNumber.append($0, to: &symbols) }
            last = chain
        }
    }

    /// Decodes a receipt. Returns nil if `encode` cannot have written these symbols. If there are
    /// `maximumLength` symbols, zeros may follow the receipt.
    package init?(decoding symbols: Span<UInt8>) {
        var reader = ReceiptReader(symbols)
        guard let first = reader.number(symbols) else { return nil }
        var chains: [Chain] = []
        while reader.index < symbols.count {
            if !chains.isEmpty, symbols.count == Self.maximumLength, reader.isPadding(symbols) {
                break
            }
            guard let chain = reader.chain(symbols, after: chains.last, first: first) else {
                return nil
            }
            chains.append(chain)
        }
        self.init(chains)
    }
}

extension Receipt.Chain {
    fileprivate var isValid: Bool {
        guard from <= next else { return false }
        var end: UInt32?
        for run in skipped {
            guard !run.isEmpty, run.upperBound <= next else { return false }
            if let end, run.lowerBound <= end { return false }
            end = run.upperBound
        }
        return (skipped.first?.lowerBound ?? from) >= from
    }

    /// Encodes this chain as numbers. Calls `body` with each number, in the order of the encoding.
    ///
    /// - Parameter last: the previous chain in the receipt, or nil for the first chain.
    fileprivate func forEachNumber(after last: Self?, _ body: (UInt32) -> Void) {
        let gap = last.map { $0.number - number - 1 } ?? 0
        // The shift cannot overflow, because there are far fewer than 2^30 runs. A receipt from a contact has
        // at most 70 runs.
        body(1 + UInt32(skipped.count) << 2 + (gap > 0 ? 2 : 0) + (from > 0 ? 1 : 0))
        body(next)
        if gap > 0 { body(gap - 1) }
        if from > 0 { body(from - 1) }
        var end = from
        for (index, run) in skipped.enumerated() {
            body(run.lowerBound - end - (index > 0 ? 1 : 0))
            body(run.upperBound - run.lowerBound - 1)
            end = run.upperBound
        }
    }

    /// Returns the number of symbols that encode this chain.
    fileprivate func length(after last: Self?) -> Int {
        var length = 0
        forEachNumber(after: last) { length += ReceiptNumber.length(of: $0) }
        return length
    }

    /// Removes the lowest runs, and raises `from` above them, until the chain fits in `room` symbols or has
    /// no runs left. The chain must be the first chain of a receipt.
    fileprivate mutating func shorten(to room: Int) {
        // Each run takes at least two symbols.
        drop(max(0, skipped.count - max(0, room) / 2))
        while !skipped.isEmpty, length(after: nil) > room { drop(1) }
    }

    private mutating func drop(_ runs: Int) {
        guard runs > 0 else { return }
        from = skipped[runs - 1].upperBound
        skipped.removeFirst(runs)
    }
}

/// Reads the numbers and chains of a receipt. All sums are computed with 64 bits, so that sums of 32-bit
/// numbers cannot overflow.
private struct ReceiptReader {
    var index = 0
    private let hasOnlySymbols: Bool

    init(_ symbols: Span<UInt8>) {
        hasOnlySymbols = symbols.indices.allSatisfy { symbols[$0] < ReceiptNumber.base }
    }

    mutating func number(_ symbols: Span<UInt8>) -> UInt32? {
        guard hasOnlySymbols, index < symbols.count else { return nil }
        let row = ReceiptNumber.row(startingWith: symbols[index])
        guard symbols.count - index > row.digits else { return nil }
        var rest = UInt64(symbols[index] - row.symbol)
        for place in 0..<row.digits { rest = rest * 125 + UInt64(symbols[index + 1 + place]) }
        index += 1 + row.digits
        return UInt32(exactly: UInt64(row.start) + rest)
    }

    /// Returns true if all remaining symbols are zeros.
    func isPadding(_ symbols: Span<UInt8>) -> Bool {
        (index..<symbols.count).allSatisfy { symbols[$0] == 0 }
    }

    /// Reads one chain. Its numbers have the order of `Receipt.Chain.forEachNumber`.
    mutating func chain(
        _ symbols: Span<UInt8>, after last: Receipt.Chain?, first: UInt32
    ) -> Receipt.Chain? {
        guard let kind = number(symbols), kind > 0, let next = number(symbols) else { return nil }
        let flags = kind - 1
        var (chain, from) = (UInt64(first), UInt64(0))
        if flags & 2 != 0 {
            guard let last, let gap = number(symbols), UInt64(last.number) >= UInt64(gap) + 2 else {
                return nil
            }
            chain = UInt64(last.number) - UInt64(gap) - 2
        } else if let last {
            guard last.number > 0 else { return nil }
            chain = UInt64(last.number) - 1
        }
        if flags & 1 != 0 {
            guard let number = number(symbols) else { return nil }
            from = UInt64(number) + 1
        }
        guard from <= UInt64(next) else { return nil }
        var skipped: [Range<UInt32>] = []
        var end = from
        // Each run has at least two symbols, so this loop ends soon even if the number of runs is too large.
        for run in 0..<(flags >> 2) {
            guard let gap = number(symbols), let length = number(symbols) else { return nil }
            let start = end + UInt64(gap) + (run > 0 ? 1 : 0)
            end = start + UInt64(length) + 1
            guard end <= UInt64(next) else { return nil }
            skipped.append(UInt32(start)..<UInt32(end))
        }
        return Receipt.Chain(
            number: UInt32(chain), from: UInt32(from), next: next, skipped: skipped)
    }
}

/// The encoding of a number below 2^32 in one, two, four or six symbols. Each number has only one encoding.
private enum ReceiptNumber {
    static let base: UInt8 = 125

    /// A row of the table in smsenc-protocol(7), Encoding of a receipt.
    struct Row {
        /// Lowest number of the row.
        let start: UInt32
        /// First symbol of the encoding of `start`.
        let symbol: UInt8
        /// Number of symbols after the first.
        let digits: Int
    }

    private static let rows = [
        Row(start: 0, symbol: 0, digits: 0), Row(start: 100, symbol: 100, digits: 1),
        Row(start: 2975, symbol: 123, digits: 3), Row(start: 1_956_100, symbol: 124, digits: 5),
    ]

    static func row(startingWith symbol: UInt8) -> Row {
        switch symbol {
        case ..<100: rows[0]
        case ..<123: rows[1]
        case 123: rows[2]
        default: rows[3]
        }
    }

    private static func row(of number: UInt32) -> Row {
        switch number {
        case ..<rows[1].start: rows[0]
        case ..<rows[2].start: rows[1]
        case ..<rows[3].start: rows[2]
        default: rows[3]
        }
    }

    static func length(of number: UInt32) -> Int { 1 + row(of: number).digits }

    @_lifetime(symbols: copy symbols)
    static func append(_ number: UInt32, to symbols: inout OutputSpan<UInt8>) {
        let row = row(of: number)
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
