/// A copy of a receiving chain, made before a message was decrypted with the chain. The copy allows a session
/// to decrypt this message and all later messages of the chain again (smsenc-keyring(5), Session).
package final class ReadChain {
    package let start: Chain
    /// The chain after the message that was found last. In most cases, the next message uses the key after
    /// that message's key.
    private var chainAfterLastMatch: Chain?

    package init(_ start: consuming Chain) { self.start = start }

    /// Tries to decrypt a message with the keys of this chain before the key number `end`. If a key matches,
    /// replaces the ciphertext with the frame without its next key, and returns the position of the key.
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

    /// Returns the keys of messages of this chain.
    ///
    /// - Parameter runs: the positions of the messages in ascending order, none of them before the start.
    package func keys(of runs: [KeyRun], _ cipher: inout Cipher) -> [SpentKey] {
        var chain = start.fork()
        return runs.flatMap { (run) in
            chain.skip(Int(run.keys.lowerBound - chain.next), &cipher)
            return run.keys.map {
                SpentKey(chain.step(&cipher), at: KeyPosition(chain: chain.number, key: $0))
            }
        }
    }

    private func search(
        from start: consuming Chain, before end: UInt32, _ symbols: inout MutableSpan<UInt8>,
        _ cipher: inout Cipher
    ) -> KeyPosition? {
        var chain = start
        while chain.next < end {
            let position = chain.position
            if chain.step(&cipher).opensAgain(&symbols, &cipher) {
                chainAfterLastMatch = consume chain
                return position
            }
        }
        return nil
    }
}

extension MessageKey {
    /// Tries to decrypt a message again with this key. Returns true if the key matches. The ciphertext is then
    /// replaced with the frame, and its next key with spaces.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols.
    package borrowing func opensAgain(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        guard decrypt(&symbols, &cipher) else { return false }
        Conversation.blankNextKey(&symbols)
        return true
    }
}
