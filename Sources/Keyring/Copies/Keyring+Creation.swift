package import Crypto

package import System

extension Keyring {
    /// What a new account is made of.
    package struct NewAccount: Sendable {
        package let user: String
        package let country: String
        package let lockTries: Int
        package let lockSeconds: Int

        package init(user: String, country: String, lockTries: Int, lockSeconds: Int) {
            self.user = user
            self.country = country
            self.lockTries = lockTries
            self.lockSeconds = lockSeconds
        }
    }

    /// Throws `exists` when there is something at `path`.
    package static func checkAbsent(_ path: String) throws(KeyringError) {
        if File.exists(path) { throw .file(.exists(path)) }
    }

    /// Makes a keyring. It appears whole or not at all, and never takes the place of anything.
    ///
    /// - Throws: `exists`, `cannotMake`, `exposed`.
    package static func create(
        at path: String, for new: NewAccount, password: borrowing SecretBytes,
        places: StandardPaths,
        clocks: Clocks
    ) throws(KeyringError) {
        try checkAbsent(path)
        let master = try randomSecret(32)
        let account = try Account(
            keyring: try randomBytes(16), user: new.user, country: new.country,
            lockTries: new.lockTries, lockSeconds: new.lockSeconds, master: master,
            password: password)
        let draft = try KeyringDraft(at: path, account, master: master, places: places)
        try draft.add(Identity(id: Identity.realID, kind: .real, name: "real"), .drawn())
        try draft.publish()
    }
}
