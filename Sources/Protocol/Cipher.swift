internal import Crypto

/// The keyed hash and the key stream that encrypt and decrypt messages. The hash and the key stream are
/// created once and used for many messages.
package struct Cipher: ~Copyable {
    var mac = MAC()
    var stream = KeyStream()
    /// Number of pads generated so far. Each key that is used or tried needs one pad, so this number measures
    /// the cost of a search.
    package internal(set) var pads = 0

    package init() {}

    /// Returns H(key, label ‖ extra), where H is HMAC-SHA-256.
    mutating func derive(
        from key: borrowing SecretBytes, _ label: StaticString, _ extra: Span<UInt8>
    ) -> SecretBytes {
        mac.setKey(key)
        mac.update(label)
        mac.update(extra)
        return mac.finish()
    }
}
