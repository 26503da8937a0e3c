internal import GSM7
internal import Crypto

/// A contact's id, name and number.
package struct Contact: Equatable, Sendable {
    package let id: Int64
    package let name: String
    /// The stored form of a `PhoneNumber`, or nil if the contact has no number.
    package let number: String?

    /// Returns true if `tags` contains the tag of the contact's name and then the tag of the number. The
    /// second tag must be nil if the contact has no number.
    func hasTags(_ tags: [[UInt8]?], in ring: Ring) -> Bool {
        guard ring.nameTag(name) == tags[0] else { return false }
        guard let number else { return tags[1] == nil }
        return ring.numberTag(number) == tags[1]
    }
}

/// The tags by which contacts are found: keyed hashes of their names and numbers.
extension Ring {
    func nameTag(_ name: String) -> [UInt8] { hash.tag("name", Array(name.utf8).span) }
    func numberTag(_ number: String) -> [UInt8] { hash.tag("number", Array(number.utf8).span) }
}

/// A contact's card, which is the stored form of the name and the number. The card is padded with zeros to a
/// multiple of 64 bytes and sealed under the ring's key, so that the file does not reveal the lengths of the
/// name and the number.
///
///     bytes  what
///     2      length of the name
///     n      the name, UTF-8 in NFC
///     1      length of the number, 0 if there is none
///     m      the number
extension Contact {
    /// Maximum number of bytes in a name.
    static let longestName = 255
    private static let paddingUnit = 64

    /// Opens a contact's card.
    ///
    /// - Throws: `damaged` if the card was altered or belongs to another identity.
    init(_ card: StoredRow, _ ring: Ring) throws(KeyringError) {
        guard card.row.number == ring.id else {
            throw .store(.damaged("a contact belongs to another identity"))
        }
        self = try card.read(ring.sealingKey) { (record) throws(InvalidRecord) in
            let name = try record.text(Int(try record.integer() as UInt16))
            let number = try record.text(Int(try record.byte()))
            return Contact(id: card.row.id, name: name, number: number.isEmpty ? nil : number)
        }
    }

    var card: SecretBytes {
        let (name, number) = (Array(name.utf8), Array((number ?? "").utf8))
        let size = 3 + name.count + number.count
        let unit = Self.paddingUnit
        var record = SecretWriter(capacity: (size + unit - 1) / unit * unit)
        record.put(UInt16(name.count))
        record.put(name.span)
        record.put(UInt8(number.count))
        record.put(number.span)
        return record.finish()
    }

    /// Returns a name in NFC, the form in which names are stored and compared.
    ///
    /// - Throws: `badName`.
    static func normalName(_ name: String) throws(KeyringError) -> String {
        guard !name.isEmpty else { throw .contact(.badName(name, .empty)) }
        guard name != "-" else { throw .contact(.badName(name, .reserved)) }
        for scalar in name.unicodeScalars where CodePoint.isControl(scalar) {
            throw .contact(.badName(name, .control))
        }
        guard let utf8 = try? NormalText.utf8(of: name.utf8.span) else {
            throw .contact(.badName(name, .notUTF8))
        }
        let normal = String(decoding: utf8, as: UTF8.self)
        guard normal.utf8.count <= longestName else { throw .contact(.badName(name, .tooLong)) }
        return normal
    }
}
