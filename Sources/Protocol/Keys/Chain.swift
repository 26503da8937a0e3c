package import Crypto

/// A chain of message keys in one direction of a conversation. A `Chain` stores the chain key from which the
/// next message key is derived (smsenc-protocol(7), Chains and message keys).
///
///     offset  bytes  content of a stored chain
///     0       4      number of the chain
///     4       4      number of the next message key
///     8       32     chain key
package struct Chain: ~Copyable {
    /// Number of bytes in a stored chain.
    package static let size = 8 + keySize
    private static let keySize = 32

    /// Number of the chain. The first chain of a conversation has the number 0, and each mixed-in next key
    /// increases the number by one.
    package let number: UInt32
    /// Number of the next message key, beginning with 0.
    package private(set) var next: UInt32
    private var key: SecretBytes

    init(number: UInt32, next: UInt32 = 0, key: consuming SecretBytes) {
        self.number = number
        self.next = next
        self.key = key
    }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        let number: UInt32 = try record.integer()
        let next: UInt32 = try record.integer()
        self.init(number: number, next: next, key: try record.secret(Self.keySize))
    }

    package borrowing func write(to record: inout SecretWriter) {
        record.put(number)
        record.put(next)
        record.put(key)
    }

    /// The position of the next message key.
    package var position: KeyPosition { KeyPosition(chain: number, key: next) }

    /// Derives the next message key, and replaces the chain key with the next chain key.
    mutating func step(_ cipher: inout Cipher) -> MessageKey {
        cipher.mac.setKey(key)
        cipher.mac.update("\u{01}")
        cipher.mac.finish(into: &key)
        var message = SecretBytes(count: MessageKey.size)
        cipher.mac.update("\u{02}")
        cipher.mac.finish(into: &message)
        cipher.mac.update("\u{03}")
        cipher.mac.finish(into: &message, at: 32)
        next &+= 1
        return MessageKey(stored: message)
    }

    /// Takes the next message key without encrypting a message.
    mutating func take(_ cipher: inout Cipher) -> SpentKey {
        let position = position
        return SpentKey(step(&cipher), at: position)
    }

    /// Returns a copy of this chain. A search can try keys of the copy without advancing this chain.
    package borrowing func fork() -> Chain {
        Chain(number: number, next: next, key: key.duplicate())
    }

    /// Moves the chain forward by `count` message keys without using them.
    package mutating func skip(_ count: Int, _ cipher: inout Cipher) {
        for _ in 0..<count { _ = step(&cipher) }
    }
}

/// The position of a message key in one direction of a conversation.
package struct KeyPosition: Hashable, Comparable, Sendable {
    /// Number of bytes in a stored position.
    package static let size = 8

    /// Number of the chain.
    package let chain: UInt32
    /// Number of the message key in its chain, beginning with 0.
    package let key: UInt32

    package init(chain: UInt32 = 0, key: UInt32 = 0) {
        self.chain = chain
        self.key = key
    }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        chain = try record.integer()
        key = try record.integer()
    }

    package func write(to record: inout SecretWriter) {
        record.put(chain)
        record.put(key)
    }

    /// True if `other` is the position of the next key in the same chain.
    func isDirectlyBefore(_ other: KeyPosition) -> Bool {
        chain == other.chain && other.key > 0 && key == other.key - 1
    }

    package static func < (one: KeyPosition, other: KeyPosition) -> Bool {
        (one.chain, one.key) < (other.chain, other.key)
    }
}
