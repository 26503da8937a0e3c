/// The numbers of the coding of a text into digits in base 125 (smsenc(7), Compressed text). All
/// stay below 2^63.
enum Interval {
    static let base: UInt64 = 125
    /// Digits that are looked at together.
    static let width = 8
    /// base^8 and base^7.
    static let whole: UInt64 = 59_604_644_775_390_625
    static let least = whole / base
}

/// Takes digits apart into the parts of a whole that were chosen one after another.
struct IntervalReader {
    private var code: UInt64 = 0
    private var range = Interval.whole
    /// What one of the whole's units is, from `value` to `take`.
    private var unit: UInt64 = 0
    /// Digits read, zeros after the last of them included.
    private var count = 0

    init(_ digits: Span<UInt8>) {
        while count < Interval.width {
            code = code * Interval.base + Self.digit(count, of: digits)
            count += 1
        }
    }

    /// Where in a whole of so many units the chosen part is.
    ///
    /// - Throws: `outOfRange`.
    @inline(__always)
    mutating func value(of whole: UInt64) throws(ReadingFault) -> UInt64 {
        unit = range / whole
        let value = code / unit
        guard value < whole else { throw .outOfRange }
        return value
    }

    /// Goes on within the part that the value was found in.
    ///
    /// - Throws: `noEnd`.
    @inline(__always)
    mutating func take(_ start: UInt64, _ weight: UInt64, _ digits: Span<UInt8>)
        throws(ReadingFault)
    {
        code -= unit * start
        range = unit * weight
        while range < Interval.least {
            guard count < digits.count + Interval.width else { throw .noEnd }
            code = code * Interval.base + Self.digit(count, of: digits)
            range *= Interval.base
            count += 1
        }
    }

    /// Reads one of so many equal parts.
    mutating func index(
        below count: UInt64, _ digits: Span<UInt8>
    ) throws(ReadingFault) -> UInt64 {
        let index = try value(of: count)
        try take(index, 1, digits)
        return index
    }

    private static func digit(_ index: Int, of digits: Span<UInt8>) -> UInt64 {
        index < digits.count ? UInt64(digits[index]) : 0
    }
}

/// Puts the parts chosen one after another into digits. These are kept by the caller, one a place.
struct IntervalWriter {
    private var low: UInt64 = 0
    private var range = Interval.whole
    /// Digits written.
    private(set) var count = 0

    /// Digits that one part may add: the weights of no whole have more than 32 bits.
    static let mostAtOnce = 5

    /// True when there are more digits than a text may take. Nothing is written then.
    var isFull: Bool { count > Compression.room }

    /// Codes a part of a whole.
    ///
    /// - Parameter digits: with room for `Compression.room` and those that are too many.
    mutating func put(
        _ start: UInt64, _ weight: UInt64, of whole: UInt64, _ digits: inout [UInt32]
    ) {
        guard !isFull else { return }
        let unit = range / whole
        low += unit * start
        range = unit * weight
        carry(&digits)
        while range < Interval.least {
            digits[count] = UInt32(low / Interval.least)
            low = low % Interval.least * Interval.base
            range *= Interval.base
            count += 1
        }
    }

    /// Writes the shortest digits that lie in the interval.
    mutating func finish(_ digits: inout [UInt32]) {
        guard !isFull else { return }
        var (step, end) = (Interval.whole, low)
        repeat {
            end = (low + step - 1) / step * step
            step /= Interval.base
        } while end >= low + range
        low = end
        carry(&digits)
        while low > 0 {
            digits[count] = UInt32(low / Interval.least)
            low = low % Interval.least * Interval.base
            count += 1
        }
    }

    private mutating func carry(_ digits: inout [UInt32]) {
        guard low >= Interval.whole else { return }
        low -= Interval.whole
        var place = count - 1
        while digits[place] == UInt32(Interval.base) - 1 {
            digits[place] = 0
            place -= 1
        }
        digits[place] += 1
    }
}
