/// How a newline inside a message is spelt.
package enum Newline: Equatable, Sendable {
    /// As LF, or CR LF, where records end in NUL.
    case lineFeed
    /// As `␊`, where LF ends a record.
    case symbol

    /// U+240A symbol for line feed.
    package static let visible: Unicode.Scalar = "\u{240A}"

    /// Bytes of UTF-8 that the spelling takes.
    package var utf8Length: Int { self == .lineFeed ? 1 : 3 }

    /// Appends a newline.
    package func write(to output: inout OutputSpan<UInt8>) {
        switch self {
        case .lineFeed: output.append(UInt8(ascii: "\n"))
        case .symbol:
            output.append(0xE2)
            output.append(0x90)
            output.append(0x8A)
        }
    }
}
