package import Crypto

/// The sync keys or offers that two people have exchanged. Both people derive the same conversation from the
/// exchanged keys.
package struct KeyExchange: ~Copyable, Sendable {
    /// The two sync keys, or the public keys of the two offers. Each key identifies the direction in which
    /// its owner sends messages.
    package let own: SecretBytes
    package let theirs: SecretBytes
    package let kind: VerificationCodes.Kind
    /// The password for scrypt. For sync keys, the password consists of both sync keys in ascending order.
    /// For offers, the password is an HMAC of both public keys, with the shared secret as the HMAC key.
    fileprivate let password: SecretBytes

    /// Combines two sync keys.
    ///
    /// - Precondition: the keys differ.
    package init(own: borrowing SyncKey, theirs: borrowing SyncKey) {
        precondition(!(own == theirs), "a contact's sync key differs from one's own")
        self.own = own.bytes.duplicate()
        self.theirs = theirs.bytes.duplicate()
        kind = .keys
        password = Self.joined(own.bytes, theirs.bytes)
    }

    /// Combines the user's offer with a contact's offer.
    ///
    /// - Parameters:
    ///   - secret: the 32-byte secret key of the user's offer.
    ///   - theirs: the contact's offer, which must differ from the user's offer.
    /// - Throws: `InvalidRecord` if `X25519.shared` rejects the contact's public key. smsenc never generates
    ///   a public key that `X25519.shared` rejects.
    package init(secret: borrowing SecretBytes, theirs: Offer) throws(InvalidRecord) {
        let shared = try X25519.shared(secret: secret, publicKey: theirs.publicKey)
        own = SecretBytes(copying: X25519.publicKey(of: secret).span)
        self.theirs = SecretBytes(copying: theirs.publicKey.span)
        kind = .offers
        var mac = MAC()
        mac.setKey(shared)
        mac.update("smsenc/1 agree")
        Self.joined(own, self.theirs).withSpan { mac.update($0) }
        password = mac.finish()
    }

    /// Joins two keys of the same length in ascending order.
    private static func joined(
        _ one: borrowing SecretBytes, _ other: borrowing SecretBytes
    ) -> SecretBytes {
        var both = SecretWriter(capacity: one.count + other.count)
        one.withSpan { one in
            other.withSpan { other in
                let place = one.indices.first { one[$0] != other[$0] } ?? 0
                both.put(one[place] < other[place] ? one : other)
                both.put(one[place] < other[place] ? other : one)
            }
        }
        return both.finish()
    }
}

/// The root secret that both sides derive from the exchanged keys (smsenc-protocol(7), First keys and
/// verification codes).
package struct Agreement: ~Copyable {
    private let root: SecretBytes

    /// Derives the root secret with scrypt. The derivation takes 128 MiB of memory and a few tenths of a
    /// second.
    ///
    /// - Throws: `noMemory`.
    package init(
        _ exchange: borrowing KeyExchange, cost: Scrypt = .synchronisation
    ) throws(CryptoError) {
        let salt = exchange.kind == .keys ? "smsenc/1 sync" : "smsenc/1 offers"
        root = try cost.derive(password: exchange.password, salt: Array(salt.utf8).span)
    }

    /// Returns the conversation that begins with the exchanged keys.
    package borrowing func conversation(
        of exchange: borrowing KeyExchange, _ cipher: inout Cipher
    ) -> Conversation {
        Conversation(
            sending: direction(from: exchange.own, &cipher),
            receiving: direction(from: exchange.theirs, &cipher))
    }

    /// Returns the verification codes of both sides.
    package borrowing func codes(
        of exchange: borrowing KeyExchange, _ cipher: inout Cipher
    ) -> VerificationCodes {
        let modulus = exchange.kind.modulus
        return VerificationCodes(
            kind: exchange.kind,
            yours: tag("smsenc/1 verify", of: exchange.own, &cipher) % modulus,
            theirs: tag("smsenc/1 verify", of: exchange.theirs, &cipher) % modulus)
    }

    private borrowing func direction(
        from sender: borrowing SecretBytes, _ cipher: inout Cipher
    ) -> Direction {
        let key = sender.withSpan { cipher.derive(from: root, "smsenc/1 from", $0) }
        let name = DirectionName(firstBitsOf: tag("smsenc/1 name", of: sender, &cipher))
        return Direction(start: key, name: name, number: 0, &cipher)
    }

    /// Returns the first 16 bytes of an HMAC of a label and a sender's key, with the root as the HMAC key.
    private borrowing func tag(
        _ label: StaticString, of sender: borrowing SecretBytes, _ cipher: inout Cipher
    ) -> UInt128 {
        cipher.mac.setKey(root)
        cipher.mac.update(label)
        sender.withSpan { cipher.mac.update($0) }
        return cipher.mac.finish().high
    }
}
