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
///     2      number of contacts
///     2      number of ids that were used, 256 if no contact may be added
///     8      for each contact: the id
///     1      length of the name
///     n      the name, UTF-8 in NFC
///     1      length of the number, 0 if there is none
///     m      the number
final class AddressBlock {
    static let maximum: Int64 = 256

    private let bytes: SecretBytes
    private let count: Int
    let usedIDs: Int64

    init(from record: inout SecretReader) throws(InvalidRecord) {
        count = Int(try record.integer() as UInt16)
        usedIDs = Int64(try record.integer() as UInt16)
        bytes = try record.secret(record.remaining)
    }

    /// Returns the id of the record that contains a contact.
    static func id(of contact: ContactID) -> Int64 { contact.number & ~(maximum - 1) }

    /// Returns the first contact that matches `key`, or nil if no contact matches.
    func first(_ key: AddressKey) throws(KeyringError) -> Contact? {
        guard let range = find(key) else { return nil }
        var reader = bytes.withSpan { SecretReader(SecretBytes(copying: $0.extracting(range))) }
        return try Self.parsing { () throws(InvalidRecord) in try Contact(from: &reader) }
    }

    func contacts() throws(KeyringError) -> [Contact] {
        var reader = SecretReader(bytes.duplicate())
        return try Self.parsing { () throws(InvalidRecord) in
            var contacts: [Contact] = []
            for _ in 0..<count { contacts.append(try Contact(from: &reader)) }
            return contacts
        }
    }

    private static func parsing<Result>(
        _ body: () throws(InvalidRecord) -> Result
    ) throws(KeyringError) -> Result {
        do throws(InvalidRecord) { return try body() } catch {
            throw .store(.damaged("a record is truncated"))
        }
    }

    /// Finds the first contact that matches `key`, and returns the range of its entry. Returns nil if no
    /// contact matches.
    private func find(_ key: AddressKey) -> Range<Int>? {
        let wanted = key.bytes
        return bytes.withSpan { (bytes) -> Range<Int>? in
            var start = 0
            for _ in 0..<count {
                guard start + 9 <= bytes.count else { return nil }
                let name = (start + 9)..<(start + 9 + Int(bytes[start + 8]))
                guard name.upperBound < bytes.count else { return nil }
                let begin = name.upperBound + 1
                let number = begin..<(begin + Int(bytes[name.upperBound]))
                guard number.upperBound <= bytes.count else { return nil }
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

    /// Returns the encoded record of the given contacts.
    static func record(of contacts: [Contact], usedIDs: Int64) -> SecretBytes {
        let size = contacts.reduce(4) {
            $0 + 10 + $1.name.utf8.count + ($1.number ?? "").utf8.count
        }
        var record = SecretWriter(padding: size)
        record.put(UInt16(contacts.count))
        record.put(UInt16(clamping: usedIDs))
        for contact in contacts {
            record.put(contact.id.number)
            for text in [contact.name, contact.number ?? ""] {
                let utf8 = Array(text.utf8)
                record.put(UInt8(utf8.count))
                record.put(utf8.span)
            }
        }
        return record.finish()
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
    fileprivate init(from record: inout SecretReader) throws(InvalidRecord) {
        id = ContactID(try record.integer())
        name = try record.text(Int(try record.byte()))
        let number = try record.text(Int(try record.byte()))
        self.number = number.isEmpty ? nil : number
    }
}
