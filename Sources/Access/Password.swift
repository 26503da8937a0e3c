internal import GSM7
package import LineIO
package import Crypto

/// A password: GSM text, brought to NFC, so that it is the same from every keyboard.
package struct Password: ~Copyable {
    package let bytes: SecretBytes

    /// Characters at least, when there are a capital letter and a symbol among them.
    private static let shortest = 8
    /// Characters at least, of any kind.
    private static let shortestOfAnyKind = 16

    /// What a new password must be, for the one who is asked for it.
    package static let rule = "8 characters with a capital letter and a symbol, or 16 of any kind"

    /// Takes what was typed or read.
    ///
    /// - Throws: `notGSM`.
    package init(_ typed: borrowing SecretBytes) throws(Stop) {
        bytes = try typed.withSpan { (span) throws(Stop) in
            do throws(TextFault) {
                return try NormalText.normalise(span) { (text) throws(TextFault) in
                    _ = try Measure(text, newline: .picture, basicOnly: false)
                    return SecretBytes(copying: text)
                }
            } catch {
                let place = error.column.map { "has at character \($0) what is not" } ?? "is not"
                throw AccessError.notGSM(place + " a GSM character").stop
            }
        }
    }

    /// Checks the rules for a new password: at least 8 characters with a capital letter and a symbol
    /// (neither letter, digit nor space) among them, or at least 16 of any kind.
    ///
    /// - Throws: `tooShort`, `noCapital`, `noSymbol`.
    package func check() throws(Stop) {
        var count = 0
        var hasCapital = false
        var hasSymbol = false
        bytes.withSpan { span in
            var index = 0
            while index < span.count, let (scalar, length) = CodePoint.decode(span, at: index) {
                count += 1
                hasCapital = hasCapital || scalar.properties.isUppercase
                hasSymbol =
                    hasSymbol
                    || !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
                        && !scalar.properties.isWhitespace
                index += length
            }
        }
        if count >= Self.shortestOfAnyKind { return }
        guard count >= Self.shortest else { throw AccessError.tooShort.stop }
        guard hasCapital else { throw AccessError.noCapital.stop }
        guard hasSymbol else { throw AccessError.noSymbol.stop }
    }
}
