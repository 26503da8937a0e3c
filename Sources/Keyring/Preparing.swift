/// Exchanges that are worked out while the disk is still busy with the one before.
extension Keyring {
    /// Enciphers on the state that there is now, for a commit that `commit(prepared:)` makes. Nothing
    /// is written, and nobody else is kept waiting.
    ///
    /// - Parameter body: as that of `exchange`.
    package func prepare(
        _ body: (Exchange) throws(KeyringError) -> Bool
    ) throws(KeyringError) -> Exchange? {
        let keys = try unlocked()
        try database.openLog()
        return try database.reading { () throws(KeyringError) in
            let exchange = Exchange(self, keys)
            exchange.isAhead = true
            return try body(exchange) ? exchange : nil
        }
    }

    /// Commits what was prepared, without waiting for the disk: `awaitDisk` does. It must not be the
    /// first commit of a keyring that was opened, which may make the log.
    ///
    /// - Returns: false when somebody has changed a contact meanwhile, so that nothing of it stands.
    /// - Throws: what `exchange` throws.
    package func commit(prepared exchange: Exchange) throws(KeyringError) -> Bool {
        try commit(disk: .later, isUse: true) { (_, change) throws(KeyringError) in
            change.stands = try exchange.savePrepared()
            if change.stands { change.isNeeded = try exchange.finish() }
            return change.stands
        }
    }
}
