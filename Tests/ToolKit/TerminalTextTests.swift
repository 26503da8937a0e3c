import Support
import Testing

@testable import ToolKit

@Suite(.measured) struct TerminalTextTests {
    /// Control, formatting and invisible characters that are shown unchanged.
    private static let shown: Set<UInt32> = [0x09, 0x0A, 0x200C, 0x200D, 0xFE0E, 0xFE0F]

    @Test func invisibleAndDirectionalCharactersAreEscaped() {
        for value in UInt32(0)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let category = scalar.properties.generalCategory
            let hides =
                scalar.properties.isDefaultIgnorableCodePoint
                || [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
            if TerminalText.isEscaped(scalar) != (hides && !Self.shown.contains(value)) {
                Issue.record("U+\(String(value, radix: 16, uppercase: true))")
            }
        }
    }

    /// Some characters of Unicode's list, independently of the standard library
    /// (DerivedCoreProperties.txt, Default_Ignorable_Code_Point).
    @Test(arguments: [
        0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x115F...0x1160, 0x17B4...0x17B5,
        0x180B...0x180F,
        0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164,
        0xFE00...0xFE0D, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
        0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ])
    func listedInvisibleCharactersAreEscaped(_ range: ClosedRange<UInt32>) {
        for scalar in range.compactMap({ Unicode.Scalar($0) }) {
            #expect(TerminalText.isEscaped(scalar), "U+\(String(scalar.value, radix: 16))")
        }
    }

    /// The texts are Persian, Hindi, an emoji sequence, an emoji with a variation selector, and a heart
    /// that is not an emoji.
    @Test(arguments: ["می\u{200C}خواهم", "क्\u{200D}ष", "👩‍👩‍👧", "❤️", "❤︎", "naïve “x” €", "日本語"])
    func ordinaryTextIsShownUnchanged(_ text: String) {
        #expect(TerminalText.escaped(text) == text)
    }

    @Test func tagCharactersOfAFlagAreEscaped() {
        let flag = "🏴\u{E0067}\u{E0062}\u{E007F}"
        #expect(TerminalText.escaped(flag) == "🏴\\u{E0067}\\u{E0062}\\u{E007F}")
    }
}
