internal import PhoneNumbers
package import Crypto
package import System

/// Creates a keyring from a backup. The keyring file receives its final name only after the whole backup has
/// been checked. Every contact then has the status `restored`, which means that the user must synchronise
/// with the contact again.
package final class BackupImporter {
    private let path: String
    private let places: StandardPaths
    private let header: [UInt8]
    private let account: Account
    private var draft: KeyringBuilder?
    private var sealingKey: SealingKey?
    private var rings: [Int64: Ring] = [:]
    /// Contacts that were read but not added yet. All these contacts belong to the same identity and the
    /// same address record.
    private var contacts: [(contact: Contact, getsReceipts: Bool)] = []
    private var identity: Int64 = 0
    /// The ids of the address records that were read.
    private var blocks: Set<Int64> = []
    /// The names and numbers of the contacts that were read, each preceded by the id of the identity.
    private var addresses: Set<String> = []
    private var line: Int64 = 0
    private var isAtEnd = false

    /// Parses the first two lines, which are not encrypted.
    ///
    /// - Throws: `notABackup`.
    package init(
        of first: [UInt8], _ second: [UInt8], at path: String, places: StandardPaths
    ) throws(KeyringError) {
        guard first == Array(Backup.magic.utf8), let bytes = Base64.decoded(second),
            let account = try? Account(record: Array(bytes.dropFirst(Backup.saltSize)))
        else { throw .backup(.notABackup) }
        self.account = account
        header = bytes
        self.path = path
        self.places = places
    }

    /// The user name in the backup.
    package var user: String { account.user }

    /// Unlocks the backup and starts creating the keyring. Runs scrypt twice.
    ///
    /// - Throws: `wrongPassword`.
    package func unlock(password: borrowing SecretBytes) throws(KeyringError) {
        guard let master = try account.unwrap(password) else { throw .backup(.wrongPassword) }
        let fresh = try account.changed(
            keyring: try randomBytes(16), master: master, password: password)
        try begin(fresh, master: master)
    }

    /// Starts creating the keyring, with an account that wraps the backup's master key.
    func begin(_ account: Account, master: borrowing SecretBytes) throws(KeyringError) {
        sealingKey = Backup.sealingKey(master)
        draft = try KeyringBuilder(at: path, account, master: master, places: places)
    }

    /// Reads the next line of the backup. The first call of this function reads the backup's third line.
    ///
    /// - Throws: `damaged` with the line's number.
    package func read(_ text: [UInt8]) throws(KeyringError) {
        line += 1
        let fault = KeyringError.backup(.damaged(line: line + 2))
        let context = Backup.context(header, line)
        guard let draft, !isAtEnd, let sealed = Base64.decoded(text),
            let bytes = try? sealingKey?.open(sealed.span, associated: context.span),
            let record = try? BackupRecord(bytes)
        else { throw fault }
        switch record {
        case .identity(let identity, let fileKey):
            guard Self.isSame(try? Identity.normalName(identity.name), identity.name),
                identity.id >= 0, rings[identity.id] == nil,
                identity.kind != .transient, (identity.kind == .real) == rings.isEmpty
            else { throw fault }
            rings[identity.id] = try draft.add(identity, fileKey)
        case .contact(let identity, let contact, let getsReceipts):
            guard rings[identity] != nil, contact.id.number >= 0,
                Self.isSame(try? Contact.normalName(contact.name), contact.name),
                contact.number.map({ PhoneNumber.isStoredForm($0) }) ?? true
            else { throw fault }
            let block = AddressBlock.id(of: contact.id)
            if identity != self.identity
                || contacts.last.map({ AddressBlock.id(of: $0.contact.id) }) != block
            {
                try addContacts(to: draft)
                guard blocks.insert(block).inserted else { throw fault }
            }
            let texts = [contact.name] + (contact.number.map { [$0] } ?? [])
            for text in texts where !addresses.insert("\(identity) \(text)").inserted {
                throw fault
            }
            // Ids within an address record must be in ascending order. No id can therefore occur twice.
            if let last = contacts.last, last.contact.id >= contact.id { throw fault }
            self.identity = identity
            contacts.append((contact, getsReceipts))
        case .usedKeys(let hashes): try draft.store.usedKeys.append(hashes)
        case .end:
            try addContacts(to: draft)
            if rings.isEmpty { throw fault }
            isAtEnd = true
        }
    }

    private func addContacts(to draft: KeyringBuilder) throws(KeyringError) {
        guard let first = contacts.first, let ring = rings[identity] else { return }
        try draft.add(contacts, as: AddressBlock.id(of: first.contact.id), in: ring)
        contacts.removeAll()
    }

    /// Returns true if a text is identical to its normal form. The operator `==` would also accept texts that
    /// are only canonically equivalent.
    private static func isSame(_ normal: String?, _ text: String) -> Bool {
        normal.map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }

    /// Completes the keyring and renames it to its final name.
    ///
    /// - Throws: `damaged` if lines are missing at the end.
    package func finish() throws(KeyringError) {
        guard isAtEnd, let draft else { throw .backup(.damaged(line: line + 3)) }
        draft.store.header.lastBackup = max(1, Clocks.system.wall())
        try draft.publish()
    }
}
