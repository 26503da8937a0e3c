/// The numbers of the coding of a text into digits in base 125 (smsenc(7), Compressed text). All
/// stay below 2^63.
enum RangeCoder {
    static let base: UInt64 = 125
    /// Digits that are looked at together.
    static let digitsInRange = 8
    /// base^8 and base^7.
    static let fullRange: UInt64 = 59_604_644_775_390_625
    static let minimumRange = fullRange / base
}

/// Takes digits apart into the parts of a whole that were chosen one after another.
struct RangeDecoder {
    private var code: UInt64 = 0
    private var range = RangeCoder.fullRange
    /// What one of the whole's units is, from `value` to `take`.
    private var rangePerWeight: UInt64 = 0
    /// Digits read, zeros after the last of them included.
    private var count = 0

    init(_ digits: Span<UInt8>) {
        while count < RangeCoder.digitsInRange {
            code = code * RangeCoder.base + Self.digit(count, of: digits)
            count += 1
        }
    }

    /// Where in a whole of so many units the chosen part is.
    ///
    /// - Throws: `outOfRange`.
    @inline(__always)
    mutating func decodeValue(below totalWeight: UInt64) throws(DecompressionFault) -> UInt64 {
        rangePerWeight = range / totalWeight
        let value = code / rangePerWeight
        guard value < totalWeight else { throw .outOfRange }
        return value
    }

    /// Goes on within the part that the value was found in.
    ///
    /// - Throws: `noEnd`.
    @inline(__always)
    mutating func narrow(to start: UInt64, _ weight: UInt64, _ digits: Span<UInt8>)
        throws(DecompressionFault)
    {
        code -= rangePerWeight * start
        range = rangePerWeight * weight
        while range < RangeCoder.minimumRange {
            guard count < digits.count + RangeCoder.digitsInRange else { throw .noEnd }
            code = code * RangeCoder.base + Self.digit(count, of: digits)
            range *= RangeCoder.base
            count += 1
        }
    }

    /// Reads one of so many equal parts.
    mutating func decodeIndex(
        below count: UInt64, _ digits: Span<UInt8>
    ) throws(DecompressionFault) -> UInt64 {
        let index = try decodeValue(below: count)
        try narrow(to: index, 1, digits)
        return index
    }

    private static func digit(_ index: Int, of digits: Span<UInt8>) -> UInt64 {
        index < digits.count ? UInt64(digits[index]) : 0
    }
}

/// Puts the parts chosen one after another into digits. These are kept by the caller, one a place.
struct RangeEncoder {
    private var low: UInt64 = 0
    private var range = RangeCoder.fullRange
    /// Digits written.
    private(set) var count = 0

    /// Digits that one part may add: the weights of no whole have more than 32 bits.
    static let maximumDigitsPerStep = 5

    /// True when there are more digits than a text may take. Nothing is written then.
    var isFull: Bool { count > Compression.digitCount }

    /// Codes a part of a whole.
    ///
    /// - Parameter digits: with room for `Compression.digitCount` and those that are too many.
    mutating func encode(
        _ start: UInt64, _ weight: UInt64, of totalWeight: UInt64, _ digits: inout [UInt32]
    ) {
        guard !isFull else { return }
        let rangePerWeight = range / totalWeight
        low += rangePerWeight * start
        range = rangePerWeight * weight
        propagateCarry(&digits)
        while range < RangeCoder.minimumRange {
            digits[count] = UInt32(low / RangeCoder.minimumRange)
            low = low % RangeCoder.minimumRange * RangeCoder.base
            range *= RangeCoder.base
            count += 1
        }
    }

    /// Writes the shortest digits that lie in the interval.
    mutating func finish(_ digits: inout [UInt32]) {
        guard !isFull else { return }
        var (step, end) = (RangeCoder.fullRange, low)
        repeat {
            end = (low + step - 1) / step * step
            step /= RangeCoder.base
        } while end >= low + range
        low = end
        propagateCarry(&digits)
        while low > 0 {
            digits[count] = UInt32(low / RangeCoder.minimumRange)
            low = low % RangeCoder.minimumRange * RangeCoder.base
            count += 1
        }
    }

    private mutating func propagateCarry(_ digits: inout [UInt32]) {
        guard low >= RangeCoder.fullRange else { return }
        low -= RangeCoder.fullRange
        var place = count - 1
        while digits[place] == UInt32(RangeCoder.base) - 1 {
            digits[place] = 0
            place -= 1
        }
        digits[place] += 1
    }
}
