package import Primitives

/// What enciphering needs over and over, made once: the keyed hash, the key stream, and room for
/// one message.
package struct Workbench: ~Copyable {
    var mac = MAC()
    var stream: PadStream
    /// The pad's symbols for all but the failsafe.
    var pad = SecretBytes(count: Pad.bodyLength)

    package init() throws(CryptoError) {
        stream = try PadStream()
    }

    /// Cleanses what the last keys have left.
    package mutating func cleanse() {
        mac.forget()
        stream.forget()
        pad.cleanse(0..<pad.count)
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
