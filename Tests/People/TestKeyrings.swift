package import Crypto
package import Foundation
package import Keyring
package import Protocol
package import System
internal import Synchronization

extension KeyringFile {
    /// Unlocks the keyring with the password.
    package func unlock(password: borrowing SecretBytes) throws(KeyringError) -> Keyring {
        try unlock(master: try masterKey(password: password))
    }
}

/// Creates keyrings for tests, and synchronises two keyrings.
///
/// Creating a keyring takes the time of scrypt. Each keyring is therefore created once per run and then
/// copied.
package enum TestKeyrings {
    package static let password = "Correct horse!"

    /// Copies the keyring of a user, with an open session. The copy has not been adopted yet. Returns the
    /// token of the session.
    ///
    /// - Parameter clocks: the clocks with the boot ID of the session.
    package static func copy(
        of user: String, country: String = "", to path: String, _ places: StandardPaths,
        _ clocks: Clocks
    ) throws -> String {
        let key = "\(user) \(country) \(clocks.bootID)"
        let original = try originals.withLock { originals in
            let original = try originals[key] ?? Original(user, country, clocks)
            originals[key] = original
            return original
        }
        let files = FileManager.default
        try files.copyItem(atPath: original.path, toPath: path)
        try files.createDirectory(
            atPath: places.sessions, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for name in try files.contentsOfDirectory(atPath: original.places.sessions) {
            try files.copyItem(
                atPath: original.places.sessions + "/" + name, toPath: places.sessions + "/" + name)
        }
        return original.token
    }

    /// Keyrings that were created, by user, country and boot ID.
    private static let originals = Mutex<[String: Original]>([:])

    private struct Original {
        let path: String
        let places: StandardPaths
        let token: String

        init(_ user: String, _ country: String, _ clocks: Clocks) throws {
            let folder = try makeTemporaryFolder().path
            removeAtExit(folder)
            path = folder + "/keyring"
            places = StandardPaths(state: folder + "/state", sessions: folder + "/sessions")
            let password = secret(TestKeyrings.password)
            try Keyring.create(
                at: path, user: user, country: country, lockTries: 3, lockSeconds: 300,
                password: password, places: places)
            let keyring = try KeyringFile(path: path, places: places, clocks: clocks)
                .unlock(password: password)
            let secretToken = try keyring.openSession(seconds: 1_000_000_000)
            token = bytes(of: secretToken).map { String(format: "%02x", $0) }.joined()
            try keyring.file.close()
        }
    }

    /// A person's open keyring, and the name and number with which the other person stores that person.
    package typealias Side = (keyring: Keyring, name: String, number: String)

    /// Adds each person to the contacts of the other person, and synchronises them by offers.
    package static func synchronise(_ one: Side, _ other: Side, verify: Bool = false) throws {
        for (keyring, peer) in [(one.keyring, other), (other.keyring, one)] {
            _ = try keyring.add(name: peer.name, number: peer.number)
        }
        try synchroniseAgain((one.keyring, other.name), (other.keyring, one.name), verify: verify)
    }

    /// Synchronises two people, who are contacts of each other, by offers.
    ///
    /// - Parameters:
    ///   - one: the keyring of the first person, and the name of the other person in it.
    ///   - other: the keyring of the other person, and the name of the first person in it.
    package static func synchroniseAgain(
        _ one: (keyring: Keyring, contact: String), _ other: (keyring: Keyring, contact: String),
        verify: Bool = false
    ) throws {
        let sides = [one, other]
        let contacts = try sides.map { try $0.keyring.contact(named: $0.contact) }
        let offers = try sides.indices.map { try sides[$0].0.offer(contacts[$0], renew: false) }
        for (index, (keyring, _)) in sides.enumerated() {
            let pending = try keyring.prepare(
                contacts[index], with: offers[1 - index], force: false)
            let codes = try keyring.synchronise(pending, Agreement(pending.exchange))
            if verify { try keyring.markVerified(contacts[index], having: codes) }
        }
    }
}

/// Creates a temporary folder that no other user can open.
///
/// - Parameter inMemory: true to prefer a file system in memory, which is faster.
package func makeTemporaryFolder(inMemory: Bool = false) throws -> URL {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isInMemory = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
    let folder = (isInMemory ? memory : FileManager.default.temporaryDirectory)
        .resolvingSymlinksInPath().appendingPathComponent("smsenc-" + UUID().uuidString)
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
}

/// Replaces the contents of a file in place, because a keyring in a new file would count as a copy.
package func overwrite(_ path: String, _ bytes: some DataProtocol) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
}

/// Removes a folder when the process ends, because statics are never deinitialised.
package func removeAtExit(_ folder: String) {
    foldersToRemove.withLock { folders in
        if folders.isEmpty {
            atexit {
                foldersToRemove.withLock { folders in
                    for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
                }
            }
        }
        folders.append(folder)
    }
}

private let foldersToRemove = Mutex<[String]>([])

package func secret(_ text: String) -> SecretBytes {
    let utf8 = Array(text.utf8)
    return SecretBytes(copying: utf8.span)
}

package func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
    secret.withSpan { span in span.indices.map { span[$0] } }
}

/// Returns the chain key of a chain.
package func chainKey(of chain: borrowing Chain) -> [UInt8] {
    var record = SecretWriter(capacity: Chain.size)
    chain.write(to: &record)
    return Array(bytes(of: record.finish()).dropFirst(2 * 4))
}

/// Returns a sync key in the form in which it is shown to the user.
package func text(of key: borrowing SyncKey) -> String {
    var text = ""
    key.withShownForm { span in
        text = String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
    }
    return text
}
