package import Crypto
package import System

/// A keyring that is open but not unlocked. Only unencrypted data can be read.
package struct LockedKeyring: ~Copyable {
    package let file: KeyringFile

    /// Creates a locked keyring from a file that is already open.
    package init(_ file: KeyringFile) { self.file = file }

    /// Opens a keyring without unlocking it.
    ///
    /// - Throws: `missing`, `exposed`, `hardLinked`, `openElsewhere`, `notAKeyring`, `otherVersion`, `damaged`.
    /// - Parameter toCheck: true if the keyring is opened only to be checked. Its list of records may then be
    ///   damaged.
    package init(
        path: String, places: StandardPaths, clocks: Clocks, toCheck: Bool = false
    ) throws(KeyringError) {
        file = try KeyringFile(path: path, places: places, clocks: clocks, toCheck: toCheck)
    }

    /// Unlocks the keyring with its master key.
    package consuming func unlock(
        master: consuming SecretBytes
    ) throws(KeyringError) -> Keyring {
        let reading = try file.database.beginReading()
        let keyring = try Keyring(file, master: master)
        reading.end()
        return keyring
    }

    /// Unlocks the keyring with the content of a session file.
    package consuming func unlock(
        with contents: borrowing Session.Contents
    ) throws(KeyringError) -> Keyring {
        try unlock(master: contents.master.duplicate())
    }

    /// Unlocks the keyring with the password.
    ///
    /// - Throws: `wrongPassword`, `lockedOut`, `busy`, `damaged`.
    package consuming func unlock(
        password: borrowing SecretBytes
    ) throws(KeyringError) -> Keyring {
        let master = try file.masterKey(password: password)
        return try unlock(master: master)
    }
}
