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

    /// The share of one row.
    init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    static func += (sum: inout RowSum, share: RowSum) {
        let (low, carries) = sum.low.addingReportingOverflow(share.low)
        sum.low = low
        sum.high = sum.high &+ share.high &+ (carries ? 1 : 0)
    }

    static func -= (sum: inout RowSum, share: RowSum) {
        let (low, borrows) = sum.low.subtractingReportingOverflow(share.low)
        sum.low = low
        sum.high = sum.high &- share.high &- (borrows ? 1 : 0)
    }

    init(from record: inout SecretReader) throws(CryptoError) {
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

    mutating func put(_ share: RowSum) {
        count += 1
        sum += share
    }

    mutating func drop(_ share: RowSum) {
        count -= 1
        sum -= share
    }

    /// One row has taken another's place.
    mutating func exchange(_ old: RowSum, for new: RowSum) {
        sum -= old
        sum += new
    }

    init(from record: inout SecretReader) throws(CryptoError) {
        count = try record.integer()
        sum = try RowSum(from: &record)
    }

    func write(to record: inout SecretWriter) {
        record.put(count)
        sum.write(to: &record)
    }
}

/// The keyed hash that gives a row its share of a sum.
final class RowHash {
    private var mac = MAC()

    init(master: borrowing SecretBytes) {
        mac.setKey(derive(from: master, "smsenc keyring rows"))
    }

    /// The share of a row: H(key, place || nonce || tag). Place, nonce and tag stand for the whole record,
    /// which does not open when one of them is another's.
    func share(_ place: Place, _ sealed: Span<UInt8>) -> RowSum {
        mac.update(place.bytes.span)
        if sealed.count >= Sealer.overhead {
            mac.update(sealed.extracting(..<Sealer.nonceSize))
            mac.update(sealed.extracting((sealed.count - Sealer.tagSize)...))
        } else {
            mac.update(sealed)
        }
        let (high, low) = mac.finish()
        return RowSum(high: high, low: low)
    }

    func share(_ place: Place, _ sealed: [UInt8]) -> RowSum { share(place, sealed.span) }

    /// The share of a row that holds nothing but its place.
    func share(_ place: Place) -> RowSum { share(place, []) }
}
