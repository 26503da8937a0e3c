internal import Crypto

/// The keyed hash and the key stream that encryption and decryption need. They are created once and used for
/// many messages.
package struct Cipher: ~Copyable {
    var mac = MAC()
    var stream = KeyStream()
    /// Number of pads generated so far. The number measures the cost of encrypting and, above all, of
    /// searching for keys.
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
