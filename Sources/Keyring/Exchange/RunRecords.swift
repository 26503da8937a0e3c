internal import Crypto
internal import Protocol
internal import System

/// The record 2n of a process (`RunStore`).
struct Run {
    /// The process (`ProcessIdentity`), or empty if the records are free for another process.
    var process: String
    /// The id of the identity whose ring key seals the record 2n + 1.
    let identity: Int64
    /// The number of message keys in flight, by contact.
    var keysInFlight: [ContactID: Int]

    init(of keyring: Keyring, keysInFlight: [ContactID: Int] = [:]) {
        process = keyring.file.mark.text
        identity = keyring.keys.ring.id
        self.keysInFlight = keysInFlight
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        process = try record.text(Int(try record.integer() as UInt16))
        identity = try record.integer()
        keysInFlight = [:]
        for _ in 0..<(try record.integer() as UInt32) {
            let contact = ContactID(try record.integer())
            keysInFlight[contact, default: 0] += Int(try record.integer() as UInt32)
        }
    }

    func encoded() -> SecretBytes {
        let utf8 = Array(process.utf8)
        var record = SecretWriter(padding: 14 + utf8.count + 12 * keysInFlight.count)
        record.put(UInt16(clamping: utf8.count))
        record.put(utf8.span)
        record.put(identity)
        record.put(UInt32(clamping: keysInFlight.count))
        for (contact, count) in keysInFlight {
            record.put(contact.number)
            record.put(UInt32(clamping: count))
        }
        return record.finish()
    }

    var isFree: Bool { process.isEmpty }

    func isAlive(_ clocks: Clocks) -> Bool { ProcessIdentity(text: process).isAlive(clocks) }
}

/// The record 2n + 1 of a process: a count (4 bytes), then `StoredMessageKey` for each message that was
/// decrypted but not written yet; a count (4), then `SentReceipt` for each receipt in a message that was not
/// written yet.
struct RunContents {
    var messages: [StoredMessageKey] = []
    var receipts: [SentReceipt] = []

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        for _ in 0..<(try record.integer() as UInt32) {
            messages.append(try StoredMessageKey(from: &record))
        }
        for _ in 0..<(try record.integer() as UInt32) {
            receipts.append(try SentReceipt(from: &record))
        }
    }

    func encoded() -> SecretBytes {
        var record = SecretWriter(
            padding: 8 + messages.count * StoredMessageKey.size + receipts.count * SentReceipt.size)
        record.put(UInt32(messages.count))
        for message in messages { message.write(to: &record) }
        record.put(UInt32(receipts.count))
        for receipt in receipts { receipt.write(to: &record) }
        return record.finish()
    }

    var count: Int { messages.count + receipts.count }
    var isEmpty: Bool { count == 0 }

    mutating func remove(_ contact: ContactID) {
        messages.removeAll { $0.place.contact == contact }
        receipts.removeAll { $0.contact == contact }
    }
}

/// A receipt that was put into a message. The stored form consists of the contact's id (8 bytes), the count of
/// commits after the commit with the message (8), and what waited for the receipt (`WaitingReceipt`).
struct SentReceipt {
    static let size = 16 + WaitingReceipt.size

    let contact: ContactID
    let commit: UInt64
    let before: WaitingReceipt

    init(to contact: ContactID, in commit: UInt64, before: WaitingReceipt) {
        (self.contact, self.commit, self.before) = (contact, commit, before)
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        contact = ContactID(try record.integer())
        commit = try record.integer()
        before = try WaitingReceipt(from: &record)
    }

    func write(to record: inout SecretWriter) {
        record.put(contact.number)
        record.put(commit)
        before.write(to: &record)
    }
}

/// The message key of a message that was decrypted, with the place of the message. The stored form contains the
/// contact's id (8 bytes), the name of the direction of the conversation (8), the position (8), and the message
/// key (64).
final class StoredMessageKey {
    static let size = 16 + SpentKey.size

    /// The place of a message among all messages of all contacts.
    struct Place: Hashable {
        let contact: ContactID
        let conversation: DirectionName
        let position: KeyPosition
    }

    let place: Place
    let key: SpentKey

    init(_ key: SpentKey, of contact: ContactID, in conversation: DirectionName) {
        place = Place(contact: contact, conversation: conversation, position: key.position)
        self.key = key
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        let contact = ContactID(try record.integer())
        let conversation = try DirectionName(from: &record)
        key = try SpentKey(from: &record)
        place = Place(contact: contact, conversation: conversation, position: key.position)
    }

    func write(to record: inout SecretWriter) {
        record.put(place.contact.number)
        place.conversation.write(to: &record)
        key.write(to: &record)
    }
}
