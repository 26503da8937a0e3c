/// The codes that two people compare by voice. Each person reads out the code of their own key or offer
/// (smsenc-protocol(7), First keys and verification codes).
package struct VerificationCodes: Equatable, Sendable {
    /// The kind of keys that two people exchanged.
    package enum Kind: Sendable {
        case keys
        case offers

        /// Number of possible verification codes. Codes for sync keys have 10 digits. Codes for offers have
        /// 20 digits, because an attacker who replaces both offers could find keys whose 10-digit codes
        /// match.
        var modulus: UInt128 {
            self == .keys ? 10_000_000_000 : 100_000_000_000_000_000_000
        }
    }

    package let kind: Kind
    package let yours: UInt128
    package let theirs: UInt128

    package init(kind: Kind, yours: UInt128, theirs: UInt128) {
        self.kind = kind
        self.yours = yours
        self.theirs = theirs
    }

    /// The user's code, formatted for display.
    package var yoursShown: String { shown(yours) }
    /// The contact's code, formatted for display.
    package var theirsShown: String { shown(theirs) }

    /// Formats a code as one group of 10 digits, or as four groups of five digits.
    private func shown(_ code: UInt128) -> String {
        // The sum has one more digit than the code, and contains the leading zeros of the code.
        let digits = String(kind.modulus + code).dropFirst()
        guard kind == .offers else { return String(digits) }
        return stride(from: 0, to: digits.count, by: 5).map { digits.dropFirst($0).prefix(5) }
            .joined(separator: " ")
    }
}
