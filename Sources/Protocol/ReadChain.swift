/// A copy of a receiving chain, made before a session decrypted its first message with the chain. With the
/// copy, the session can decrypt that message and all later messages again (smsenc-keyring(5), reread).
package final class ReadChain {
    /// Maximum number of steps in a search, so that the search ends even if the chain never reaches its
    /// end.
    private static let maximumSteps = 1 << 22

    /// Index of the chain among the contact's chains.
    package let number: Int64
    package let start: ChainKey
    /// The chain after the message that was found last. In most cases, the next message uses the key after
    /// that message's key.
    private var chainAfterLastMatch: ChainKey?

    package init(number: Int64, start: consuming ChainKey) {
        self.number = number
        self.start = start
    }

    /// Tries to decrypt a message with the keys of this chain before `end`. Returns true if a key matches.
    /// The ciphertext is then replaced with the frame, in which the next key is blank.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols.
    package func opens(
        _ symbols: inout MutableSpan<UInt8>, upTo end: borrowing ChainKey, _ cipher: inout Cipher
    ) -> Bool {
        if let chain = chainAfterLastMatch.take(),
            search(from: chain, upTo: end, &symbols, &cipher)
        {
            return true
        }
        return search(from: start.fork(), upTo: end, &symbols, &cipher)
    }

    private func search(
        from start: consuming ChainKey, upTo end: borrowing ChainKey,
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        var chain = start
        for _ in 0..<Self.maximumSteps {
            if chain.isAtSamePosition(as: end) { return false }
            if chain.step(&cipher).opensAgain(&symbols, &cipher) {
                chainAfterLastMatch = consume chain
                return true
            }
        }
        return false
    }
}

extension Conversation {
    /// Tries to decrypt a message again, with the keys from the start of `chain` up to the current
    /// receiving chain. Returns true if a key matches. The ciphertext is then replaced with the frame, in
    /// which the next key is blank.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols.
    package borrowing func rereads(
        _ symbols: inout MutableSpan<UInt8>, with chain: ReadChain, _ cipher: inout Cipher
    ) -> Bool {
        chain.opens(&symbols, upTo: receiving.chain, &cipher)
    }
}

extension MessageKey {
    /// Tries to decrypt a message again with this key. Returns true if the key matches. The ciphertext is
    /// then replaced with the frame, in which the next key is blank.
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
