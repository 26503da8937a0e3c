/// A copy of a receiving chain, which is made before the chain is used to decrypt a message. With a
/// `ChainCopy`, a session can decrypt this message and all later messages of the chain again
/// (smsenc-keyring(5), Session).
package final class ChainCopy {
    package let start: Chain
    /// The chain after the key that matched last. The next search for a message key begins with this chain,
    /// because messages usually arrive in order.
    private var chainAfterLastMatch: Chain?

    package init(_ start: consuming Chain) { self.start = start }

    /// Tries to decrypt a message with the keys of this chain whose numbers are below `end`. If a key matches,
    /// returns its position and replaces the ciphertext with the frame. Spaces replace the next key in the
    /// frame.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols.
    package func decryptAgain(
        _ symbols: inout MutableSpan<UInt8>, before end: UInt32, _ cipher: inout Cipher
    ) -> KeyPosition? {
        if let chain = chainAfterLastMatch.take(),
            let found = search(from: chain, before: end, &symbols, &cipher)
        {
            return found
        }
        return search(from: start.fork(), before: end, &symbols, &cipher)
    }

    /// Returns the message keys of this chain that are listed in `runs`.
    ///
    /// - Parameter runs: the positions of the keys in ascending order, beginning at `start` or later.
    package func keys(of runs: [KeyRun], _ cipher: inout Cipher) -> [SpentKey] {
        var chain = start.fork()
        return runs.flatMap { (run) in
            chain.skip(Int(run.keys.lowerBound - chain.next), &cipher)
            return run.keys.map { (_) in chain.take(&cipher) }
        }
    }

    private func search(
        from start: consuming Chain, before end: UInt32, _ symbols: inout MutableSpan<UInt8>,
        _ cipher: inout Cipher
    ) -> KeyPosition? {
        var chain = start
        while chain.next < end {
            let key = chain.take(&cipher)
            if key.opensAgain(&symbols, &cipher) {
                chainAfterLastMatch = consume chain
                return key.position
            }
        }
        return nil
    }
}
