internal import Primitives
package import Protocol

/// Exchanges with the keyring: each is one durable commit before any output, and one after it where
/// the output did not go as planned or a list is to be emptied.
extension Keyring {
    /// Enciphers or deciphers within one commit. Nothing may wait in `body`.
    ///
    /// - Throws: `moved` or `behind` for a copied keyring.
    package func exchange(
        _ body: (Exchange) throws(KeyringError) -> Void
    ) throws(KeyringError) -> Exchange {
        try commit(isUse: true) { (keys, change) throws(KeyringError) in
            let exchange = Exchange(self, keys)
            try body(exchange)
            change.isNeeded = try exchange.save()
            return exchange
        }
    }

    /// After a failed write, brings chains back to behind the last key of which any byte may have
    /// left. A chain that another process has moved meanwhile stays: its lost keys are lost messages.
    ///
    /// - Parameter kept: by contact, message keys taken up to the last ciphertext that may be out.
    package func takeBack(
        _ exchange: Exchange, keeping kept: [Int64: (keys: Int, messages: Int)],
        of all: [Int64: Int], _ bench: inout Workbench
    ) throws(KeyringError) {
        try commit { (_, change) throws(KeyringError) in
            change.isNeeded = false
            try exchange.land()
            for (contact, messages) in all {
                let stays = kept[contact] ?? (0, 0)
                guard let used = exchange.known(contact), stays.keys < used.keysTaken,
                    let present = try exchange.rows.link(contact), present.sends(like: used),
                    var chain = used.chainAtStart.take()
                else { continue }
                chain.skip(stays.keys, &bench)
                present.returnSending(to: chain, messages: messages - stays.messages)
                try exchange.rows.save(stateOf: present)
                change.isNeeded = true
            }
        }
    }

    /// Records that the ciphertexts of an exchange are out.
    package func land(_ exchange: Exchange) throws(KeyringError) {
        try database.lightTransaction { () throws(KeyringError) in try exchange.land() }
    }

    /// After the output is out, takes the keys of the messages written off the list of those that
    /// are not.
    ///
    /// - Parameter written: by contact, messages that are certainly out.
    package func settle(
        _ exchange: Exchange, written: [Int64: Int]
    ) throws(KeyringError) {
        guard !written.isEmpty else { return }
        try database.lightTransaction { () throws(KeyringError) in
            for (contact, count) in written {
                guard let link = exchange.known(contact) else { continue }
                try exchange.rows.settle(link, written: count)
            }
        }
    }
}
