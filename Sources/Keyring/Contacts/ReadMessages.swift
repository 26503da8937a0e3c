internal import Crypto
internal import System

/// The most recently decrypted messages from a contact. Each message is represented by the first 4 bytes of a
/// keyed hash of its ciphertext. The stored form contains the newest message first.
///
/// If no key decrypts a message, its hash is looked up in this list. The result decides which of two
/// diagnostics is printed, and whether a receipt is sent again. A wrong match has no other consequences. The
/// last bit of a hash is 1 if the message contained text.
struct ReadMessages {
    private static let count = 64

    /// Hashes of the messages, oldest first. Unused hashes are zero.
    private var hashes: [UInt32]

    init() { hashes = Array(repeating: 0, count: Self.count) }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        hashes = try record.withBytes(Self.count * 4) { (bytes) in
            stride(from: bytes.count - 4, through: 0, by: -4).map { (start) in
                UInt32(bytes[start]) << 24 | UInt32(bytes[start + 1]) << 16
                    | UInt32(bytes[start + 2]) << 8 | UInt32(bytes[start + 3])
            }
        }
    }

    func write(to record: inout SecretWriter) {
        for hash in hashes.reversed() { record.put(hash) }
    }

    /// Adds a message as the newest message. If the message is already in the list, which can happen after a
    /// crash, moves it to the end.
    mutating func add(_ hash: UInt32, hasText: Bool) {
        hashes.remove(at: index(of: hash) ?? 0)
        hashes.append(hash & ~1 | (hasText ? 1 : 0))
    }

    /// Returns whether a message in the list contained text, or nil if the message is not in the list. Until
    /// the list is full, one message in 2^31 is found by mistake, because unused hashes are zero.
    func hasText(_ hash: UInt32) -> Bool? {
        index(of: hash).map { hashes[$0] & 1 != 0 }
    }

    private func index(of hash: UInt32) -> Int? {
        hashes.firstIndex { ($0 ^ hash) & ~1 == 0 }
    }
}

extension Ring {
    /// Returns the hash that represents a ciphertext in `ReadMessages`.
    func hash(ofMessage symbols: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: readMessageHash.value("read", symbols) >> 96)
    }
}
