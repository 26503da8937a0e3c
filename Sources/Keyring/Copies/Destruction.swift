package import System

/// The end of a keyring: the file, its log, the note of its commits, its sessions.
///
/// What comes after the first sector goes first, and is synchronised; until then that sector tells what
/// the file is, and from then on a tombstone in the second. Then the first sector goes, then the names. So
/// whatever breaks it off, it can be said again and goes on. Nothing is asked of the system that
/// another user could keep waiting: no lock, no SQLite, no opening of what is no file.
package enum Destruction {
    /// What a disk writes as a whole. It holds the header, and no key.
    private static let sector = 512
    /// Where the table `account` has its row: the second page.
    private static let accountPage = 4096..<8192
    /// What the second sector begins with when it is erased; the keyring's id follows, or zeros.
    private static let tombstone = Array("smsenc destroyed".utf8)
    private static let idSize = 16

    /// Deletes a keyring and all that belongs to it; needs no password.
    ///
    /// The file is overwritten first, which a disk that never writes in place does not honour. A
    /// damaged keyring goes as well, and one that others can reach; what is no keyring stays.
    ///
    /// - Throws: `missing`, `exposed` where somebody else owns it, `notAKeyring`; `unreadable` where its
    ///   name stays; `notErased`, when all else is done.
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
        SafeFolder.synchronise(of: path)
        for id in ids {
            _ = Session.endAll(of: id, but: nil, folder: places.sessions)
            CommitCount(folder: places.state, keyring: id).remove()
        }
        if let failure = failures.lazy.compactMap({ $0 }).first { throw failure }
    }

    /// Overwrites a part of a file with some bytes, and zeros after them, and synchronises it. What the
    /// medium does not take of it does not keep it from the rest.
    ///
    /// - Returns: the first thing that went wrong.
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

    /// Overwrites a file beside the keyring. One that another user has put there is left alone, but
    /// said to be there if it holds something.
    private static func eraseBeside(_ path: String) -> KeyringError? {
        guard File.holdsSomething(path) else { return nil }
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

    /// The ids by which a keyring's note and sessions are known; nil for what is no keyring.
    ///
    /// A keyring has the application id in its header, or else, the header being damaged, the table
    /// `account` where it always lies: described in the first page, or, in the second, with the id of
    /// a note or session that is kept here. One that is being erased has the tombstone.
    private static func ids(of start: [UInt8], _ places: StandardPaths) -> [[UInt8]]? {
        let second = start.dropFirst(sector)
        if second.starts(with: tombstone), second.count >= tombstone.count + idSize {
            let id = Array(second.dropFirst(tombstone.count).prefix(idSize))
            return id.contains { $0 != 0 } ? [id] : []
        }
        let page = Array(start.dropFirst(accountPage.lowerBound))
        let known = CommitCount.keyrings(in: places.state) + Session.keyrings(in: places.sessions)
        var ids: [[UInt8]] = []
        for id in known where !ids.contains(id) && holds(page, id) { ids.append(id) }
        let code = start.count < 72 ? 0 : bigEndian(start[68..<72])
        let isKeyring =
            !ids.isEmpty || code == Schema.applicationID
            || holds(Array(start.prefix(accountPage.lowerBound)), Schema.firstTable)
        return isKeyring ? ids : nil
    }

    private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count else { return false }
        return (0...(bytes.count - part.count)).contains { start in
            bytes[start] == part[0] && bytes[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
