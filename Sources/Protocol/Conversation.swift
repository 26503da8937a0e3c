// The protocol of smsenc-protocol(7): keys, the pad, conversations, and how two people synchronise.
//
// This target decides which key encrypts and decrypts what, and in which order keys are tried. Keys/ has a
// file for each kind of key. The other files have conversations, skipped message keys, sync keys, offers, and
// the agreement that both lead to.
//
// This target knows nothing of files, processes or clocks: callers pass the time and store the results.
// Keyring decides what is durable and when. Error texts are not here either. All secrets are in types of
// Crypto that overwrite themselves. Encrypting with a message key consumes it.

package import Crypto

/// The protocol state shared with one contact: a chain for each direction, and the next keys that are not
/// mixed in yet (smsenc-protocol(7), Next keys).
package struct Conversation: ~Copyable {
    package var sending: Direction
    package var receiving: Direction
    /// Your own next key. Every message carries this next key until the contact has mixed it in.
    package var ownNext: NextKey?
    /// The last next key that was learned from the contact.
    package var learned: NextKey?
    /// True until `learned` is mixed into the sending direction.
    package var isPending: Bool

    package init(
        sending: consuming Direction, receiving: consuming Direction,
        ownNext: consuming NextKey? = nil, learned: consuming NextKey? = nil,
        isPending: Bool = false
    ) {
        self.sending = sending
        self.receiving = receiving
        self.ownNext = ownNext
        self.learned = learned
        self.isPending = isPending
    }

    /// True once a next key was learned from the contact, which happens when the first message is received.
    package var hasLearned: Bool {
        switch learned {
        case .none: false
        case .some: true
        }
    }

    /// Encrypts a frame. The caller must make the new state durable before it outputs the ciphertext.
    ///
    /// - Parameters:
    ///   - symbols: a frame of 160 symbols, which becomes a ciphertext. Its next key is overwritten.
    ///   - limit: maximum number of message keys to use.
    ///   - draw: generates a next key.
    /// - Returns: the number of message keys used, including those discarded, and false if the frame was not
    ///   encrypted because all keys within the limit had to be discarded.
    package mutating func send(
        _ symbols: inout MutableSpan<UInt8>, limit: Int, _ cipher: inout Cipher,
        draw: () throws(CryptoError) -> NextKey = NextKey.generate
    ) throws(CryptoError) -> (keys: Int, isWritten: Bool) {
        mixPendingNextKey(&cipher)
        if ownNext == nil { ownNext = try draw() }
        ownNext?.write(into: &symbols)
        for keys in stride(from: 1, through: limit, by: 1) {
            let key = sending.chain.step(&cipher)
            if key.encrypt(&symbols, &cipher) { return (keys, true) }
        }
        return (limit, false)
    }

    /// Mixes the learned next key into the sending direction, unless that is done already
    /// (smsenc-protocol(7), Next keys).
    package mutating func mixPendingNextKey(_ cipher: inout Cipher) {
        guard isPending else { return }
        if let mixed = learned?.mixed(into: sending, &cipher) { sending = consume mixed }
        isPending = false
    }
}

/// The keys of one direction of a conversation.
package struct Direction: ~Copyable {
    /// The root, into which next keys are mixed: 32 bytes (smsenc-protocol(7), Chains and message keys).
    package let root: SecretBytes
    package var chain: ChainKey

    package init(root: consuming SecretBytes, chain: consuming ChainKey) {
        self.root = root
        self.chain = chain
    }

    /// Derives root and chain from k, as start(k) in smsenc-protocol(7), First keys and verification codes.
    /// Consumes k.
    init(start key: consuming SecretBytes, _ cipher: inout Cipher) {
        cipher.mac.setKey(key)
        cipher.mac.update("smsenc/1 root")
        root = cipher.mac.finish()
        cipher.mac.update("smsenc/1 chain")
        chain = ChainKey(stored: cipher.mac.finish())
    }
}
