package import Crypto

package import System

/// An open session, which is a file that contains the master key. The file is sealed with a token. This token
/// exists only in the environment of the user's shell.
///
///     offset  bytes  content
///     0       8      "smsenc1s"
///     8       16     the keyring's id
///     24      32     SHA-256 of the boot id, or zeros if the boot id could not be read
///     56      8      expiry, in seconds since the boot
///     64      n      sealed: the master key (32), a list of transient identities (`IdentityRecord`), and the
///                    keys for rereading (`RereadKeys`); the associated data are the first 64 bytes
///
/// A process locks the file (flock(2)) while it replaces or removes the file. A session that was ended
/// therefore never comes back. A process that also locks the database or the rollback note must lock these
/// before the session file.
package final class Session {
    /// Maximum number of transient identities in a session.
    static let maximumTransients = 16
    private static let tokenSize = 16
    /// Maximum number of bytes in a session file. No session file is longer than 600 KB.
    private static let maximumSize = 1 << 20
    /// Milliseconds to wait for the lock. After this time, a session file is removed without the lock.
    private static let patience: Int32 = 2_000

    private let token: SecretBytes
    /// The name of the session file.
    package let name: String
    package let path: String
    /// The path of the draft, which is a new file that replaces the session file when it is complete.
    private var draft: String { path + Self.draftSuffix }
    private static let draftSuffix = ".new"

    /// Creates a `Session` from its token, which is the value of SMSENC_SESSION.
    ///
    /// - Parameter folder: the folder of session files.
    /// - Throws: `malformed`.
    package convenience init(token text: String, folder: String) throws(KeyringError) {
        guard var token = bytes(hex: text), token.count == Self.tokenSize else {
            throw .session(.malformed)
        }
        defer { wipe(&token) }
        self.init(token: SecretBytes(copying: token.span), in: folder)
    }

    private init(token: consuming SecretBytes, in folder: String) {
        name = hex(Array(bigEndian: KeyedHash(token).value("smsenc session name", Span())))
        path = folder + "/" + name
        self.token = token
    }

    /// Opens a session that lasts for the given number of seconds. Returns the token of the session.
    package static func open(
        master: borrowing SecretBytes, keyring: [UInt8], seconds: Int64, folder: String,
        clocks: Clocks
    ) throws(KeyringError) -> SecretBytes {
        try prepare(folder)
        let session = Session(token: try randomSecret(tokenSize), in: folder)
        let header = Header(keyring: keyring, expiry: clocks.boot() + seconds, clocks)
        let contents = Contents(
            header: header, master: master.duplicate(), transients: [], reread: RereadKeys())
        let sealed = try session.seal(contents)
        _ = try checkingIO(session.replace(with: sealed, if: true)) {
            .session(.cannotMake(session.path, $0))
        }
        return session.token.duplicate()
    }

    /// The content of a session file.
    package struct Contents: ~Copyable {
        fileprivate let header: Header
        let master: SecretBytes
        var transients: [IdentityRecord]
        var reread: RereadKeys
    }

    /// Returns the content of the session file.
    ///
    /// - Throws: `ended`, `otherKeyring`, `exposed`, `unreadable`, `damaged`.
    package func contents(of keyring: [UInt8], clocks: Clocks) throws(KeyringError) -> Contents {
        try contents(in: Self.file(at: path), isLocked: false, of: keyring, clocks)
    }

    /// Waits for the lock on the session file, and changes the content of the file.
    ///
    /// - Parameter body: changes the content.
    /// - Throws: the errors of `contents` and of `body`, `busy`, and `cannotWrite`. If an error is thrown,
    ///   either the file is unchanged, or the session has ended.
    func update(
        of keyring: [UInt8], clocks: Clocks,
        _ body: (inout Contents) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        let file = try Self.lockedFile(at: path, patience: Database.patience)
        defer { file.unlock() }
        var contents = try contents(in: file, isLocked: true, of: keyring, clocks)
        try body(&contents)
        let sealed = try seal(contents)
        do throws(IOError) {
            // If this process was stopped for too long, another process may have ended the session without the
            // lock.
            if try replace(with: sealed, if: file.isAtItsPath) { return }
        } catch {
            if file.isAtItsPath { throw .session(.cannotWrite(path, error.code)) }
        }
        throw .session(.ended)
    }

    /// Writes the new content to a draft next to the session file. Then, if `isOpen` is true, replaces the
    /// session file with the draft and returns true.
    private func replace(
        with bytes: [UInt8], if isOpen: @autoclosure () -> Bool
    ) throws(IOError) -> Bool {
        // A process that was killed may have left a draft.
        try? File.remove(draft)
        do throws(IOError) {
            try File(creating: draft).writeAll(bytes.span)
            if isOpen() {
                try File.replace(path, with: draft)
                return true
            }
        } catch {
            try? File.remove(draft)
            throw error
        }
        try? File.remove(draft)
        return false
    }

    private func seal(_ contents: borrowing Contents) throws(KeyringError) -> [UInt8] {
        var record = SecretWriter()
        record.put(contents.master)
        record.put(contents.transients) { $0.write(to: &$1) }
        contents.reread.write(to: &record)
        let header = contents.header.bytes
        return header + (try sealingKey.seal(record.finish(), in: header))
    }

    /// Returns the content of the session file. If the file is locked and the session has expired, removes the
    /// file.
    private func contents(
        in file: borrowing File, isLocked: Bool, of keyring: [UInt8], _ clocks: Clocks
    ) throws(KeyringError) -> Contents {
        let bytes = try read(file)
        let header = try Header(of: bytes)
        guard header.isCurrent(clocks) else {
            if isLocked, clocks.knowsBoot { Self.remove(path) }
            throw .session(.ended)
        }
        guard header.keyring == keyring else { throw .session(.otherKeyring) }
        do throws(InvalidRecord) {
            var record = SecretReader(
                try sealingKey.open(
                    bytes.span.extracting(Header.size...),
                    associated: bytes.span.extracting(..<Header.size)))
            return Contents(
                header: header, master: try record.secret(32),
                transients: try record.list(IdentityRecord.init(from:)),
                reread: try RereadKeys(from: &record))
        } catch {
            throw .session(.damaged)
        }
    }

    private var sealingKey: SealingKey {
        SealingKey(key: derive(from: token, "smsenc session key"))
    }

    /// Ends the session. Returns true if the session file existed.
    @discardableResult
    package func end() -> Bool { Self.end(path) }

    /// Returns true if a session has expired, or if its file certainly does not exist.
    static func hasEnded(at path: String, clocks: Clocks) -> Bool {
        guard let header = header(at: path) else { return !File.exists(path) }
        return !header.isCurrent(clocks)
    }

    /// Removes session files of this user. A file is removed if its session has expired, or was opened before
    /// the machine was restarted. Has no effect if the boot id cannot be read.
    package static func removeExpired(in folder: String, clocks: Clocks) {
        guard clocks.knowsBoot else { return }
        for found in files(in: folder) where !found.header.isCurrent(clocks) {
            let path = folder + "/" + found.name
            // If another process holds the lock, that process will notice that the session has expired.
            guard let file = try? lockedFile(at: path, patience: 0) else { continue }
            remove(path)
            file.unlock()
        }
    }

    /// Ends every session of a keyring except the session named `kept`, and returns the number of sessions
    /// that were ended.
    static func endAll(of keyring: [UInt8], but kept: String?, folder: String) -> Int {
        // A draft is removed together with its session.
        let ended = files(in: folder).filter {
            $0.header.keyring == keyring && $0.name != kept && !$0.name.hasSuffix(draftSuffix)
        }
        return ended.count { end(folder + "/" + $0.name) }
    }

    /// Returns the ids of the keyrings that have sessions.
    static func keyrings(in folder: String) -> [[UInt8]] {
        files(in: folder).map { $0.header.keyring }
    }

    /// Returns the names and headers of all session files. A folder that belongs to another user is treated
    /// as empty.
    private static func files(in folder: String) -> [(name: String, header: Header)] {
        guard PathChecks.isOwn(folder) else { return [] }
        return PathChecks.names(in: folder).compactMap { name in
            guard name.first != ".", let header = header(at: folder + "/" + name) else {
                return nil
            }
            return (name, header)
        }
    }

    /// Returns the header of a session file, or nil for other kinds of files and for files of other users.
    private static func header(at path: String) -> Header? {
        guard let file = try? File(reading: path, isUntrustedPath: true), file.isOwnRegular,
            let bytes = try? file.beginning(Header.size)
        else { return nil }
        return try? Header(of: bytes)
    }

    /// Removes a session file. Returns true if the file existed.
    ///
    /// If another process holds the lock for too long, that process was probably stopped while it wrote a
    /// draft. The session file is then removed without the lock.
    private static func end(_ path: String) -> Bool {
        guard let file = try? lockedFile(at: path, patience: patience) else { return remove(path) }
        defer { file.unlock() }
        return remove(path)
    }

    /// Removes a session file and its draft. Returns true if the session file existed.
    @discardableResult
    private static func remove(_ path: String) -> Bool {
        try? File.remove(path + draftSuffix)
        return (try? File.remove(path)) != nil
    }

    /// Opens and locks a session file.
    ///
    /// - Parameter patience: the number of milliseconds to wait for the lock.
    /// - Throws: `ended`, `unreadable`, `busy`.
    private static func lockedFile(
        at path: String, patience: Int32
    ) throws(KeyringError) -> File {
        for attempt in 0...patience {
            if attempt > 0 { MonotonicClock.pause(milliseconds: 1) }
            let file = try file(at: path)
            let isLocked = try checkingIO(file.lock()) { .session(.unreadable(path, $0)) }
            // Another process may have replaced the file before it was locked.
            if isLocked, file.isAtItsPath { return file }
        }
        throw .store(.busy)
    }

    private static func file(at path: String) throws(KeyringError) -> File {
        try checkingIO(File(reading: path, isUntrustedPath: true)) {
            // Some errors do not tell whether the file exists, such as a lack of memory or a failure of the
            // disk.
            let isUnknown = ErrorNumber.unrelatedToFile.contains($0)
            return .session(isUnknown ? .unreadable(path, $0) : .ended)
        }
    }

    private func read(_ file: borrowing File) throws(KeyringError) -> [UInt8] {
        guard let size = file.privateSize else { throw .session(.exposed(path)) }
        guard size <= Self.maximumSize else { throw .session(.damaged) }
        return try checkingIO(file.beginning(Int(size))) { .session(.unreadable(path, $0)) }
    }

    /// Creates the folder of session files. If the folder exists, checks that it belongs to this user.
    private static func prepare(_ folder: String) throws(KeyringError) {
        do throws(PathFault) {
            try PathChecks.makePrivate(folder)
        } catch .cannotMake(_, let code) {
            throw .session(.cannotMake(folder, code))
        } catch {
            throw .session(.exposed(folder))
        }
    }
}

