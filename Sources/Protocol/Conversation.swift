// The protocol of smsenc(7): keys, the pad, conversations, and how two come in step.
//
// It owns what is enciphered and deciphered with which key, and in which order keys are tried: a file for
// each kind of key in Keys/, the conversation that they belong to, the keys of messages that were passed
// over, sync keys, offers, and the agreement that both lead to.
//
// It knows nothing of files, rows, processes or times but those it is handed: what is durable, and when, is
// Keyring's. It has no words for what goes wrong. Everything secret is in a type of Crypto that overwrites
// itself; a message key is used up by enciphering.

package import Crypto

/// What two people share: a direction each way, and the next keys under way between them
/// (smsenc(7), Next keys).
package struct Conversation: ~Copyable {
    package var sending: Direction
    package var receiving: Direction
    /// Own next key, offered until the contact has used it.
    package var ownNext: NextKey?
    /// The last next key learned from the contact.
    package var learned: NextKey?
    /// True while `learned` waits to be mixed into the sending direction.
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

    /// True once a next key was learned, which every message carries.
    package var hasLearned: Bool {
        switch learned {
        case .none: false
        case .some: true
        }
    }

    /// Enciphers a frame. The caller makes the new state durable before it lets the ciphertext out.
    ///
    /// - Parameters:
    ///   - symbols: 160, a frame; the next key is put in here, whatever its field holds. A
    ///     ciphertext afterwards.
    ///   - limit: message keys that may be used up.
    ///   - draw: a new next key.
    /// - Returns: message keys used up, those thrown away included; whether the frame was enciphered, which
    ///   it is not where all that are allowed were thrown away.
    package mutating func send(
        _ symbols: inout MutableSpan<UInt8>, limit: Int, _ cipher: inout Cipher,
        draw: () throws(CryptoError) -> NextKey = NextKey.generate
    ) throws(CryptoError) -> (keys: Int, isWritten: Bool) {
        mixPending(&cipher)
        if ownNext == nil { ownNext = try draw() }
        ownNext?.write(into: &symbols)
        for keys in stride(from: 1, through: limit, by: 1) {
            let key = sending.chain.step(&cipher)
            if key.encipher(&symbols, &cipher) { return (keys, true) }
        }
        return (limit, false)
    }

    /// Mixes a learned next key that waits for it into the sending direction (smsenc(7), Next keys).
    package mutating func mixPending(_ cipher: inout Cipher) {
        guard isPending else { return }
        if let mixed = learned?.mixed(into: sending, &cipher) { sending = consume mixed }
        isPending = false
    }
}

/// One direction of a conversation: its root and its chain.
package struct Direction: ~Copyable {
    /// The key that the next keys are mixed into: 32 bytes (smsenc(7), Chains and message keys).
    package let root: SecretBytes
    package var chain: ChainKey

    package init(root: consuming SecretBytes, chain: consuming ChainKey) {
        self.root = root
        self.chain = chain
    }

    /// start(k) of smsenc(7), Sync keys; k is erased.
    init(start key: consuming SecretBytes, _ cipher: inout Cipher) {
        cipher.mac.setKey(key)
        cipher.mac.update("smsenc/1 root")
        root = cipher.mac.finish()
        cipher.mac.update("smsenc/1 chain")
        chain = ChainKey(stored: cipher.mac.finish())
    }
}
