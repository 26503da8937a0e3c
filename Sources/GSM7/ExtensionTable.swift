/// The characters that travel as an escape and another code, so take two septets (3GPP TS 23.038,
/// 6.2.1.1). Form feed is in that table too but is a control character, which no message holds.
package enum ExtensionTable {
    /// The character that the escape and the code of this symbol stand for.
    package static func scalar(of symbol: UInt8) -> Unicode.Scalar? {
        rows.first { $0.symbol == symbol }?.character
    }

    /// The symbol that follows the escape.
    package static func symbol(of scalar: Unicode.Scalar) -> UInt8? {
        rows.first { $0.character == scalar }?.symbol
    }

    /// Appends the character of a symbol after the escape as UTF-8: at most 3 bytes.
    package static func write(_ symbol: UInt8, to output: inout OutputSpan<UInt8>) {
        guard let scalar = scalar(of: symbol), let bytes = UTF8.encode(scalar) else { return }
        for byte in bytes { output.append(byte) }
    }

    /// Codes 0x14, 0x28, 0x29, 0x2F, 0x3C, 0x3D, 0x3E, 0x40 and 0x65.
    package static let rows: [(symbol: UInt8, character: Unicode.Scalar)] = [
        (0x12, "^"),  // Λ
        (0x25, "{"),  // (
        (0x26, "}"),  // )
        (0x2C, "\\"),  // /
        (0x39, "["),  // <
        (0x3A, "~"),  // =
        (0x3B, "]"),  // >
        (0x3D, "|"),  // ¡
        (0x62, "€"),  // e
    ]
}
