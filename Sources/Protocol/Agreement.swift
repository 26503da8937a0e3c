package import Crypto

/// What both sides hold after their sync keys or offers were exchanged (smsenc(7), Sync keys).
package struct Agreement: ~Copyable {
    private let root: SecretBytes
    /// What the directions are named for: sync keys, or public keys.
    private let own: SecretBytes
    private let theirs: SecretBytes
    private let kind: VerificationCodes.Kind

    /// The protocol's, which both sides must share: 128 MiB and some tenths of a second. They say nothing of
    /// those by which a password is made slow to guess.
    package static let scrypt = Scrypt(cost: 1 << 17, blockSize: 8, parallelism: 1)

    /// Runs scrypt over both keys: 128 MiB and some tenths of a second.
    ///
    /// - Throws: `noMemory`.
    /// - Precondition: the keys differ.
    package init(own: borrowing SyncKey, theirs: borrowing SyncKey) throws(CryptoError) {
        precondition(!(own == theirs), "a contact's sync key differs from one's own")
        let ownFirst = Self.precedes(own.bytes, theirs.bytes)
        var both = SecretWriter(capacity: 2 * SyncKey.length)
        if ownFirst {
            both.put(own.bytes)
            both.put(theirs.bytes)
        } else {
            both.put(theirs.bytes)
            both.put(own.bytes)
        }
        root = try Self.scrypt.derive(
            password: both.finish(), salt: Array("smsenc/1 sync".utf8).span)
        self.own = own.bytes.duplicate()
        self.theirs = theirs.bytes.duplicate()
        kind = .keys
    }

    /// Agrees by offers.
    ///
    /// - Parameters:
    ///   - secret: one's own secret key, 32 bytes.
    ///   - theirs: the contact's offer, which differs from one's own.
    /// - Throws: `Broken` for an offer that no honest tool makes: the shared secret is all zero.
    package init(secret: borrowing SecretBytes, theirs: Offer) throws(Broken) {
        let own = X25519.publicKey(of: secret)
        let shared = try X25519.shared(secret: secret, publicKey: theirs.publicKey)
        let ownFirst = own.lexicographicallyPrecedes(theirs.publicKey)
        var mac = MAC()
        mac.setKey(shared)
        mac.update("smsenc/1 agree")
        mac.update((ownFirst ? own : theirs.publicKey).span)
        mac.update((ownFirst ? theirs.publicKey : own).span)
        root = mac.finish()
        self.own = SecretBytes(copying: own.span)
        self.theirs = SecretBytes(copying: theirs.publicKey.span)
        kind = .offers
    }

    /// The conversation that begins here.
    package borrowing func conversation(_ cipher: inout Cipher) -> Conversation {
        Conversation(
            sending: direction(from: own, &cipher), receiving: direction(from: theirs, &cipher))
    }

    /// The verification codes of one's own key and of the contact's.
    package borrowing func codes(_ cipher: inout Cipher) -> VerificationCodes {
        VerificationCodes(
            kind: kind, yours: code(of: own, &cipher), theirs: code(of: theirs, &cipher))
    }

    private borrowing func direction(
        from sender: borrowing SecretBytes, _ cipher: inout Cipher
    ) -> Direction {
        let key = sender.withSpan { cipher.derive(from: root, "smsenc/1 from", $0) }
        return Direction(start: key, &cipher)
    }

    private borrowing func code(
        of sender: borrowing SecretBytes, _ cipher: inout Cipher
    ) -> UInt128 {
        cipher.mac.setKey(root)
        cipher.mac.update("smsenc/1 verify")
        sender.withSpan { cipher.mac.update($0) }
        return cipher.mac.finish().high % kind.modulus
    }

    private static func precedes(
        _ one: borrowing SecretBytes, _ other: borrowing SecretBytes
    ) -> Bool {
        one.withSpan { one in
            other.withSpan { other in
                for index in one.indices where one[index] != other[index] {
                    return one[index] < other[index]
                }
                return false
            }
        }
    }
}
