package import Crypto

package import System

/// An open session, which is a file with the master key. The file is sealed under a token, which exists only
/// in the environment of the user's shell.
///
///     offset  bytes  what
///     0       8      "smsenc1s"
///     8       16     the keyring's id
///     24      32     SHA-256 of the boot's id
///     56      8      expiry, in seconds since the boot
///     64      n      sealed: the master key (32), the key for rereading (32) or zeros, and transient
///                    identities (`TransientIdentities`); the associated data are the first 64 bytes
package final class Session {
    private static let magic = Array("smsenc1s".utf8)
    private static let headerSize = 64
    /// Bytes in a token.
    private static let tokenSize = 16

    private let token: SecretBytes
    /// The name of the session's file.
    package let name: String
    private let path: String

    /// Creates a `Session` from its token, the value of SMSENC_SESSION.
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
        name = hex(KeyedHash(token).tag("smsenc session name", Span()))
        path = folder + "/" + name
        self.token = token
    }

    /// Opens a session for a number of seconds and returns its token.
    package static func open(
        master: borrowing SecretBytes, keyring: [UInt8], seconds: Int64, folder: String,
        clocks: Clocks
    ) throws(KeyringError) -> SecretBytes {
        try prepare(folder)
        let session = Session(token: try randomSecret(tokenSize), in: folder)
        let header =
            magic + keyring + Digest.sha256(Array(clocks.bootID.utf8))
            + Array(bigEndian: clocks.boot() + seconds)
        try session.write(header, master, TransientIdentities(), SecretBytes(count: 0))
        return session.token.duplicate()
    }

    /// Replaces the transient identities in the session's file.
    func store(_ transients: borrowing TransientIdentities) throws(KeyringError) {
        let bytes = try read()
        let held = try opened(bytes)
        try write(Array(bytes.prefix(Self.headerSize)), held.master, transients, held.reread)
    }

    /// Changes the content of the session's file. Does nothing if the session has ended or expired.
    func updateIfOpen(
        of keyring: [UInt8], clocks: Clocks,
        _ change: (inout Contents) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        let bytes: [UInt8]
        do throws(KeyringError) {
            bytes = try read()
        } catch {
            if error == .session(.gone) { return }
            throw error
        }
        guard bytes.count <= Self.headerSize || Self.isCurrent(bytes, clocks) else { return }
        var held = try opened(bytes)
        try change(&held)
        try write(Array(bytes.prefix(Self.headerSize)), held.master, held.transients, held.reread)
    }

    /// Writes the session's file. If writing fails, the old file remains unchanged.
    private func write(
        _ header: [UInt8], _ master: borrowing SecretBytes,
        _ transients: borrowing TransientIdentities, _ reread: borrowing SecretBytes
    ) throws(KeyringError) {
        var record = SecretWriter(capacity: master.count + transients.size + reread.count)
        record.put(master)
        transients.write(to: &record)
        record.put(reread)
        let bytes =
            header + (try sealingKey.seal(record.finish(), in: AssociatedData(session: header)))
        let draft = path + ".new"
        do throws(IOError) {
            try? File.remove(draft)
            try File(creating: draft).writeAll(bytes.span)
            try File.replace(path, with: draft)
        } catch {
            try? File.remove(draft)
            throw .session(.cannotMake(path, error.code))
        }
    }

    /// The content of a session's file.
    package struct Contents: ~Copyable {
        /// The id of the keyring.
        let keyring: [UInt8]
        let master: SecretBytes
        let transients: TransientIdentities
        var reread: SecretBytes
    }

    /// Returns the content of the session's file. Removes the file if the session has expired.
    ///
    /// - Throws: `gone`, `expired`, `otherKeyring`, `exposed`, `unreadable`, `damaged`.
    package func contents(of keyring: [UInt8], clocks: Clocks) throws(KeyringError) -> Contents {
        let bytes = try read()
        guard bytes.count > Self.headerSize, bytes[..<8].elementsEqual(Self.magic) else {
            throw .session(.damaged)
        }
        guard bytes[8..<24].elementsEqual(keyring) else { throw .session(.otherKeyring) }
        guard Self.isCurrent(bytes, clocks) else {
            end()
            throw .session(.expired)
        }
        return try opened(bytes)
    }

    private func opened(_ bytes: [UInt8]) throws(KeyringError) -> Contents {
        guard bytes.count > Self.headerSize else { throw .session(.damaged) }
        do throws(InvalidRecord) {
            var record = SecretReader(
                try sealingKey.open(
                    bytes.span.extracting(Self.headerSize...),
                    associated: bytes.span.extracting(..<Self.headerSize)))
            let master = try record.secret(32)
            let transients = try TransientIdentities(from: &record)
            return Contents(
                keyring: Array(bytes[8..<24]), master: master, transients: transients,
                reread: try record.secret(record.remaining))
        } catch {
            throw .session(.damaged)
        }
    }

    /// Returns true if a session's file exists and the session has not expired.
    static func isOpen(name: String, folder: String, clocks: Clocks) -> Bool {
        guard let bytes = File.contents(of: folder + "/" + name) else { return false }
        return bytes.count > headerSize && isCurrent(bytes, clocks)
    }

    private static func isCurrent(_ bytes: [UInt8], _ clocks: Clocks) -> Bool {
        let expiry = Int64(bitPattern: bigEndian(bytes[56..<64]))
        return bytes[24..<56].elementsEqual(Digest.sha256(Array(clocks.bootID.utf8)))
            && clocks.boot() < expiry
    }

    /// Ends the session. Returns true if the session's file existed.
    @discardableResult
    package func end() -> Bool { (try? File.remove(path)) != nil }

    /// Ends every session of a keyring except the session named `kept`, and returns the number of sessions
    /// that were ended.
    static func endAll(of keyring: [UInt8], but kept: String?, folder: String) -> Int {
        let ended = files(in: folder).filter { $0.keyring == keyring && $0.name != kept }
        return ended.count { (try? File.remove(folder + "/" + $0.name)) != nil }
    }

    /// Returns the ids of the keyrings that have sessions.
    static func keyrings(in folder: String) -> [[UInt8]] { files(in: folder).map { $0.keyring } }

    /// Returns the names and keyring ids of all session files. A folder that belongs to another user is
    /// treated as empty.
    private static func files(in folder: String) -> [(name: String, keyring: [UInt8])] {
        guard PathChecks.isOwn(folder) else { return [] }
        return PathChecks.names(in: folder).compactMap { name in
            guard let bytes = File.contents(of: folder + "/" + name), bytes.count > headerSize,
                bytes.starts(with: magic)
            else { return nil }
            return (name, Array(bytes[8..<24]))
        }
    }

    private var sealingKey: SealingKey {
        SealingKey(key: derive(from: token, "smsenc session key"))
    }

    private func read() throws(KeyringError) -> [UInt8] {
        let file: File
        do throws(IOError) {
            file = try File(reading: path, isUntrustedPath: true)
        } catch {
            // If no descriptor or memory is left, or the disk fails, it is unknown whether the file exists.
            let isUnknown = ErrorNumber.unrelatedToFile.contains(error.code)
            throw .session(isUnknown ? .unreadable(path, error.code) : .gone)
        }
        guard file.isPrivate else { throw .session(.exposed(path)) }
        do throws(IOError) {
            return try file.beginning(1 << 20)
        } catch {
            throw .session(.unreadable(path, error.code))
        }
    }

    /// Creates the folder of session files or, if it exists, checks that it belongs to this user.
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
