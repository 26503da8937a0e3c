/// Estimates how many bits the encoding of a token needs. The unit of a cost is 1/1024 bit.
///
/// The estimates are precise enough to find the cheapest encoding of a text. The exact number of digits is
/// only known when `RangeEncoder` has encoded the text.
enum CodingCost {
    static let oneBit: UInt32 = 1024

    /// Returns the base-2 logarithm of `number` in units of 1/1024 bit, rounded down. `number` must not be
    /// 0.
    static func log2(_ number: UInt32) -> UInt32 {
        var cost = UInt32(31 - number.leadingZeroBitCount)
        // The mantissa is at least 1 and less than 2. It is multiplied by 2^31 here. Squaring the mantissa
        // yields the next bit of the logarithm.
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
