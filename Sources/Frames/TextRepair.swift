package import GSM7
internal import System

/// Makes a message of a text that is none, and changes nothing else: whatever a frame can carry stays.
package enum TextRepair {
    /// Bytes that a text grows to at most, for each of its own.
    package static let growth = 3

    /// Appends a text mended. Windows-1252 is decoded, also where it was taken for Latin-1; separators of
    /// lines and paragraphs become a newline, a TAB a space; other control characters go. What is in
    /// another encoding stays as it is.
    @_lifetime(result: copy result)
    package static func repair(
        _ text: Span<UInt8>, newline: Newline, into result: inout OutputSpan<UInt8>
    ) {
        let encoding = ForeignEncoding(of: text)
        guard encoding != .utf16 else {
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

    /// What stands for a control character; nil where it goes.
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
