/// What coding something takes, in 1,024ths of a bit: good enough to choose by. What is written is
/// reckoned exactly, by `RangeEncoder`.
enum CodingCost {
    static let oneBit: UInt32 = 1024

    /// The logarithm of a number above 0 to base 2, rounded down.
    static func log2(_ number: UInt32) -> UInt32 {
        var cost = UInt32(31 - number.leadingZeroBitCount)
        // 1 ≤ mantissa < 2, in 2^31sts. Squaring it brings out the next bit of its logarithm.
        var mantissa = UInt64(number) << UInt64(number.leadingZeroBitCount)
        for _ in 0..<oneBit.trailingZeroBitCount {
            mantissa = (mantissa &* mantissa) >> 31
            let next = mantissa >> 32
            mantissa &>>= next
            cost = cost << 1 | UInt32(next)
        }
        return cost
    }
}
