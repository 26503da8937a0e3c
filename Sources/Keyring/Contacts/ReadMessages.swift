internal import Crypto
internal import System

/// The most recently decrypted messages from a contact. Each message is represented by the first 4 bytes of a
/// keyed hash of its ciphertext.
///
/// If no key decrypts a message, the hash of the message is looked up in `ReadMessages`. The result of this
/// search decides which of two diagnostics is printed, and whether a receipt is sent again. A wrong match has
/// no other consequences. The last bit of a hash is 1 if the message contained text.
struct ReadMessages {
    private static let count = 64

    /// Hashes of the messages, newest first, in the byte order of the record. Unused hashes are zero.
    private var hashes = [UInt32](repeating: 0, count: count)
    private static let textBit = UInt32(1).bigEndian

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        try record.withBytes(Self.count * 4) { (bytes) in
            unsafe bytes.withUnsafeBytes { stored in
                unsafe hashes.withUnsafeMutableBytes { unsafe $0.copyMemory(from: stored) }
            }
        }
    }

    func write(to record: inout SecretWriter) {
        unsafe hashes.withUnsafeBytes { unsafe record.put(Span(_unsafeBytes: $0)) }
    }

    /// Adds a message as the newest message. If the message is already in the list, which can happen after a
    /// crash, moves it to the beginning.
    mutating func add(_ hash: UInt32, hasText: Bool) {
        hashes.remove(at: index(of: hash) ?? Self.count - 1)
        let rest = hash.bigEndian & ~Self.textBit
        hashes.insert(hasText ? rest | Self.textBit : rest, at: 0)
    }

    /// Returns whether a message in the list contained text, or nil if the message is not in the list. Until
    /// the list is full, one message in 2^31 is wrongly found in the list, because unused hashes are zero.
    func hasText(_ hash: UInt32) -> Bool? {
        index(of: hash).map { hashes[$0] & Self.textBit != 0 }
    }

    private func index(of hash: UInt32) -> Int? {
        let wanted = hash.bigEndian
        return hashes.firstIndex { ($0 ^ wanted) & ~Self.textBit == 0 }
    }
}

extension Ring {
    /// Returns the hash that represents a ciphertext in `ReadMessages`.
    func hash(ofMessage symbols: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: readMessageHash.value("read", symbols) >> 96)
    }
}
