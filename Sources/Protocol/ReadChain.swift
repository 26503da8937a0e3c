/// A copy of a receiving chain, made before the first message that a session decrypted with the chain. With
/// the copy, the session can decrypt that message and all later ones again (smsenc-keyring(5), reread).
package final class ReadChain {
    /// Maximum number of steps in a search, so that it ends even if the chain never reaches its end.
    private static let maximumSteps = 1 << 22

    /// The number of the chain among the contact's chains.
    package let number: Int64
    package let start: ChainKey
    /// The chain after the last message that was found. The next message that is searched for usually follows
    /// it.
    private var chainAfterLastMatch: ChainKey?

    package init(number: Int64, start: consuming ChainKey) {
        self.number = number
        self.start = start
    }

    /// Tries to decrypt a message with the keys from the start of this chain up to `end`.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols. If a key matches, it becomes the frame, with a blank
    ///   next key.
    /// - Returns: true if a key matches.
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
    /// Tries to decrypt a message again, with the keys from the start of `chain` up to the receiving chain.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols. If a key matches, it becomes the frame, with a blank
    ///   next key.
    /// - Returns: true if a key matches.
    package borrowing func rereads(
        _ symbols: inout MutableSpan<UInt8>, with chain: ReadChain, _ cipher: inout Cipher
    ) -> Bool {
        chain.opens(&symbols, upTo: receiving.chain, &cipher)
    }
}

extension MessageKey {
    /// Tries to decrypt a message again with this key.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols. If the key matches, it becomes the frame, with a
    ///   blank next key.
    /// - Returns: true if the key matches.
    package borrowing func opensAgain(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        guard decrypt(&symbols, &cipher) else { return false }
        Conversation.blankNextKey(&symbols)
        return true
    }
}
