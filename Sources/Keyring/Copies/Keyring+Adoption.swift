package import System

/// The user's decisions about a keyring that was copied or restored (smsenc-keyring(1), adopt).
extension Keyring {
    /// Accepts a keyring that was moved. The original keyring must no longer exist.
    ///
    /// - Parameter isComplete: true if the user is certain that the keyring is a complete copy, although it was
    ///   not made by `move`.
    /// - Throws: `behind` if the keyring was restored, or `leaving` if it was moved elsewhere. If such a
    ///   keyring were accepted, keys would be used twice. `incomplete` if the keyring is a copy and
    ///   `isComplete` is false.
    package func adoptMoved(isComplete: Bool) throws(KeyringError) {
        try change(.adoption) { (store) throws(KeyringError) in
            try store.checkIsNotLeaving()
            guard
                isComplete || store.header.move == .arriving
                    || store.header.home.isSameFile(as: file.hostBinding)
            else { throw .copy(.incomplete) }
            try store.checkIsNotBehind()
            store.bindToThisFile()
        }
    }

    /// Accepts a keyring that was restored. Erases all chains. The user must then synchronise with every
    /// contact again.
    package func adoptRestored() throws(KeyringError) {
        try change(.adoption) { (store) throws(KeyringError) in
            // This keyring is not the result of the move that was under way.
            if case .leaving = store.header.move {
                store.header.moveNumber = [UInt8](repeating: 0, count: KeyringHeader.moveNumberSize)
            }
            store.bindToThisFile()
            try store.runs.deleteAll()
            for record in try store.identities.records() {
                if let ring = try store.identities.openRing(record.id) {
                    try store.contacts(in: ring).requireSynchronisation()
                } else {
                    // This transient identity belongs to another session, so its contacts cannot be opened.
                    try store.identities.delete(record.id)
                }
            }
        }
    }
}

extension StandardPaths {
    /// Returns the folder of the rollback notes if this folder is in memory, but the keyring at `path` is
    /// not. Otherwise, returns nil. A restart of the machine erases such a folder. All tools then refuse the
    /// keyring, because its note is missing.
    package func volatileState(besides path: String) -> String? {
        PathChecks.isInMemory(state) && !PathChecks.isInMemory(PathChecks.folder(of: path))
            ? state : nil
    }
}

extension KeyringStore {
    /// Binds the keyring to this machine and file, and raises its count of commits to the count in the
    /// rollback note.
    fileprivate func bindToThisFile() {
        header.home = keyring.file.hostBinding
        header.move = .none
        header.commits = max(header.commits, countInNote ?? 0)
    }
}
