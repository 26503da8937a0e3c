/// One of the identities that the account acts under, each with its own ring of contacts.
package struct Identity: Equatable, Sendable {
    package let id: Int64
    package let kind: Kind
    package let name: String

    /// What an identity is; the stored number is the case's place.
    package enum Kind: String, CaseIterable, Sendable {
        /// There from the start, and the only one of its kind.
        case real
        case partial
        case fictitious
        /// Gone when the session is: its ring's key lives in the session's file alone.
        case transient

        var code: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

        init?(code: UInt8) {
            guard Int(code) < Self.allCases.count else { return nil }
            self = Self.allCases[Int(code)]
        }
    }

    /// The id of the real identity.
    static let realID: Int64 = 1

    /// Bytes in a name.
    static let longestName = 64

    /// A name as it is stored and compared: in NFC.
    ///
    /// - Throws: `badName`.
    static func normalName(_ name: String) throws(KeyringError) -> String {
        let normal = try Contact.normalName(name)
        guard normal.utf8.count <= longestName else { throw .contact(.badName(name, .tooLong)) }
        return normal
    }
}
