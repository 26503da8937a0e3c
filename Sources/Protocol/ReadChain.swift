/// A receiving chain as it stood before the first message that was read from it in a session, with which the
/// messages read since can be read again (smsenc(7), State on disk).
package final class ReadChain {
    /// Steps that a search takes at most, so that it ends even if the chain never comes to its end.
    private static let longest = 1 << 22

    /// The number of the chain, within a contact.
    package let number: Int64
    package let start: ChainKey
    /// Behind the message that was found last: the next one is most likely the one after it.
    private var place: ChainKey

    package init(number: Int64, start: consuming ChainKey) {
        self.number = number
        place = start.fork()
        self.start = start
    }

    /// Tries the keys of the messages that were read, up to where the chain stands now.
    ///
    /// - Parameter symbols: 160, a ciphertext; a frame afterwards, with a blank next key, if a key fits.
    package func opens(
        _ symbols: inout MutableSpan<UInt8>, upTo end: borrowing ChainKey, _ cipher: inout Cipher
    ) -> Bool {
        for _ in 0..<2 {
            var steps = 0
            while !place.stands(where: end), steps < Self.longest {
                if place.step(&cipher).opensAgain(&symbols, &cipher) { return true }
                steps += 1
            }
            place = start.fork()
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
