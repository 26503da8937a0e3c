/// The constants of the range coder, which writes digits of base 125 (smsenc-protocol(7), Digits of a
/// compressed text).
///
/// All intermediate values are below 2^63.
enum RangeCoder {
    static let base: UInt64 = 125
    /// Number of digits in the decoder's `code` and in the encoder's `low`.
    static let digitsInRange = 8
    /// Upper limit (base^8) and lower limit (base^7) of the coder's range.
    static let fullRange: UInt64 = 59_604_644_775_390_625
    static let minimumRange = fullRange / base
}

/// Decodes a sequence of values from digits.
///
/// To decode a value, first call `decodeValue`, and find the interval that contains the returned number.
/// Then pass the start and the length of the interval to `narrow`.
struct RangeDecoder {
    private var code: UInt64 = 0
    private var range = RangeCoder.fullRange
    /// Length of the range for each unit of weight. `decodeValue` sets this property, and the next call of
    /// `narrow` uses it.
    private var rangePerWeight: UInt64 = 0
    /// Number of digits that the decoder has read, including the zeros that it reads after the last digit.
    private var count = 0

    init(_ digits: Span<UInt8>) {
        while count < RangeCoder.digitsInRange {
            code = code * RangeCoder.base + Self.digit(count, of: digits)
            count += 1
        }
    }

    /// Returns a number below `totalWeight` that lies in the interval of the encoded value.
    ///
    /// - Throws: `outOfRange`.
    @inline(__always)
    mutating func decodeValue(below totalWeight: UInt64) throws(DecompressionFault) -> UInt64 {
        rangePerWeight = range / totalWeight
        let value = code / rangePerWeight
        guard value < totalWeight else { throw .outOfRange }
        return value
    }

    /// Narrows the range to the interval with the beginning `start` and the length `weight`. The interval
    /// must contain the number that `decodeValue` returned.
    ///
    /// - Throws: `noEnd` if the decoder would read more than `RangeCoder.digitsInRange` zeros after the
    ///   last digit.
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

    /// Decodes a number below `count`. All numbers below `count` are equally likely.
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

/// Encodes a sequence of values as digits. The caller owns the array of digits, and must overwrite the
/// array after use.
struct RangeEncoder {
    private var low: UInt64 = 0
    private var range = RangeCoder.fullRange
    /// Number of digits written.
    private(set) var count = 0

    /// Maximum number of digits that the encoding of a single value adds. A total weight has at most 32
    /// bits.
    static let maximumDigitsPerStep = 5

    /// True if more than `Compression.digitCount` digits were written. `encode` and `finish` then do
    /// nothing.
    var isFull: Bool { count > Compression.digitCount }

    /// Encodes one value, which is represented by the interval with the beginning `start` and the length
    /// `weight`. The intervals of all possible values have the total length `totalWeight`.
    ///
    /// - Parameter digits: must have room for `Compression.digitCount + maximumDigitsPerStep +
    ///   RangeCoder.digitsInRange` digits.
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

    /// Writes the last digits. The encoder selects the shortest sequence of digits that lies in the final
    /// interval.
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
