// The keyring: one SQLite file with an account, its identities, their contacts, and the keys.
//
//     Account/    the password, the lockout, sessions, the account's settings
//     Store/      the database, transactions, the keyring header, sealing, and verification
//     Rows/       the content of rows: identities, contacts, skipped keys, keys in flight, unwritten keys
//     Exchange/   encrypting and decrypting messages, in the steps pass, commit and finish
//     Copies/     detection of copied or restored keyrings, backups, making and deleting keyrings
//     here        the keyring file, the keyring locked and unlocked, the functions that tools call, and errors
//
// This target makes sure that no key is used twice and no message is lost (smsenc-protocol(7), Stored state).
// Tools cannot call the steps in a wrong order. This target has no error texts, asks the user nothing, and
// reads neither options nor the environment. UserInterface and the tools do this.

package import Crypto
internal import Protocol
package import System

/// An unlocked keyring: one account and its contacts in an SQLite file (smsenc-keyring(5)).
package final class Keyring {
    package let file: KeyringFile
    let keys: UnlockedKeys
    /// True if a commit now would erase expired keys, as it was when the keyring was unlocked.
    private var hasExpiredKeys = false

    package var path: String { file.path }
    package var account: Account { file.account }
    package var clocks: Clocks { file.clocks }
    var database: Database { file.database }
    var commitCount: CommitNote { file.commitCount }

    /// Reads the ring, and verifies the account and the identities, within a reading transaction of the caller.
    init(
        _ file: KeyringFile, master: consuming SecretBytes, session: Session? = nil,
        _ transients: TransientIdentities = TransientIdentities(), _ reread: RereadKey? = nil
    ) throws(KeyringError) {
        let vault = MasterKeys(master: master)
        let ring = try RingRecord.stored(Identity.realID, in: file.database, vault).ring
        self.file = file
        keys = UnlockedKeys(
            vault: vault, ring: ring, session: session, transients: transients, reread: reread)
        let store = try KeyringStore(self)
        try file.verifyAccount(store.ledger)
        try Verification(store).rings()
        hasExpiredKeys = store.ledger.isUntidy(clocks)
    }

    /// Makes an unlocked keyring from a file that is being made and has no rings yet.
    init(new file: KeyringFile, _ keys: UnlockedKeys) {
        self.file = file
        self.keys = keys
    }

    /// Opens a keyring and unlocks it with a session, in one reading transaction.
    ///
    /// - Throws: the errors of opening a `LockedKeyring`, and of `Session.contents`.
    package static func open(
        path: String, places: StandardPaths, clocks: Clocks, with session: Session
    ) throws(KeyringError) -> Keyring {
        var unlocked: Keyring?
        _ = try KeyringFile(path: path, places: places, clocks: clocks) {
            (file) throws(KeyringError) in
            let contents = try session.contents(of: file.account.keyring, clocks: clocks)
            unlocked = try Keyring(
                file, master: contents.master.duplicate(), session: session, contents.transients,
                contents.rereadKey)
        }
        guard let unlocked else { preconditionFailure("the keyring was opened without a call") }
        unlocked.eraseExpiredKeys()
        return unlocked
    }

    /// Erases expired keys if there were any when the keyring was unlocked. Expired keys are never used in any
    /// case, so an error does not matter. The next unlocking tries again.
    func eraseExpiredKeys() {
        guard hasExpiredKeys else { return }
        hasExpiredKeys = false
        try? cleanUp { (store) throws(KeyringError) in
            if let now = store.now { try store.eraseExpiredKeys(at: now) }
        }
    }

    /// Returns the key under which the open session stores keys for rereading.
    ///
    /// - Throws: `needed` if there is no session, `keepsNothing`.
    func rereadKey() throws(KeyringError) -> RereadKey {
        guard keys.session != nil else { throw .session(.needed) }
        guard let key = keys.reread else { throw .session(.keepsNothing) }
        return key
    }

    /// Opens a session for a number of seconds and returns its token.
    package func openSession(seconds: Int64) throws(KeyringError) -> SecretBytes {
        try Session.open(
            master: keys.vault.master, keyring: account.keyring, seconds: seconds,
            folder: file.places.sessions, clocks: clocks)
    }

    /// Changes the user name and the password. Only the master key is encrypted again, not the data. All
    /// sessions end, except `session`. Runs scrypt, which takes 128 MiB and some tenths of a second.
    package func change(
        user: String, password: borrowing SecretBytes, keeping session: String?
    ) throws(KeyringError) {
        try replaceAccount(
            by: try account.changed(
                user: user, master: keys.vault.master, password: password))
        file.endSessions(but: session)
        // The sessions have ended even if this fails. Nobody can then open the rows they leave.
        try? eraseReread { mark in session.map { !mark.isOf(file: $0) } ?? true }
    }

    /// Changes the country code that completes telephone numbers, or the lockout.
    package func change(
        country: String? = nil, lockout: (tries: Int, seconds: Int)? = nil
    ) throws(KeyringError) {
        try replaceAccount(by: account.with(country: country, lockout: lockout))
    }

    private func replaceAccount(by changed: Account) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            try changed.write(to: database)
            store.ledger.account = changed.digest
            if changed.country != account.country {
                try store.renumber(country: changed.country)
            }
        }
        file.accountWasChanged(to: changed)
    }
}

/// The keys of an unlocked keyring, and data cached with them.
final class UnlockedKeys {
    let vault: MasterKeys
    /// The ring of the identity in use.
    var ring: Ring
    /// The session that unlocked the keyring, and the transient identities that it holds.
    let session: Session?
    var transients: TransientIdentities
    /// The session's key for rereading, or nil if the session stores no keys for that.
    let reread: RereadKey?
    /// A cache of the used keys and offers.
    var usedKeys = UsedKeys()
    /// True once the contacts were verified completely, which happens once in a process.
    var hasCheckedContacts = false

    init(
        vault: consuming MasterKeys, ring: Ring, session: Session?, transients: TransientIdentities,
        reread: RereadKey? = nil
    ) {
        self.vault = vault
        self.ring = ring
        self.session = session
        self.transients = transients
        self.reread = reread
    }
}
