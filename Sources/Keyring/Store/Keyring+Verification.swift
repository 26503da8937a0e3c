/// Verifies the whole keyring.
extension Keyring {
    /// Verifies all rows. The keyring may have been restored, because this function runs before the user
    /// decides whether to adopt the keyring.
    package func verifyAll() throws(KeyringError) {
        try reading { (store) throws(KeyringError) in
            try Verification(store).everything()
        }
    }

    /// Verifies every page, row, sealed record and sum of the keyring. The keyring is not changed.
    ///
    /// - Parameter report: receives each fault as it is found.
    /// - Returns: the number of contacts that cannot be opened here, because they belong to transient
    ///   identities of other sessions.
    /// - Throws: `behind` for an intact keyring that was restored, and errors other than damage.
    package func check(report: @escaping (IntegrityIssue) -> Void) throws(KeyringError) -> Int {
        try reading { (store) throws(KeyringError) in
            let verification = Verification(store, report: report)
            try verification.collectingDamage("any contact", at: "pages") {
                () throws(KeyringError) in
                let pages = try store.database.statement("PRAGMA integrity_check")
                while try pages.step() {
                    let text = pages.text(0).split(separator: "\n").joined(separator: " ")
                    if text != "ok" { try verification.addIssue("pages: \(text)", "any contact") }
                }
            }
            try verification.collectingDamage("any contact") { () throws(KeyringError) in
                try Schema.check(store.database)
            }
            try verification.collectingDamage("the account") { () throws(KeyringError) in
                try verification.account()
                _ = try file.failedTries()
            }
            try verification.everything(opensAll: true)
            if verification.isSound { try store.checkIsNotBehind() }
            return verification.unseen
        }
    }
}
