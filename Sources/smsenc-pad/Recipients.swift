import Access
import Keyring
import LineIO
import System

/// The contacts that records name, each looked up once.
struct Recipients {
    private let keyring: Keyring
    /// The state of the keyring that contacts of a batch are looked up in, once one is.
    private var state: Transaction?
    /// True when records name their contacts.
    let areNamed: Bool
    /// Those that were looked up, or the one whose all records are.
    private var contacts: [Contact]
    /// Where they are, by spelling, of which a contact may have several.
    private var remembered: [[UInt8]: Int] = [:]
    /// What they take, in bytes.
    private var size = 0
    /// Bytes that may be remembered: some 10,000 contacts.
    private static let capacity = 2_200_000
    /// Bytes of a spelling that is remembered, text aside.
    private static let overhead = 175
    /// Bytes in a spelling that is remembered. Names are no longer; a number may be, with all the
    /// spaces that somebody put in.
    private static let longestSpelling = 255

    /// - Parameter only: the contact whose all records are.
    /// - Throws: `unknown` for a contact that is not there.
    init(_ keyring: Keyring, only name: String?) throws(Stop) {
        self.keyring = keyring
        areNamed = name == nil
        contacts = if let name { [try keyring.contact(meant: name)] } else { [] }
    }

    subscript(index: Int) -> Contact { contacts[index] }

    /// The contact of a record with these fields before the payload: where it is until the next `makeRoom`.
    ///
    /// - Throws: `unknown`, `badName`; what is wrong with the keyring.
    mutating func contact(of fields: Span<UInt8>) throws(KeyringError) -> Int {
        guard areNamed else { return 0 }
        let spelling = Array(copying: fields.extracting(Self.contactField(of: fields)))
        if let known = remembered[spelling] { return known }
        guard let text = String(validating: spelling, as: UTF8.self) else {
            throw .contact(.badName(String(decoding: spelling, as: UTF8.self), .notUTF8))
        }
        let found = try lookUp().contact(named: text)
        contacts.append(found)
        size += Self.overhead + spelling.count + found.name.utf8.count
        if spelling.count <= Self.longestSpelling { remembered[spelling] = contacts.count - 1 }
        return contacts.count - 1
    }

    /// What would become of a message to a contact.
    mutating func outlook(for contact: Contact) throws(KeyringError) -> Passed {
        try lookUp().outlook(for: contact.id)
    }

    private mutating func lookUp() throws(KeyringError) -> Transaction {
        if let state { return state }
        let begun = try keyring.beginReading()
        state = begun
        return begun
    }

    /// Ends the look-ups of a batch.
    mutating func endLookUps() { state.take()?.end() }

    /// True when no more are to be looked up before the next `makeRoom`.
    var areTooMany: Bool { size >= Self.capacity }

    /// Forgets all where too many are remembered.
    mutating func makeRoom() {
        guard areTooMany else { return }
        contacts.removeAll(keepingCapacity: true)
        remembered.removeAll(keepingCapacity: true)
        size = 0
    }

    /// The last field of those before the payload, each of which ends in a TAB.
    static func contactField(of fields: Span<UInt8>) -> Range<Int> {
        let end = max(0, fields.count - 1)
        var start = end
        while start > 0, fields[start - 1] != UInt8(ascii: "\t") { start -= 1 }
        return start..<end
    }
}
