/// Why digits are no text (smsenc(7), Compressed text).
package enum DecompressionFault: Error, Equatable {
    /// A value beyond the whole that it is part of.
    case outOfRange
    /// A model's number that no language has.
    case unknownModel(Int)
    /// A control character, by its code point.
    case control(Unicode.Scalar)
    /// The code point of a surrogate.
    case surrogate(UInt32)
    /// More than `Compression.maximumCharacters`.
    case tooManyCharacters
    /// More digits were needed than there are.
    case noEnd
}

/// Why a text is not compressed. Columns count its characters from 1.
package enum CompressionFault: Error, Equatable {
    /// A byte that is not part of UTF-8.
    case malformed(UInt8, column: Int)
    case control(Unicode.Scalar, column: Int)
    /// The text has so many characters, more than `Compression.maximumCharacters`.
    case tooManyCharacters(Int)
    /// The text takes more digits than `Compression.digitCount`.
    case tooLong
}
