package import System

/// Deletes a keyring with its write-ahead log, rollback note and sessions.
///
/// Everything after the first sector is overwritten first and synchronised. Until then the first sector
/// identifies the file as a keyring. Afterwards a tombstone in the second sector does. Then the first sector
/// is overwritten, and the files are removed. If anything interrupts this, the command can be repeated and
/// continues.
///
/// Nothing here waits for another user: no locks are taken, SQLite is not used, and only regular files are
/// opened.
package enum KeyringDeletion {
    /// Bytes that a disk writes atomically. The first sector has the file's header and no key.
    private static let sector = 512
    /// Position of the row of table `account`: the second page.
    private static let accountPage = 4096..<8192
    /// The tombstone: the first bytes of the second sector after it was erased. The keyring's id, or zeros,
    /// follow.
    private static let tombstone = Array("smsenc destroyed".utf8)
    private static let idSize = 16

    /// Deletes a keyring and all files that belong to it. Needs no password.
    ///
    /// The file is overwritten first. Overwriting has no effect on disks that never write in place. A keyring
    /// that is damaged, or to which other users have access, is deleted as well. A file that is not a keyring
    /// is not touched.
    ///
    /// - Throws: `missing`; `exposed` if the file belongs to another user; `notAKeyring`; `unreadable` if the
    ///   file cannot be removed; `notErased` if it was removed but not overwritten.
    package static func destroy(at path: String, places: StandardPaths) throws(KeyringError) {
        let file = try checkingPaths(File(ownedAt: path))
        let start = (try? file.beginning(accountPage.upperBound)) ?? []
        guard let ids = ids(of: start, places) else { throw .store(.notAKeyring(path)) }
        let size = file.regularSize ?? 0
        let tombstone = tombstone + (ids.first ?? [UInt8](repeating: 0, count: idSize))
        let second = Int64(sector)
        var failures = [overwrite(file, from: second, to: size, beginning: tombstone)]
        for suffix in Database.suffixes { failures.append(eraseBeside(path + suffix)) }
        failures.append(overwrite(file, from: 0, to: min(size, second)))
        for suffix in Database.suffixes { try? File.remove(path + suffix) }
        do throws(IOError) {
            try File.remove(path)
        } catch {
            failures.insert(.file(.unreadable(path, error.code)), at: 0)
        }
        PathChecks.synchronise(of: path)
        for id in ids {
            _ = Session.endAll(of: id, but: nil, folder: places.sessions)
            RollbackNote(folder: places.state, keyring: id).remove()
        }
        if let failure = failures.lazy.compactMap({ $0 }).first { throw failure }
    }

    /// Overwrites a part of a file with some bytes followed by zeros, and synchronises it. If a write fails,
    /// continues with the rest.
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

    /// Overwrites a file beside the keyring. A file of another user is not touched, but reported as an error
    /// if it is not empty.
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

    /// Returns the ids of the keyring's note and sessions, or nil if the file is not a keyring.
    ///
    /// A keyring has the application id in its header. If the header is damaged, a keyring is recognised by
    /// the table `account`: either the first page has its definition, or the second page contains the id of a
    /// note or session that exists here. A keyring that is being erased has the tombstone.
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
