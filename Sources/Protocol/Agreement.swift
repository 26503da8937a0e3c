package import Primitives

/// What both sides hold after their sync keys were exchanged (PROTOCOL.md, section 3).
package struct Agreement: ~Copyable {
    private let root: SecretBytes
    private let own: SecretBytes
    private let theirs: SecretBytes

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
        root = try Scrypt.standard.derive(
            password: both.finish(), salt: Array("smsenc/1 sync".utf8).span)
        self.own = own.bytes.duplicate()
        self.theirs = theirs.bytes.duplicate()
    }

    /// The conversation that begins here.
    package borrowing func conversation(_ bench: inout Workbench) -> Conversation {
        Conversation(
            sending: direction(from: own, &bench), receiving: direction(from: theirs, &bench))
    }

    /// The verification codes of one's own key and of the contact's.
    package borrowing func codes(_ bench: inout Workbench) -> VerificationCodes {
        VerificationCodes(yours: code(of: own, &bench), theirs: code(of: theirs, &bench))
    }

    private borrowing func direction(
        from sender: borrowing SecretBytes, _ bench: inout Workbench
    ) -> Direction {
        let key = sender.withSpan { bench.derive(from: root, "smsenc/1 from", $0) }
        return Direction(start: key, &bench)
    }

    private borrowing func code(
        of sender: borrowing SecretBytes, _ bench: inout Workbench
    ) -> UInt64 {
        bench.mac.setKey(root)
        bench.mac.update("smsenc/1 verify")
        sender.withSpan { bench.mac.update($0) }
        return bench.mac.finish(modulo: VerificationCodes.modulus)
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

/// The codes that two people compare by voice: each reads out the one of their own key.
package struct VerificationCodes: Equatable, Sendable {
    /// Ten digits.
    static let modulus: UInt64 = 10_000_000_000

    package let yours: UInt64
    package let theirs: UInt64

    package init(yours: UInt64, theirs: UInt64) {
        self.yours = yours
        self.theirs = theirs
    }

    /// A code as it is shown and read out: ten digits.
    package static func shown(_ code: UInt64) -> String {
        let digits = String(code)
        return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }
}
