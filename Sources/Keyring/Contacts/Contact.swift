internal import GSM7
internal import Crypto
internal import System

/// The id of a contact. Ids are random, and an imported backup has the same ids. An id that was stored
/// outside the keyring therefore never refers to another contact.
package struct ContactID: Hashable, Comparable, Sendable {
    /// The id as a number. It is not negative.
    let number: Int64

    init(_ number: Int64) { self.number = number }

    /// Parses an id, which is written as `#` and 16 hexadecimal digits. Returns nil for other texts.
    package init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 17,
            let bytes = bytes(hex: String(text.dropFirst())), bytes[0] < 128
        else { return nil }
        number = Int64(bigEndian(bytes))
    }

    /// The id as text, which consists of `#` and 16 hexadecimal digits.
    package var text: String { "#" + hex(Array(bigEndian: number)) }

    package static func < (one: ContactID, other: ContactID) -> Bool { one.number < other.number }
}

/// A contact's id, name and number.
package struct Contact: Equatable, Sendable {
    package let id: ContactID
    package let name: String
    /// The stored form of a `PhoneNumber`, or nil if the contact has no number.
    package let number: String?

    /// Maximum number of bytes in a name.
    static let longestName = 255

    /// Converts a name to NFC, because names are stored and compared in NFC.
    ///
    /// - Throws: `badName`.
    static func normalName(_ name: String) throws(KeyringError) -> String {
        guard !name.isEmpty else { throw .contact(.badName(name, .empty)) }
        guard name != "-", ContactID(name) == nil else { throw .contact(.badName(name, .reserved)) }
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

/// An address record. It contains the ids, names and numbers of up to 256 contacts, in the order in which the
/// contacts were added. A search does not parse the whole record.
///
/// The id of an address record is a random multiple of 256. The ids of its contacts are in the range from
/// this id to this id plus 255. No id is used twice. The id of a contact therefore shows which address record
/// contains the contact. With this information, the contacts of a transient identity can be deleted without
/// its ring key.
///
///     bytes  content
///     2      number of ids that were used, 256 if no contact may be added
///     2      number of contacts
///     8      for each contact: the id
///     2 + n  the name as text, UTF-8 in NFC
///     2 + m  the number as text, empty if there is none
final class AddressBlock {
    static let maximum: Int64 = 256

    let usedIDs: Int64
    /// The stored list of contacts.
    private let bytes: SecretBytes

    init(from record: inout SecretReader) throws(InvalidRecord) {
        usedIDs = Int64(try record.integer() as UInt16)
        bytes = try record.secret(record.remaining)
    }

    /// Writes the record of the given contacts.
    static func write(_ contacts: [Contact], usedIDs: Int64, to record: inout SecretWriter) {
        record.put(UInt16(usedIDs))
        record.put(contacts) { $0.write(to: &$1) }
    }

    /// Returns the id of the record that contains a contact.
    static func id(of contact: ContactID) -> Int64 { contact.number & ~(maximum - 1) }

    /// Returns the first contact that matches `key`, or nil if no contact matches.
    func first(_ key: AddressKey) throws(KeyringError) -> Contact? {
        guard let range = find(key) else { return nil }
        var reader = bytes.withSpan { SecretReader(SecretBytes(copying: $0.extracting(range))) }
        return try parsing(Contact(from: &reader))
    }

    func contacts() throws(KeyringError) -> [Contact] {
        var reader = SecretReader(bytes.duplicate())
        return try parsing(reader.list(Contact.init(from:)))
    }

    /// Finds the first contact that matches `key`, and returns the range of its entry. Returns nil if no
    /// contact matches.
    private func find(_ key: AddressKey) -> Range<Int>? {
        let wanted = key.bytes
        return bytes.withSpan { (bytes) -> Range<Int>? in
            /// Returns the range of the text that begins at `start`, without its length.
            func text(at start: Int) -> Range<Int>? {
                guard start + 2 <= bytes.count else { return nil }
                let end = start + 2 + Int(bytes[start]) << 8 + Int(bytes[start + 1])
                return end <= bytes.count ? (start + 2)..<end : nil
            }
            guard bytes.count >= 2 else { return nil }
            var start = 2
            for _ in 0..<(Int(bytes[0]) << 8 + Int(bytes[1])) {
                guard let name = text(at: start + 8), let number = text(at: name.upperBound) else {
                    return nil
                }
                let field =
                    switch key {
                    case .id: start..<(start + 8)
                    case .name: name
                    case .number: number
                    }
                if field.count == wanted.count {
                    // Compare from the end, because different names and numbers often have the same
                    // beginning.
                    var index = wanted.count
                    while index > 0, bytes[field.lowerBound + index - 1] == wanted[index - 1] {
                        index -= 1
                    }
                    if index == 0 { return start..<number.upperBound }
                }
                start = number.upperBound
            }
            return nil
        }
    }
}

/// The id, name or number of a contact to look up.
enum AddressKey {
    case id(ContactID)
    case name(String)
    /// A number in the form in which it is stored.
    case number(String)

    fileprivate var bytes: [UInt8] {
        switch self {
        case .id(let id): Array(bigEndian: id.number)
        case .name(let text), .number(let text): Array(text.utf8)
        }
    }
}

extension Contact {
    init(from record: inout SecretReader) throws(InvalidRecord) {
        id = ContactID(try record.integer())
        name = try record.text()
        let number = try record.text()
        self.number = number.isEmpty ? nil : number
    }

    func write(to record: inout SecretWriter) {
        record.put(id.number)
        record.put(name)
        record.put(number ?? "")
    }
}
