/// The reason why digits cannot be decompressed (smsenc-protocol(7), Compressed form).
package enum DecompressionFault: Error, Equatable {
    /// A decoded value is not below the total weight of all possible values.
    case outOfRange
    /// The digits contain a model number, but no language has this number.
    case unknownModel(Int)
    /// The text contains a control character.
    case control(Unicode.Scalar)
    /// The text contains a surrogate. The associated value is the code point of the surrogate.
    case surrogate(UInt32)
    /// The text has more than `Compression.maximumCharacters` characters.
    case tooManyCharacters
    /// The digits ended before an END mark.
    case noEnd
}

/// The reason why a text cannot be compressed. A column is the number of a code point, beginning with 1.
package enum CompressionFault: Error, Equatable {
    /// The text contains a byte that is not part of valid UTF-8.
    case malformed(UInt8, column: Int)
    case control(Unicode.Scalar, column: Int)
    /// The text has more than `Compression.maximumCharacters` characters. The associated value is the
    /// number of characters.
    case tooManyCharacters(Int)
    /// The text needs more than `Compression.digitCount` digits.
    case tooLong
}