extension Session {
    /// The part of a session file that can be read without the token.
    fileprivate struct Header {
        static let size = 64
        private static let magic = Array("smsenc1s".utf8)
        private static let unknownBoot = [UInt8](repeating: 0, count: 32)

        let bytes: [UInt8]
        var keyring: [UInt8] { Array(bytes[8..<24]) }
        private var boot: ArraySlice<UInt8> { bytes[24..<56] }
        private var expiry: Int64 { Int64(bitPattern: bigEndian(bytes[56..<64])) }

        init(keyring: [UInt8], expiry: Int64, _ clocks: Clocks) {
            bytes = Self.magic + keyring + Self.boot(clocks) + Array(bigEndian: expiry)
        }

        /// Reads the header from the first bytes of a file.
        ///
        /// - Throws: `damaged`.
        init(of file: [UInt8]) throws(KeyringError) {
            guard file.count >= Self.size, file.starts(with: Self.magic) else {
                throw .session(.damaged)
            }
            bytes = Array(file.prefix(Self.size))
        }

        /// Returns false if the session has expired, or if it was opened before the machine was restarted.
        func isCurrent(_ clocks: Clocks) -> Bool {
            let isOtherBoot =
                clocks.knowsBoot && !boot.elementsEqual(Self.unknownBoot)
                && !boot.elementsEqual(Self.boot(clocks))
            return !isOtherBoot && clocks.boot() < expiry
        }

        private static func boot(_ clocks: Clocks) -> [UInt8] {
            clocks.knowsBoot ? Digest.sha256(Array(clocks.bootID.utf8)) : unknownBoot
        }
    }
}
