internal import Crypto

/// A hash of a set of rows: the sum of a keyed hash of each row. Adding, removing or replacing a row takes
/// one addition or subtraction, and the order of rows does not matter.
///
/// This is MSet-Add-Hash modulo 2^256 (Clarke, Devadas, van Dijk, Gassend, Suh: "Incremental multiset hash
/// functions and their application to memory integrity checking", ASIACRYPT 2003, section 5). The random
/// summand of MSet-Add-Hash is omitted. It would be necessary only if an attacker could see the sums, but all
/// sums are sealed here.
struct MultisetHash: Equatable {
    /// Bytes in the stored form.
    static let size = 32

    private var high: UInt128 = 0
    private var low: UInt128 = 0

    init() {}

    /// Creates the hash of one row from the two halves of an HMAC.
    init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    static func += (sum: inout MultisetHash, weight: MultisetHash) {
        let (low, carries) = sum.low.addingReportingOverflow(weight.low)
        sum.low = low
        sum.high = sum.high &+ weight.high &+ (carries ? 1 : 0)
    }

    static func -= (sum: inout MultisetHash, weight: MultisetHash) {
        let (low, borrows) = sum.low.subtractingReportingOverflow(weight.low)
        sum.low = low
        sum.high = sum.high &- weight.high &- (borrows ? 1 : 0)
    }

    /// Replaces the hash of a row. `old` is nil for a new row, and `new` is nil for a deleted row.
    ///
    /// - Returns: the change in the number of rows: 1, 0 or -1.
    mutating func replace(_ old: MultisetHash?, with new: MultisetHash?) -> Int64 {
        if let old { self -= old }
        if let new { self += new }
        return (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        high = try record.integer()
        low = try record.integer()
    }

    func write(to record: inout SecretWriter) {
        record.put(high)
        record.put(low)
    }
}

/// The number of rows in a group, and the sum of their hashes.
struct CountedHash: Equatable {
    /// Bytes in the stored form.
    static let size = 8 + MultisetHash.size

    private(set) var count: Int64 = 0
    private var sum = MultisetHash()

    init() {}

    /// Replaces the hash of a row. A contact's state shares its row with the card, so it adds nothing to the
    /// number of rows.
    mutating func count(_ kind: RowKind, _ old: MultisetHash?, _ new: MultisetHash?) {
        let rows = sum.replace(old, with: new)
        if kind != .state { count += rows }
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        count = try record.integer()
        sum = try MultisetHash(from: &record)
    }

    func write(to record: inout SecretWriter) {
        record.put(count)
        sum.write(to: &record)
    }
}
