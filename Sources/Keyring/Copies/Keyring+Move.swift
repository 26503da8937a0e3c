internal import Crypto
internal import System

/// Moves a keyring to another file (smsenc-keyring(1), move).
///
/// 1. A commit marks the old keyring as leaving, which means that it is being moved. From then on, no other
///    command uses this keyring.
/// 2. The new keyring is written to a draft in the folder of the new file, and synchronised. The header of
///    the draft marks the new keyring as arriving.
/// 3. A commit records that the new file may exist. The keyring can then no longer be moved to another file.
/// 4. The draft is renamed to the new file.
/// 5. The caller erases the old keyring.
///
/// If the move is interrupted at any step, the user can repeat it.
extension Keyring {
    /// Marks the keyring as leaving, and copies it to a new file. Afterwards, the caller must call
    /// `KeyringDeletion.destroy`.
    ///
    /// - Returns: true if the new keyring is already in use and needs the rollback note of this keyring.
    /// - Throws: `inUse` if another process has not finished its messages, `leaving` if the keyring is being
    ///   moved to another file, `exists` if another file exists at `path`, `cannotMake`, `exposed`.
    package func move(to path: String) throws(KeyringError) -> Bool {
        guard let path = try? PathChecks.resolved(path) else {
            throw .file(.cannotMake(path, ErrorNumber.missing))
        }
        try checkingPaths(PathChecks.check(of: path))
        let number = try leave(to: path)
        let draft = Self.draftPath(for: path, number)
        let isAdopted = try change(.move) { (store) throws(KeyringError) in
            if File.exists(path) {
                guard try isCopy(path, number) else { throw .file(.exists(path)) }
            } else if case .leaving(_, isPublished: true) = store.header.move {
                guard File.exists(draft) else { throw .copy(.leaving(path)) }
            } else {
                // An earlier attempt may have left an incomplete draft.
                Database.remove(draft)
                try write(draft, for: path, number, store)
                store.header.move = .leaving(path: path, isPublished: true)
            }
            return store.header.commits < store.countInNote ?? 0
        }
        if !File.exists(path) { try Self.publish(draft, as: path) }
        try checkingIO(PathChecks.synchroniseFolder(of: path)) { .file(.cannotMake(path, $0)) }
        return isAdopted
    }

    /// Marks the keyring as leaving, which means that it is being moved. Returns the random number of the
    /// move.
    private func leave(to path: String) throws(KeyringError) -> [UInt8] {
        try change(.move) { (store) throws(KeyringError) in
            if try store.runs.hasLiveProcess() { throw .copy(.inUse) }
            if case .leaving(let earlier, let isPublished) = store.header.move {
                if earlier == path { return store.header.moveNumber }
                if isPublished { throw .copy(.leaving(earlier)) }
                Database.remove(Self.draftPath(for: earlier, store.header.moveNumber))
                // Make the removal durable. After this commit, the keyring no longer contains the path of the
                // earlier draft.
                PathChecks.synchronise(of: earlier)
            }
            try Self.checkAbsent(path)
            store.header.moveNumber = try randomBytes(KeyringHeader.moveNumberSize)
            store.header.move = .leaving(path: path, isPublished: false)
            return store.header.moveNumber
        }
    }

    /// Returns true if the move with the given number has created the keyring at `path`. This keyring may
    /// already have been adopted.
    private func isCopy(_ path: String, _ number: [UInt8]) throws(KeyringError) -> Bool {
        let file = try Database(path: path)
        guard let sealed = try? KeyringHeader.sealed(in: file),
            let header = try? KeyringHeader(sealed, masterKeys)
        else { return false }
        return header.moveNumber == number && [.arriving, .none].contains(header.move)
    }

    /// Writes all tables to a new file. The header of the new file marks the keyring as arriving.
    private func write(
        _ draft: String, for path: String, _ number: [UInt8], _ store: KeyringStore
    ) throws(KeyringError) {
        try Self.create(draft, for: path)
        try file.verifyAccount(store.header)
        var header = store.header
        header.move = .arriving
        // The next commit here raises the count in the rollback note. The new keyring may use the same note,
        // so it must have the raised count.
        header.commits += 1
        try Database.createKeyring(
            at: draft, account, header, masterKeys, store.copyRecords(to:))
        // After the keyring has recorded that the new file may exist, a power failure must not remove the
        // draft, and must not bring back its log.
        try checkingIO(PathChecks.synchroniseFolder(of: draft)) { .file(.cannotMake(draft, $0)) }
    }
}

extension KeyringStore {
    /// Copies all records of the list, in sealed form, and the list itself.
    fileprivate func copyRecords(to copy: Database) throws(KeyringError) {
        for name in verified.list.names {
            guard let sealed = try sealedRecord(name) else { continue }
            try copy.write(sealed.bytes, as: name)
            try copy.writeTag(sealed.tag, of: name)
        }
    }
}
