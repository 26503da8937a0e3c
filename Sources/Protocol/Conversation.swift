// This target implements the protocol that is specified in smsenc-protocol(7).
//
// This target decides which key is used to encrypt or decrypt a message, and in which order keys are tried.
// Each kind of key has its own file in Keys/. Other files implement conversations, positions, receipts, sync
// keys and offers, and derive the first keys of a conversation (`Agreement`).
//
// This target does not depend on files, processes or clocks. The target Keyring stores the results, and
// decides when they must be durable. Texts of errors are in other targets. All secrets are stored in types of
// the target Crypto, which overwrite their memory. A message key is consumed when it encrypts a message.

package import Crypto

/// The protocol state that is shared with one contact. A `Conversation` has a chain for each direction, and
/// the next keys of both sides (smsenc-protocol(7), Next keys).
package struct Conversation: ~Copyable {
    package var sending: Direction
    package var receiving: Direction
    /// The user's next key, which every message contains until the contact has mixed it in.
    package var ownNext: NextKey?
    /// The next key that was most recently received from the contact.
    package var contactNext: NextKey?
    /// True if `contactNext` has not been mixed into the sending direction yet.
    package var isPending = false
    /// The search in the receiving chain. Like `mixed` and `beyond`, this search is not stored in the
    /// keyring.
    var ahead: KeySearch?
    /// The receiving direction that results from mixing `ownNext` into `receiving`.
    var mixed: Direction?
    /// The search for a message key in the chain of `mixed`.
    var beyond: KeySearch?

    /// Approximate number of bytes that the keys of searches take in memory.
    package var memoryOfSearches: Int { Self.memory(of: ahead) + Self.memory(of: beyond) }

    private static func memory(of search: borrowing KeySearch?) -> Int {
        switch search {
        case .none: 0
        case .some(let search): search.memory
        }
    }

    /// True if the contact's next key is known. The contact's next key becomes known when the first message
    /// from the contact is decrypted.
    package var hasContactNext: Bool { contactNext != nil }

    /// Encrypts a frame. The caller must store the new state durably before it outputs the ciphertext.
    ///
    /// Puts the user's next key into the frame. A key is discarded if its ciphertext would not survive
    /// copying. If `limit` keys in a row are discarded, the frame is not encrypted.
    ///
    /// - Parameters:
    ///   - symbols: a frame of 160 symbols, which is replaced with the ciphertext.
    ///   - limit: maximum number of message keys to use.
    ///   - draw: generates a next key.
    /// - Returns: the number of message keys used, including discarded keys, and the position of the key that
    ///   encrypted the frame. If the frame was not encrypted, the position of the key is nil.
    package mutating func send(
        _ symbols: inout MutableSpan<UInt8>, limit: Int, _ cipher: inout Cipher,
        draw: () throws(CryptoError) -> NextKey = NextKey.generate
    ) throws(CryptoError) -> (keys: Int, position: KeyPosition?) {
        mixPendingNextKey(&cipher)
        if ownNext == nil { ownNext = try draw() }
        ownNext?.write(into: &symbols)
        for keys in stride(from: 1, through: limit, by: 1) {
            let position = sending.chain.position
            let key = sending.chain.step(&cipher)
            if key.encrypt(&symbols, &cipher) { return (keys, position) }
        }
        return (limit, nil)
    }

    /// Mixes the contact's next key into the sending direction, unless this has already been done
    /// (smsenc-protocol(7), Next keys).
    package mutating func mixPendingNextKey(_ cipher: inout Cipher) {
        guard isPending else { return }
        if let mixed = contactNext?.mixed(into: sending, &cipher) { sending = consume mixed }
        isPending = false
    }
}

/// The keys of one direction of a conversation.
package struct Direction: ~Copyable {
    /// The name of this direction, which both sides derive from the exchanged keys. Each direction of each
    /// conversation has a different name (smsenc-protocol(7), Positions).
    package let name: DirectionName
    /// The 32-byte root key of this direction. Next keys are mixed into the root key (smsenc-protocol(7),
    /// Next keys).
    package let root: SecretBytes
    package var chain: Chain
}

extension Direction {
    /// Derives the root key and the chain of a direction from a key k, as specified by start(k) in
    /// smsenc-protocol(7), First keys and verification codes.
    ///
    /// - Parameter number: number of the chain.
    init(
        start key: consuming SecretBytes, name: DirectionName, number: UInt32,
        _ cipher: inout Cipher
    ) {
        cipher.mac.setKey(key)
        cipher.mac.update("smsenc/1 root")
        let root: SecretBytes = cipher.mac.finish()
        cipher.mac.update("smsenc/1 chain")
        self.init(name: name, root: root, chain: Chain(number: number, key: cipher.mac.finish()))
    }
}
