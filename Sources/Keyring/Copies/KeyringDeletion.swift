package import System

/// Deletes a keyring with its write-ahead log, rollback note and sessions.
///
/// 1. The second sector is overwritten, and then begins with a tombstone.
/// 2. Everything after the second sector is overwritten.
/// 3. The first sector is overwritten.
/// 4. The files are removed.
///
/// Each overwritten part is synchronised before the next step. At each moment, either the first sector or the
/// tombstone identifies the file as a keyring. The user can therefore repeat a command that was interrupted.
/// If the user repeats `move`, the tombstone shows that only the deletion is unfinished.
///
/// The deletion takes no locks, does not use SQLite, and opens only regular files. Other users can therefore
/// not make the deletion wait.
package enum KeyringDeletion {
    /// Number of bytes that a disk writes atomically. The first sector contains the header of the file but no
    /// key.
    private static let sector = 512
    /// Range of the second page in the file. The second page contains the row of the table `account`.
    private static let accountPage = 4096..<8192
    /// The tombstone, which is written at the beginning of the second sector. The tombstone is followed by
    /// the keyring's id, or by zeros if the id is not known.
    private static let tombstone = Array("smsenc destroyed".utf8)
    private static let idSize = 16

    /// Deletes a keyring and all files that belong to it. No password is required.
    ///
    /// The file is overwritten before it is removed. Overwriting has no effect on disks that never write in
    /// place. A keyring is deleted even if it is damaged, or if other users have access to it. A file that is
    /// not a keyring remains unchanged.
    ///
    /// - Parameter keepingNote: true if a copy of the keyring needs the rollback note.
    /// - Throws: `missing`, `notAKeyring`, `exposed` if the file belongs to another user, `unreadable` if the
    ///   file cannot be removed, `notErased` if the file was removed but not overwritten.
    package static func destroy(
        at path: String, places: StandardPaths, keepingNote: Bool = false
    ) throws(KeyringError) {
        let file = try checkingPaths(File(ownedAt: path))
        let start = (try? file.beginning(accountPage.upperBound)) ?? []
        guard let ids = ids(of: start, places) else { throw .store(.notAKeyring(path)) }
        let size = file.regularSize ?? 0
        let tombstone = tombstone + (ids.first ?? [UInt8](repeating: 0, count: idSize))
        let (second, third) = (min(size, Int64(sector)), min(size, Int64(2 * sector)))
        var failures = [
            overwrite(file, from: second, to: third, beginning: tombstone),
            overwrite(file, from: third, to: size),
        ]
        for suffix in Database.suffixes { failures.append(eraseBeside(path + suffix)) }
        failures.append(overwrite(file, from: 0, to: second))
        for suffix in Database.suffixes { try? File.remove(path + suffix) }
        // Make the removal of the log durable before the keyring is removed. Otherwise, a power failure could
        // bring back the log, and nothing would remove it then.
        PathChecks.synchronise(of: path)
        do throws(IOError) {
            try File.remove(path)
        } catch {
            failures.insert(.file(.unreadable(path, error.code)), at: 0)
        }
        PathChecks.synchronise(of: path)
        for id in ids {
            _ = Session.endAll(of: id, but: nil, folder: places.sessions)
            if !keepingNote { RollbackNote(folder: places.state, keyring: id).remove() }
        }
        if let failure = failures.lazy.compactMap({ $0 }).first { throw failure }
    }

    /// Returns true if the deletion of the keyring at `path` was interrupted, and the file at `copy` is a
    /// copy of this keyring.
    package static func wasInterrupted(
        at path: String, copy: String, places: StandardPaths
    ) -> Bool {
        guard let start = (try? File(reading: path, isUntrustedPath: true).beginning(3 * sector)),
            start.dropFirst(sector).starts(with: tombstone),
            let copy = try? KeyringFile(path: copy, places: places, clocks: .system)
        else { return false }
        let id = start.dropFirst(sector + tombstone.count).prefix(idSize)
        return id.elementsEqual(copy.account.keyring)
    }

    /// Overwrites a part of a file with the given bytes followed by zeros, and synchronises the file. If a
    /// write fails, continues with the rest of the part.
    ///
    /// - Returns: the first error.
    private static func overwrite(
        _ file: borrowing File, from start: Int64, to end: Int64, beginning first: [UInt8] = []
    ) -> KeyringError? {
        var failure: IOError?
        let most = 65_536
        for place in stride(from: start, to: end, by: most) {
            var part = [UInt8](repeating: 0, count: Int(min(Int64(most), end - place)))
            if place == start {
                part = Array((first + part.dropFirst(first.count)).prefix(part.count))
            }
            do throws(IOError) {
                try file.overwrite(part.span, at: place)
            } catch {
                failure = failure ?? error
            }
        }
        do throws(IOError) {
            try file.synchronise()
        } catch {
            failure = failure ?? error
        }
        return failure.map { .store(.notErased(file.name, $0.code)) }
    }

    /// Overwrites a file next to the keyring. If the file belongs to another user, it remains unchanged, and
    /// the function returns an error unless the file is empty.
    private static func eraseBeside(_ path: String) -> KeyringError? {
        guard File.isNonEmptyFile(path) else { return nil }
        do throws(PathFault) {
            let file = try File(ownedAt: path)
            return overwrite(file, from: 0, to: file.regularSize ?? 0)
        } catch {
            switch error {
            case .unreadable(_, let code): return .store(.notErased(path, code))
            case .exposed: return .store(.notErased(path, ErrorNumber.notPermitted))
            default: return nil
            }
        }
    }

    /// Returns the ids under which the keyring may have a note and sessions, or nil if the file is not a
    /// keyring.
    ///
    /// A file is a keyring if it contains one of the following:
    ///
    /// - a tombstone, if its deletion was interrupted
    /// - the application id in its header
    /// - the definition of the table `account` in its first page
    /// - the id of a keyring that has a note or session here, in its second page
    private static func ids(of start: [UInt8], _ places: StandardPaths) -> [[UInt8]]? {
        let second = start.dropFirst(sector)
        if second.starts(with: tombstone), second.count >= tombstone.count + idSize {
            let id = Array(second.dropFirst(tombstone.count).prefix(idSize))
            return id.contains { $0 != 0 } ? [id] : []
        }
        let page = Array(start.dropFirst(accountPage.lowerBound))
        let known = RollbackNote.keyrings(in: places.state) + Session.keyrings(in: places.sessions)
        var ids: [[UInt8]] = []
        for id in known where !ids.contains(id) && contains(page, id) { ids.append(id) }
        let code = start.count < 72 ? 0 : bigEndian(start[68..<72])
        let isKeyring =
            !ids.isEmpty || code == Schema.applicationID
            || contains(Array(start.prefix(accountPage.lowerBound)), Schema.firstTable)
        return isKeyring ? ids : nil
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count else { return false }
        return (0...(bytes.count - part.count)).contains { start in
            bytes[start] == part[0] && bytes[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
