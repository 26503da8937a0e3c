internal import Crypto

/// A sum over rows, each taken in by a keyed hash, in no order: what is there can be told from what was
/// there, and one row more, less or changed costs one addition.
///
/// This is MSet-Add-Hash (Clarke, Devadas, van Dijk, Gassend, Suh: "Incremental multiset hash functions and
/// their application to memory integrity checking", ASIACRYPT 2003, section 5) modulo 2^256. Its random
/// summand is left out: it hides sums from somebody who sees them, and these are kept sealed.
struct RowSum: Equatable {
    /// Bytes in a record.
    static let size = 32

    private var high: UInt128 = 0
    private var low: UInt128 = 0

    init() {}

    /// The weight of one row.
    init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    static func += (sum: inout RowSum, weight: RowSum) {
        let (low, carries) = sum.low.addingReportingOverflow(weight.low)
        sum.low = low
        sum.high = sum.high &+ weight.high &+ (carries ? 1 : 0)
    }

    static func -= (sum: inout RowSum, weight: RowSum) {
        let (low, borrows) = sum.low.subtractingReportingOverflow(weight.low)
        sum.low = low
        sum.high = sum.high &- weight.high &- (borrows ? 1 : 0)
    }

    /// Counts what a row counts for now in place of what it counted for before; nil where it was not there,
    /// or is not any more.
    ///
    /// - Returns: how many rows more there are.
    mutating func replace(_ old: RowSum?, with new: RowSum?) -> Int64 {
        if let old { self -= old }
        if let new { self += new }
        return (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
    }

    init(from record: inout SecretReader) throws(Broken) {
        high = try record.integer()
        low = try record.integer()
    }

    func write(to record: inout SecretWriter) {
        record.put(high)
        record.put(low)
    }
}

/// Rows that belong together: how many, and their sum.
struct Tally: Equatable {
    /// Bytes in a record.
    static let size = 8 + RowSum.size

    private(set) var count: Int64 = 0
    private var sum = RowSum()

    init() {}

    /// Counts a row; of a contact's state, which shares one with the card, the weight alone.
    mutating func count(_ kind: RowKind, _ old: RowSum?, _ new: RowSum?) {
        let rows = sum.replace(old, with: new)
        if kind != .state { count += rows }
    }

    init(from record: inout SecretReader) throws(Broken) {
        count = try record.integer()
        sum = try RowSum(from: &record)
    }

    func write(to record: inout SecretWriter) {
        record.put(count)
        sum.write(to: &record)
    }
}
