/// A receiving chain as it stood before the first message that was read from it in a session, with which the
/// messages read since can be read again (smsenc(7), State on disk).
package final class ReadChain {
    /// Steps that a search takes at most, so that it ends even if the chain never comes to its end.
    private static let longest = 1 << 22

    /// The number of the chain, within a contact.
    package let number: Int64
    package let start: ChainKey
    /// Behind the message that was found last: the next one is most likely the one after it.
    private var place: ChainKey?

    package init(number: Int64, start: consuming ChainKey) {
        self.number = number
        self.start = start
    }

    /// Tries the keys of the messages that were read, up to where the chain stands now.
    ///
    /// - Parameter symbols: 160, a ciphertext; a frame afterwards, with a blank next key, if a key fits.
    package func opens(
        _ symbols: inout MutableSpan<UInt8>, upTo end: borrowing ChainKey, _ cipher: inout Cipher
    ) -> Bool {
        if let place = place.take(), search(from: place, upTo: end, &symbols, &cipher) {
            return true
        }
        return search(from: start.fork(), upTo: end, &symbols, &cipher)
    }

    private func search(
        from start: consuming ChainKey, upTo end: borrowing ChainKey,
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        var chain = start
        for _ in 0..<Self.longest {
            if chain.stands(where: end) { return false }
            if chain.step(&cipher).opensAgain(&symbols, &cipher) {
                place = consume chain
                return true
            }
        }
        return false
    }
}

extension Conversation {
    /// Tries the keys of messages that were read from the receiving chain, up to where it stands now.
    ///
    /// - Parameter symbols: 160, a ciphertext; a frame afterwards, with a blank next key, if a key fits.
    package borrowing func rereads(
        _ symbols: inout MutableSpan<UInt8>, with chain: ReadChain, _ cipher: inout Cipher
    ) -> Bool {
        chain.opens(&symbols, upTo: receiving.chain, &cipher)
    }
}

extension MessageKey {
    /// Tries the key of a message that was read before.
    ///
    /// - Parameter symbols: 160, a ciphertext; a frame afterwards, with a blank next key, if the key fits.
    package borrowing func opensAgain(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Bool {
        guard opens(&symbols, &cipher) else { return false }
        Conversation.blankNextKey(&symbols)
        return true
    }
}
