import UserInterface
import Keyring
import ToolKit
import System

/// Looks up the contacts that the records name, and caches them.
struct ContactCache: ~Copyable {
    private let keyring: Keyring
    private let suggestions: NameSuggestions
    /// Read transaction in which the contacts of a batch are looked up. The first look-up of a batch
    /// begins the transaction.
    private var transaction: ReadTransaction?
    /// True if each record names its contact, and false if the option `-c` names one contact for all
    /// records.
    let areNamedInRecords: Bool
    /// The contacts that were looked up. If the option `-c` was given, the array contains only the contact
    /// that `-c` names.
    private var contacts: [Contact]
    /// Maps a spelling in a record to the index of the contact in `contacts`. A contact may have several
    /// spellings.
    private var indices: [[UInt8]: Int] = [:]
    /// The spelling in the previous record, and its index in `contacts`. Consecutive records often name the same
    /// contact.
    private var last: (spelling: [UInt8], index: Int)?
    /// Estimated size of the cache in bytes.
    private var size = 0
    /// Maximum size of the cache in bytes, which is sufficient for about 10,000 contacts.
    private static let maximumSize = 2_200_000
    /// Estimated size of a cache entry in bytes, without the text of the entry.
    private static let entryOverhead = 175
    /// Maximum length of a spelling that is cached, in bytes. Names are never longer. A telephone number
    /// can be longer, because it may contain any number of spaces.
    private static let longestSpelling = 255

    /// Creates a cache. If all records belong to one contact, looks up this contact.
    ///
    /// - Parameters:
    ///   - only: the name of this contact, or nil if the records name their contacts.
    ///   - toCommit: true if the run will change the keyring.
    /// - Throws: `moved`, `behind`, `noteMissing`. Throws `unknown` if the keyring has no contact with the
    ///   given name.
    init(_ keyring: Keyring, only name: String?, toCommit: Bool) throws(ExitError) {
        // Throw before any stored property is set. Otherwise, the properties that are already set would
        // have to be destroyed.
        let suggestions = NameSuggestions()
        let found: [Contact]
        do throws(KeyringError) {
            found = try keyring.readingOriginal(toCommit: toCommit) {
                (store) throws(KeyringError) in
                if let name { [try store.contacts.contact(named: name)] } else { [] }
            }
        } catch {
            let text = try throwingExitError(suggestions.text(for: error, keyring.eachCard))
            throw ExitError(error.status, text, recordStatus: error.recordStatus)
        }
        self.keyring = keyring
        self.suggestions = suggestions
        areNamedInRecords = name == nil
        contacts = found
    }

    subscript(index: Int) -> Contact { contacts[index] }

    /// Looks up the contact that the fields before the payload name, and returns its index in `contacts`.
    /// The index is valid until the next call of `makeRoom`.
    ///
    /// - Throws: `unknown`, `badName`, and errors of the keyring.
    mutating func contact(of fields: Span<UInt8>) throws(KeyringError) -> Int {
        guard areNamedInRecords else { return 0 }
        let spelling = Array(copying: fields.extracting(Self.contactField(of: fields)))
        if let last, last.spelling == spelling { return last.index }
        if let known = indices[spelling] {
            last = (spelling, known)
            return known
        }
        guard let text = String(validating: spelling, as: UTF8.self) else {
            throw .contact(.badName(String(decoding: spelling, as: UTF8.self), .notUTF8))
        }
        let found = try storedContacts().contact(named: text)
        contacts.append(found)
        size += Self.entryOverhead + spelling.count + found.name.utf8.count
        if spelling.count <= Self.longestSpelling { indices[spelling] = contacts.count - 1 }
        return contacts.count - 1
    }

    /// Predicts the result that `Sending` would return for a message to a contact. Does not change
    /// anything.
    mutating func expectedResult(for contact: Contact) throws(KeyringError) -> ExchangeResult {
        try storedContacts().expectedResult(for: contact.id)
    }

    /// Returns the diagnostic for a contact that could not be looked up.
    mutating func text(for error: KeyringError) throws(KeyringError) -> String {
        // The names are read in a different transaction. Therefore, end this one first.
        endLookUps()
        return try suggestions.text(for: error, keyring.eachCard)
    }

    /// Returns the store in which contacts are looked up. Begins the read transaction if necessary.
    private mutating func storedContacts() throws(KeyringError) -> ContactStore {
        if let store = transaction?.store { return store.contacts }
        let begun = try ReadTransaction(keyring)
        let contacts = begun.store.contacts
        transaction = consume begun
        return contacts
    }

    /// Ends the read transaction of a batch.
    mutating func endLookUps() { transaction = nil }

    /// True if `makeRoom` has to be called before more contacts are looked up.
    var isFull: Bool { size >= Self.maximumSize }

    /// Empties the cache if it is full.
    mutating func makeRoom() {
        guard isFull else { return }
        contacts.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        last = nil
        size = 0
    }

    /// Returns the range of the last field before the payload. The range does not include the TAB after
    /// this field.
    static func contactField(of fields: Span<UInt8>) -> Range<Int> {
        let end = max(0, fields.count - 1)
        var start = end
        while start > 0, fields[start - 1] != UInt8(ascii: "\t") { start -= 1 }
        return start..<end
    }
}
