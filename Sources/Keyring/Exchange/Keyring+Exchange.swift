internal import Crypto
package import Protocol

/// Exchanges with the keyring: each is one commit, made durable and noted by `completeCommit` before any
/// output, and one after it where the output did not go as planned or a list is to be emptied.
extension Keyring {
    /// Runs `body` on one state of the keyring: many look-ups cost less so.
    package func reading<Result>(
        _ body: () throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        try database.reading(body)
    }

    /// Enciphers or deciphers within one commit. Nothing may wait in `body`, which returns false to let
    /// nothing of it stand.
    ///
    /// - Parameter deciphers: true where messages are deciphered, not enciphered.
    /// - Returns: nil where nothing of it stands.
    /// - Throws: `moved` or `behind` for a copied keyring. Then nothing stands either.
    package func exchange(
        deciphers: Bool = false, _ body: (Exchange) throws(KeyringError) -> Bool
    ) throws(KeyringError) -> Exchange? {
        try commit(deciphers ? .onDiskWithKeys : .onDisk, isUse: true) {
            (keys, change) throws(KeyringError) in
            let exchange = Exchange(self, keys)
            guard try body(exchange) else {
                change.stands = false
                return nil
            }
            change.isNeeded = try exchange.finish()
            return exchange
        }
    }

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

    /// Commits what was prepared, without waiting for the disk: `completeCommit` does. It must not be
    /// the first commit of a keyring that was opened, which may make the log.
    ///
    /// - Returns: false when somebody has changed a contact meanwhile, so that nothing of it stands.
    /// - Throws: what `exchange` throws.
    package func commit(prepared exchange: Exchange) throws(KeyringError) -> Bool {
        try commit(.open, isUse: true) { (_, change) throws(KeyringError) in
            change.stands = try exchange.savePrepared()
            if change.stands { change.isNeeded = try exchange.finish() }
            return change.stands
        }
    }

    /// After a failed write, brings chains back to behind the last key of which any byte may have
    /// left. A chain that another process has moved meanwhile stays: its lost keys are lost messages.
    ///
    /// - Parameters:
    ///   - kept: by contact, message keys and messages up to the last ciphertext that may be out.
    ///   - all: by contact, messages enciphered.
    package func takeBack(
        _ exchange: Exchange, keeping kept: [Int64: (keys: Int, messages: Int)],
        of all: [Int64: Int], _ bench: inout Workbench
    ) throws(KeyringError) {
        try commit(.onDisk) { (_, change) throws(KeyringError) in
            change.isNeeded = false
            try exchange.land()
            for index in 0..<exchange.uses.count {
                let contact = exchange.uses[index].contact
                let stays = kept[contact] ?? (0, 0)
                guard let chain = exchange.uses[index].chain(behind: stays.keys, &bench),
                    let end = exchange.uses[index].chainAtEnd(&bench),
                    let present = try exchange.rows.link(contact), present.sends(from: end)
                else { continue }
                present.returnSending(
                    to: chain, messages: (all[contact] ?? 0) - stays.messages)
                try exchange.rows.save(stateOf: present)
                change.isNeeded = true
            }
        }
    }

    /// Records that the ciphertexts of an exchange are out, once and for all or, with `goingOn`, where
    /// the next exchange is to follow at once and will record it: then only if others depend on it.
    package func land(_ exchange: Exchange, goingOn: Bool = false) throws(KeyringError) {
        if goingOn, !exchange.passesGaps { return }
        try database.lightTransaction { () throws(KeyringError) in try exchange.land() }
    }

    /// After the output is out, takes the keys of the messages written off the list of those that
    /// are not.
    ///
    /// - Parameter written: by contact, messages of these exchanges that are certainly out; nil for
    ///   all.
    package func settle(
        _ exchanges: [Exchange], written: [Int64: Int]? = nil
    ) throws(KeyringError) {
        var left = written ?? [:]
        guard exchanges.contains(where: { !$0.uses.isEmpty }) else { return }
        try database.lightTransaction { () throws(KeyringError) in
            for exchange in exchanges {
                for index in 0..<exchange.uses.count {
                    guard let spent = exchange.uses[index].spent else { continue }
                    let contact = exchange.uses[index].contact
                    let count =
                        written == nil ? spent.count : min(spent.count, left[contact] ?? 0)
                    left[contact]? -= count
                    try exchange.rows.settle(
                        contact, spent.number, written: count, of: spent.count)
                }
            }
        }
    }
}
