// A keyring is an SQLite file that contains an account, its identities, their contacts, and the keys.
//
//     Account/     the password, the lockout, sessions, the account's settings
//     Contacts/    names and numbers of contacts, their conversations, synchronising, used keys
//     Copies/      creating, moving and deleting keyrings; backups; detection of copied or restored keyrings
//     Exchange/    encrypting and decrypting messages, records of running processes, keys for rereading
//     Identities/  identities and their keys
//     Store/       the database, records and their list, transactions, the header, sealing
//     this folder  the keyring file, the unlocked keyring, and errors
//
// A transaction passes a `KeyringStore` to its caller. The `KeyringStore` has the properties `contacts`,
// `identities`, `usedKeys` and `runs`. Each of these properties is a store that owns certain kinds of
// records.
//
// This target ensures that no key is used twice and no message is lost (smsenc-protocol(7), Stored state).
// For this purpose, the tools must follow the order of steps that is described at `Sending` and `Receiving`.
// Error texts, prompts, options and environment variables are not handled here, but in UserInterface and the
// tools.

package import Crypto
internal import Protocol
package import System

/// An unlocked keyring, which is an SQLite file with one account and its contacts (smsenc-keyring(5)).
package final class Keyring {
    package let file: KeyringFile
    let masterKeys: MasterKeys
    /// The ring of the identity in use.
    var ring = Ring(id: 0, key: SecretBytes(count: 32))
    /// The session that unlocked the keyring, and the transient identities that this session contains.
    let session: Session?
    var transients: [IdentityRecord]
    /// The keys with which the session can reread messages, or nil if there is no session.
    var reread: RereadKeys?
    /// The list of records that was verified most recently.
    var verified: VerifiedList?
    let identityCache = RecordCache<IdentityRecord>()
    let addressCache = RecordCache<AddressBlock>()
    let usedKeyCache = RecordCache<[UInt128]>()
    /// The number of this process in `RunStore`, or nil if the process has no records yet.
    var knownRunNumber: Int64?

    package var path: String { file.path }
    package var account: Account { file.account }
    package var clocks: Clocks { file.clocks }
    var database: Database { file.database }

    /// Verifies the list of records and the account in a read transaction, and selects the real identity.
    init(
        _ file: KeyringFile, master: consuming SecretBytes, session: Session? = nil,
        _ transients: [IdentityRecord] = [], _ reread: RereadKeys? = nil
    ) throws(KeyringError) {
        self.file = file
        masterKeys = MasterKeys(master: master)
        self.session = session
        self.transients = transients
        self.reread = reread
        let transaction = try file.database.beginReading()
        let store = try KeyringStore(self)
        try file.verifyAccount(store.header)
        ring = try store.identities.real().ring
        transaction.end()
    }

    /// Creates an unlocked keyring from a new file, which does not contain any identities yet.
    init(new file: KeyringFile, _ masterKeys: consuming MasterKeys) {
        self.file = file
        self.masterKeys = masterKeys
        (session, transients) = (nil, [])
    }

    /// Opens a session that lasts for the given number of seconds. Returns the token of the session.
    package func openSession(seconds: Int64) throws(KeyringError) -> SecretBytes {
        try Session.open(
            master: masterKeys.master, keyring: account.keyring, seconds: seconds,
            folder: file.places.sessions, clocks: clocks)
    }

    /// Returns a keyed hash of a text, as 32 hexadecimal digits. The hash key is derived from the master key,
    /// so the hash of a text is the same after a backup is imported.
    package func hash(of text: Span<UInt8>) -> String {
        hex(Array(bigEndian: masterKeys.textHash.value("text", text)))
    }

    /// Changes the user name and the password, and ends all sessions except `session`. Only the master key
    /// is encrypted again, because the data does not depend on the password. This function runs scrypt,
    /// which takes 128 MiB of memory and a few tenths of a second.
    package func changePassword(
        user: String, password: borrowing SecretBytes, keeping session: String?
    ) throws(KeyringError) {
        try replaceAccount(
            by: try account.changed(user: user, master: masterKeys.master, password: password))
        file.endSessions(but: session)
    }

    /// Changes the calling code for numbers that are written without a calling code, or the settings of the
    /// lockout.
    package func changeSettings(
        country: String? = nil, lockout: (tries: Int, seconds: Int)? = nil
    ) throws(KeyringError) {
        try replaceAccount(
            by: account.with(country: country, lockout: lockout), completesNumbers: country != nil)
    }

    /// - Throws: `busy` if another process has changed the account since this process read it.
    private func replaceAccount(
        by changed: Account, completesNumbers: Bool = false
    ) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            guard store.header.accountDigest == account.digest else { throw .store(.busy) }
            try changed.write(to: database)
            store.header.accountDigest = changed.digest
            guard completesNumbers else { return }
            // The contacts of transient identities of other sessions cannot be opened.
            for record in try store.identities.openRecords() {
                try store.contacts(in: record.ring).renumber(country: changed.country)
            }
        }
        file.account = changed
    }
}
