package import Primitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Keyring {
    /// What a new account is made of.
    package struct NewAccount: Sendable {
        package let user: String
        package let country: String
        package let lockTries: Int
        package let lockSeconds: Int

        package init(user: String, country: String, lockTries: Int, lockSeconds: Int) {
            self.user = user
            self.country = country
            self.lockTries = lockTries
            self.lockSeconds = lockSeconds
        }
    }

    /// Throws `exists` when something stands at `path`.
    package static func checkAbsent(_ path: String) throws(KeyringError) {
        var facts = stat()
        if unsafe lstat(path, &facts) == 0 { throw .exists(path) }
    }

    /// Makes a keyring. It appears whole or not at all, and never takes the place of anything.
    ///
    /// - Throws: `exists`, `cannotMake`, `exposed`.
    package static func create(
        at path: String, for new: NewAccount, password: borrowing SecretBytes, places: Places,
        clocks: Clocks
    ) throws(KeyringError) {
        try checkAbsent(path)
        try Folder.make(of: path)
        try Folder.check(of: path)
        let master = try cryptography { () throws(CryptoError) in try Random.bytes(32) }
        let account = try Account(
            keyring: try randomBytes(16), user: new.user, country: new.country,
            lockTries: new.lockTries, lockSeconds: new.lockSeconds, master: master,
            password: password)
        let draft = path + ".new-" + hex(try randomBytes(4))
        let file = systemOpen(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotMake(path, errno) }
        close(file)
        defer { _ = unsafe unlink(draft) }
        do throws(KeyringError) {
            try fill(draft, account, master)
        } catch {
            _ = unsafe unlink(draft + "-wal")
            _ = unsafe unlink(draft + "-shm")
            throw error
        }
        guard hardLink(draft, path) == 0 else {
            throw errno == EEXIST ? .exists(path) : .cannotMake(path, errno)
        }
        Folder.synchronise(of: path)
        try CommitNote(folder: places.state, keyring: account.keyring).raise(to: 1)
    }

    private static func fill(
        _ draft: String, _ account: Account, _ master: borrowing SecretBytes
    ) throws(KeyringError) {
        let database = try Database(path: draft, create: true)
        try database.execute(Schema.text)
        let secret = master.duplicate()
        let vault = try cryptography { () throws(CryptoError) in
            try Vault(master: secret.duplicate())
        }
        var ledger = Ledger(home: try Home(of: draft))
        ledger.commits = 1
        ledger.rings = 1
        try database.transaction { () throws(KeyringError) in
            try account.write(to: database)
            try database.execute(
                "INSERT INTO lockout (id, tries, holder, boot, until) VALUES (1, 0, '', '', 0)")
            let key = try cryptography { () throws(CryptoError) in try Random.bytes(32) }
            try RingRecord(id: Identity.realID, kind: .real, key: key, name: "real")
                .write(to: database, vault, version: 1)
            try ledger.write(to: database, vault)
        }
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    unsafe open(path, flags, mode)
}

private func hardLink(_ from: String, _ to: String) -> Int32 {
    unsafe link(from, to)
}
