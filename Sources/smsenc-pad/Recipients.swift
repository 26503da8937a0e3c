import Keyring
import LineIO

/// The contacts that records name, looked up once.
final class Recipients {
    private let keyring: Keyring
    private let only: Contact?
    private var known: [[UInt8]: Contact] = [:]
    /// Contacts remembered; a longer table of contacts starts the memory anew.
    private static let capacity = 20_000
    /// Bytes in a spelling that is remembered. Names are no longer; a number may be, with all the
    /// spaces that somebody put in.
    private static let longestSpelling = 255

    /// - Parameter only: the contact whose all records are.
    /// - Throws: `unknown` for a contact that is not there.
    init(_ keyring: Keyring, only name: String?) throws(KeyringError) {
        self.keyring = keyring
        if let name { only = try keyring.contact(named: name) } else { only = nil }
    }

    /// True when records name their contacts.
    var areNamed: Bool { only == nil }

    /// The contact of a record with these fields before the payload.
    func contact(of fields: Span<UInt8>) throws(KeyringError) -> Contact {
        if let only { return only }
        let range = Self.contactField(of: fields)
        var name: [UInt8] = []
        name.reserveCapacity(range.count)
        for index in range { name.append(fields[index]) }
        if let found = known[name] { return found }
        guard let text = String(validating: name, as: UTF8.self) else {
            throw .badName(String(decoding: name, as: UTF8.self), .notUTF8)
        }
        let found = try keyring.contact(named: text)
        guard name.count <= Self.longestSpelling else { return found }
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        known[name] = found
        return found
    }

    /// The last field of those before the payload, each of which ends in a TAB.
    static func contactField(of fields: Span<UInt8>) -> Range<Int> {
        let end = max(0, fields.count - 1)
        var start = end
        while start > 0, fields[start - 1] != UInt8(ascii: "\t") { start -= 1 }
        return start..<end
    }
}
