package import GSM7
internal import System

/// Repairs a text so that it can be encoded in a frame. Text in Windows-1252 is decoded, and control
/// characters are replaced or removed. All other characters remain unchanged.
package enum TextRepair {
    /// Maximum ratio of the output size to the input size, in bytes.
    package static let growth = 3

    /// Appends a repaired copy of a text.
    ///
    /// Bytes in Windows-1252 are decoded. If another program has decoded text in Windows-1252 as Latin-1,
    /// the wrong characters are corrected. A line or paragraph separator is replaced with a newline, and a
    /// TAB with a space. Other control characters are removed. Text in UTF-16 and binary data are not
    /// changed.
    @_lifetime(result: copy result)
    package static func repair(
        _ text: Span<UInt8>, newline: Newline, into result: inout OutputSpan<UInt8>
    ) {
        let encoding = ForeignEncoding(of: text)
        guard encoding != .utf16, encoding != .binary else {
            result.append(copying: text)
            return
        }
        var index = 0
        while index < text.count {
            if let (scalar, length) = CodePoint.decode(text, at: index) {
                index += length
                let isLineEnd = scalar == "\r" && index < text.count && text[index] == 0x0A
                if scalar == newline.scalar || isLineEnd || !CodePoint.isControl(scalar) {
                    result.append(scalar)
                } else if let scalar = replacement(of: scalar, newline) {
                    result.append(scalar)
                }
            } else {
                let isWindows1252 = encoding == .windows1252
                let scalar = isWindows1252 ? ForeignEncoding.windows1252(text[index]) : nil
                if let scalar { result.append(scalar) } else { result.append(text[index]) }
                index += 1
            }
        }
    }

    /// Returns the replacement of a control character, or nil to remove it.
    private static func replacement(
        of control: Unicode.Scalar, _ newline: Newline
    ) -> Unicode.Scalar? {
        switch control {
        case "\t": " "
        case "\u{2028}", "\u{2029}": newline.scalar
        case "\u{80}"..."\u{9F}": ForeignEncoding.windows1252(UInt8(control.value))
        default: nil
        }
    }
}
