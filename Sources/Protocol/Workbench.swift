package import Crypto

/// What enciphering needs over and over, made once: the keyed hash and the key stream.
package struct Workbench: ~Copyable {
    var mac = MAC()
    var stream: PadStream

    package init() throws(CryptoError) {
        stream = try PadStream()
    }

    /// Cleanses what the last keys have left.
    package mutating func cleanse() {
        mac.forget()
        stream.forget()
    }

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
