internal import Crypto
internal import System

/// Moves a keyring to another file (smsenc-keyring(1), move).
///
/// First, the keyring records that it is leaving. From then on, no other command uses it. Then the new file is
/// written, synchronised and renamed to its final name. Its header says that it is arriving. Finally, the
/// caller erases the keyring here. After an interruption at any time, the move can be repeated.
extension Keyring {
    /// Copies the keyring, which is then leaving, to a new file. The caller must call
    /// `KeyringDeletion.destroy` after this function returns.
    ///
    /// - Throws: `inUse` if another process has not finished its messages, `leaving` if the new file of an
    ///   earlier attempt exists elsewhere, `exists` if another file is in the way, `cannotMake`.
    package func move(to path: String) throws(KeyringError) {
        guard let path = try? PathChecks.resolved(path) else {
            throw .file(.cannotMake(path, ErrorNumber.missing))
        }
        let number = try leave(to: path)
        if File.exists(path) {
            // An earlier attempt has written the whole file, or the file is another one.
            guard try isArrived(path, number) else { throw .file(.exists(path)) }
            return
        }
        try Self.checkAbsent(path)
        let draft = try Self.draftPath(for: path)
        do throws(KeyringError) {
            try write(draft, number)
            try Self.publish(draft, as: path)
        } catch {
            Database.remove(draft)
            throw error
        }
        PathChecks.synchronise(of: path)
    }

    /// Returns true if the file at a path is this keyring, arriving in the move with the given number.
    private func isArrived(_ path: String, _ number: [UInt8]) throws(KeyringError) -> Bool {
        let file = try Database(path: path)
        guard let sealed = try? KeyringHeader.sealed(in: file),
            let header = try? KeyringHeader(sealed, keys.masterKeys)
        else { return false }
        return header.move == .arriving(number: number)
    }

    /// Records that the keyring is leaving. Returns the random number of the move.
    private func leave(to path: String) throws(KeyringError) -> [UInt8] {
        try change(.move) { (store) throws(KeyringError) in
            if try store.runs.hasLiveProcess() { throw .copy(.inUse) }
            if case .leaving(let number, let earlier) = store.header.move {
                if earlier != path, File.exists(earlier) { throw .copy(.leaving(earlier)) }
                store.header.move = .leaving(number: number, path: path)
                return number
            }
            try Self.checkAbsent(path)
            let number = try randomBytes(KeyringMove.numberSize)
            store.header.move = .leaving(number: number, path: path)
            return number
        }
    }

    /// Writes all tables to a new file, whose header says that it is arriving.
    private func write(_ draft: String, _ number: [UInt8]) throws(KeyringError) {
        do throws(IOError) {
            _ = try File(creating: draft)
        } catch {
            throw .file(.cannotMake(draft, error.code))
        }
        let copy = try Database(path: draft)
        try copy.execute(Schema.text)
        try reading { (store) throws(KeyringError) in
            try copy.transaction { () throws(KeyringError) in
                try copy.statement("INSERT INTO account (id, record, lockout) VALUES (1, ?, ?)")
                    .bind(account.record).bind(Lockout().stored).run()
                try store.copyRecords(to: copy)
                var header = store.header
                header.move = .arriving(number: number)
                _ = try header.write(to: copy, keys.masterKeys)
            }
        }
        try copy.close()
    }

    private static func publish(_ draft: String, as path: String) throws(KeyringError) {
        do throws(IOError) {
            try File.publish(draft, as: path)
        } catch {
            throw .file(
                error.code == ErrorNumber.exists ? .exists(path) : .cannotMake(path, error.code))
        }
    }
}

extension KeyringStore {
    /// Copies all records of the list, in sealed form, and the list itself.
    fileprivate func copyRecords(to copy: Database) throws(KeyringError) {
        for name in names {
            guard let tag = tag(of: name), let sealed = try database.sealedRecord(name),
                RecordTag(of: sealed) == tag
            else {
                throw .store(.damaged("a record is missing or was replaced with an older copy"))
            }
            try copy.write(sealed, as: name)
            try copy.writeTag(tag, of: name)
        }
    }
}
