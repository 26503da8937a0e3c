package import Primitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An open session: the master key in a file of its own, sealed under a token that only the
/// environment of the user's shell has.
///
///     offset  bytes  what
///     0       8      "smsenc1s"
///     8       16     the keyring's id
///     24      32     SHA-256 of the boot's id
///     56      8      expiry, in seconds since the boot
///     64      60     the master key, sealed; all of the above is associated with it
package struct Session: ~Copyable {
    private static let magic = Array("smsenc1s".utf8)
    private static let size = 64 + 32 + Sealer.overhead
    /// Bytes in a token.
    private static let tokenSize = 16

    private let token: SecretBytes
    private let path: String

    /// A session by its token, as it stands in SMSENC_SESSION.
    /// - Parameter folder: where sessions lie.
    package init(token text: String, folder: String) throws(KeyringError) {
        let digits = Array(text.utf8)
        var token = SecretBytes(count: Self.tokenSize)
        guard digits.count == 2 * Self.tokenSize else { throw .session(.malformed) }
        for index in 0..<Self.tokenSize {
            let pair = String(decoding: digits[(2 * index)..<(2 * index + 2)], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else { throw .session(.malformed) }
            token.withMutableSpan { $0[index] = byte }
        }
        self.init(token: token, in: folder)
    }

    private init(token: consuming SecretBytes, in folder: String) {
        let name = tagged(token, "smsenc session name", Span())
        path = folder + "/" + hex(name)
        self.token = token
    }

    /// Opens a session of so many seconds and returns its token.
    package static func open(
        master: borrowing SecretBytes, keyring: [UInt8], seconds: Int64, folder: String,
        clocks: Clocks
    ) throws(KeyringError) -> SecretBytes {
        try prepare(folder)
        let session = Session(
            token: try cryptography { () throws(CryptoError) in try Random.bytes(tokenSize) },
            in: folder)
        var header = magic + keyring + Digest.sha256(Array(clocks.bootID.utf8))
        let expiry = clocks.boot() + seconds
        for shift in stride(from: 56, through: 0, by: -8) {
            header.append(UInt8(truncatingIfNeeded: expiry >> Int64(shift)))
        }
        let sealed = try cryptography { () throws(CryptoError) in
            try master.withSpan { (master) throws(CryptoError) in
                try session.sealer().seal(master, associated: header.span)
            }
        }
        try session.write(header + sealed)
        return session.token.duplicate()
    }

    /// The master key that the session holds. One that has expired is removed.
    package func master(of keyring: [UInt8], clocks: Clocks) throws(KeyringError) -> SecretBytes {
        let bytes = try read()
        guard bytes.count == Self.size, bytes[..<8].elementsEqual(Self.magic) else {
            throw .session(.malformed)
        }
        guard bytes[8..<24].elementsEqual(keyring) else { throw .session(.otherKeyring) }
        let expiry = bytes[56..<64].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard bytes[24..<56].elementsEqual(Digest.sha256(Array(clocks.bootID.utf8))),
            clocks.boot() < expiry
        else {
            end()
            throw .session(.expired)
        }
        do throws(CryptoError) {
            return try sealer().open(
                bytes.span.extracting(64...), associated: bytes.span.extracting(..<64))
        } catch {
            throw .session(.malformed)
        }
    }

    /// Ends the session. True when there was one.
    @discardableResult
    package func end() -> Bool { unsafe unlink(path) == 0 }

    /// Ends every session of a keyring; how many there were.
    package static func endAll(of keyring: [UInt8], folder: String) -> Int {
        guard let listing = unsafe opendir(folder) else { return 0 }
        defer { _ = unsafe closedir(listing) }
        var ended = 0
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
                unsafe String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = folder + "/" + name
            if let bytes = SmallFile.contents(path), bytes.count == size,
                bytes[..<8].elementsEqual(magic), bytes[8..<24].elementsEqual(keyring),
                unsafe unlink(path) == 0
            {
                ended += 1
            }
        }
        return ended
    }

    private borrowing func sealer() throws(CryptoError) -> Sealer {
        try Sealer(key: derive(from: token, "smsenc session key"))
    }

    private borrowing func write(_ bytes: [UInt8]) throws(KeyringError) {
        let file = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .session(.cannotMake(path, errno)) }
        defer { close(file) }
        if let code = SmallFile.write(bytes, to: file) {
            _ = unsafe unlink(path)
            throw .session(.cannotMake(path, code))
        }
    }

    private borrowing func read() throws(KeyringError) -> [UInt8] {
        let file = systemOpen(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0)
        guard file >= 0 else { throw .session(.gone) }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_uid == geteuid(),
            facts.st_mode & 0o7777 == 0o600, facts.st_mode & S_IFMT == S_IFREG
        else { throw .session(.exposed(path)) }
        guard let bytes = SmallFile.contents(of: file) else { throw .session(.malformed) }
        return bytes
    }

    /// Makes the folder for sessions, or checks that it is nobody else's.
    private static func prepare(_ folder: String) throws(KeyringError) {
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw .session(.cannotMake(folder, errno))
        }
        var facts = stat()
        guard unsafe lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR,
            facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0
        else { throw .session(.exposed(folder)) }
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    unsafe open(path, flags, mode)
}
