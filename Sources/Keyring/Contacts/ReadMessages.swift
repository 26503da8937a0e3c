internal import Crypto
internal import System

/// The last messages from a contact that were decrypted, newest first. Each message is represented by the
/// first 4 bytes of a keyed hash of its ciphertext.
///
/// A hash is only looked up after no key has decrypted a message, to choose between two diagnostics. A wrong
/// match therefore only causes the wrong diagnostic.
struct ReadMessages {
    private static let count = 64
    /// Bytes in the stored form.
    static let size = count * 4

    /// Hashes of the messages. Unused hashes are zero.
    private var hashes: [UInt32]

    init() { hashes = Array(repeating: 0, count: Self.count) }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        hashes = try record.withBytes(Self.size) { (bytes) in
            (0..<Self.count).map { (index) in
                (4 * index..<4 * index + 4).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
            }
        }
    }

    func write(to record: inout SecretWriter) {
        for hash in hashes { record.put(hash) }
    }

    /// Inserts a message as the newest message. A message that is already in the list, which can happen after
    /// a crash, is moved to the front.
    mutating func insert(_ hash: UInt32) {
        var index = hashes.firstIndex(of: hash) ?? hashes.count - 1
        while index > 0 {
            hashes[index] = hashes[index - 1]
            index -= 1
        }
        hashes[0] = hash
    }

    /// Returns true if a message is in the list. A hash of 0, which one message in 2^32 has, is always found
    /// until the list is full.
    func contains(_ hash: UInt32) -> Bool { hashes.contains(hash) }
}

extension Ring {
    /// Returns the hash that represents a ciphertext in `ReadMessages`.
    func hash(ofMessage symbols: Span<UInt8>) -> UInt32 {
        readMessageHash.number("read", symbols)
    }
}
