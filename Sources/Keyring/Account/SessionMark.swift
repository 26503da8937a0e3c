internal import Crypto
internal import System

/// The unencrypted part of the rows for rereading, which identifies the session that stored them. This part
/// allows any process to erase the rows after the session has ended.
///
///     offset  bytes  what
///     0       16     the name of the session's file
///     16      32     SHA-256 of the boot's id
///     48      8      expiry, in seconds since that boot
struct SessionMark: Equatable {
    /// Maximum duration in seconds of a session that stores keys for rereading.
    static let longest: Int64 = 86_400
    private static let size = 56

    let bytes: [UInt8]

    init(of name: String, boot: ArraySlice<UInt8>, expiry: ArraySlice<UInt8>) {
        bytes = (System.bytes(hex: name) ?? []) + boot + expiry
    }

    init(stored bytes: [UInt8]) { self.bytes = bytes }

    /// The time of expiry, in seconds since the session's boot.
    var expiry: Int64 {
        bytes.count == Self.size ? Int64(bitPattern: bigEndian(bytes[48..<56])) : 0
    }

    /// Returns true if the session has expired or was opened before the last reboot.
    func hasEnded(at now: Int64, inBoot boot: [UInt8]) -> Bool {
        bytes.count != Self.size || !bytes[16..<48].elementsEqual(boot) || now >= expiry
    }

    func isOf(file name: String) -> Bool { hex(Array(bytes.prefix(16))) == name }
}

/// The key under which a session seals keys for rereading. This key is stored only in the session's file.
final class RereadKey {
    let session: SessionMark
    /// The first 8 bytes of the name of the session's file, by which a contact's state refers to the session.
    let tag: UInt64
    let sealingKey: SealingKey

    init(of session: SessionMark, _ key: consuming SecretBytes) {
        self.session = session
        tag = bigEndian(session.bytes.prefix(8))
        sealingKey = SealingKey(key: key)
    }
}
