/// An identity of the account. Each identity has its own ring of contacts.
package struct Identity: Equatable, Sendable {
    package let id: Int64
    package let kind: Kind
    package let name: String

    /// The kind of an identity. A kind is stored as the index of its case in this list, counted from 0.
    package enum Kind: String, CaseIterable, Sendable {
        /// The first identity of the account. There is only one identity of this kind.
        case real
        case partial
        case fictitious
        /// An identity that exists only during a session. The key of its ring is stored only in the session
        /// file.
        case transient

        var code: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

        init?(code: UInt8) {
            guard Int(code) < Self.allCases.count else { return nil }
            self = Self.allCases[Int(code)]
        }
    }

    /// Maximum number of bytes in a name.
    static let longestName = 64

    /// Converts a name to NFC, because names are stored and compared in NFC.
    ///
    /// - Throws: `badName`.
    static func normalName(_ name: String) throws(KeyringError) -> String {
        let normal = try Contact.normalName(name)
        guard normal.utf8.count <= longestName else { throw .contact(.badName(name, .tooLong)) }
        return normal
    }
}
