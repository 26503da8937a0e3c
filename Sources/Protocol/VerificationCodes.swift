/// The codes that two people compare by voice: each reads out the one of their own key or offer
/// (smsenc(7), Sync keys).
package struct VerificationCodes: Equatable, Sendable {
    /// What was exchanged.
    package enum Kind: Sendable {
        case keys
        case offers

        /// Ten digits for sync keys. For offers twenty, so that nobody in the middle can search for
        /// keys that make both sides' codes agree.
        var digits: Int { self == .keys ? 10 : 20 }

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

    /// One's own code as it is shown and read out.
    package var yoursShown: String { shown(yours) }
    /// The contact's.
    package var theirsShown: String { shown(theirs) }

    /// Ten digits together; twenty in groups of five.
    private func shown(_ code: UInt128) -> String {
        let digits = String(code)
        let filled = String(repeating: "0", count: max(0, kind.digits - digits.count)) + digits
        guard kind == .offers else { return filled }
        return stride(from: 0, to: filled.count, by: 5).map { start in
            filled.dropFirst(start).prefix(5)
        }.joined(separator: " ")
    }
}
