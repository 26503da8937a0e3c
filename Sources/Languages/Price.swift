/// What coding something takes, in 1,024ths of a bit: good enough to choose by. What is written is
/// reckoned exactly, by `IntervalWriter`.
enum Price {
    static let bit: UInt32 = 1024

    /// The logarithm of a number above 0 to base 2, rounded down.
    static func log2(_ number: UInt32) -> UInt32 {
        var price = UInt32(31 - number.leadingZeroBitCount) * bit
        // 1 ≤ mantissa < 2, in 2^31sts. Squaring it brings out the next bit of its logarithm.
        var mantissa = UInt64(number) << UInt64(number.leadingZeroBitCount)
        var part = bit / 2
        while part > 0 {
            mantissa = (mantissa * mantissa) >> 31
            if mantissa >> 32 > 0 {
                mantissa >>= 1
                price += part
            }
            part /= 2
        }
        return price
    }
}
