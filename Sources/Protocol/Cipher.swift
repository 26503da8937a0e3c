internal import Crypto

/// What enciphers and deciphers, made once and used for many messages: the keyed hash and the key
/// stream.
package struct Cipher: ~Copyable {
    var mac = MAC()
    var stream = KeyStream()
    /// Pads made so far: what enciphering, and above all searching, has cost.
    package internal(set) var pads = 0

    package init() {}

    /// H(key, label ‖ extra).
    mutating func derive(
        from key: borrowing SecretBytes, _ label: StaticString, _ extra: Span<UInt8>
    ) -> SecretBytes {
        mac.setKey(key)
        mac.update(label)
        mac.update(extra)
        return mac.finish()
    }
}
