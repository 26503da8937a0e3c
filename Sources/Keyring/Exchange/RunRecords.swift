internal import Crypto
internal import Protocol
internal import System

/// The first record of the process with the number n. The id of a first record is 2n (see `RunStore`).
struct Run {
    let number: Int64
    /// The process (`ProcessIdentity`), or empty if the records are free for another process.
    var process: String
    /// The id of the identity whose ring key seals the record 2n + 1.
    let identity: Int64
    /// The number of message keys in flight for each contact.
    var keysInFlight: [ContactID: Int] = [:]

    /// Creates the record of this process.
    init(_ number: Int64, of keyring: Keyring) {
        self.number = number
        process = keyring.file.mark.text
        identity = keyring.ring.id
    }

    init(_ number: Int64, from record: inout SecretReader) throws(InvalidRecord) {
        self.number = number
        process = try record.text()
        identity = try record.integer()
        let keys = try record.list { (record) throws(InvalidRecord) in
            (ContactID(try record.integer()), Int(try record.integer() as UInt32))
        }
        for (contact, count) in keys { keysInFlight[contact, default: 0] += count }
    }

    func write(to record: inout SecretWriter) {
        record.put(process)
        record.put(identity)
        record.put(Array(keysInFlight)) { (keys, record) in
            record.put(keys.key.number)
            record.put(UInt32(keys.value))
        }
    }

    var name: RecordName { RecordName(.run, 2 * number) }
    /// The name of the second record, which contains `RunContents`.
    var contentsName: RecordName { RecordName(.run, 2 * number + 1) }

    var isFree: Bool { process.isEmpty }
}

/// The second record of the process with the number n. The id of this record is 2n + 1. The second record
/// contains the keys of messages that were decrypted but not written yet. The record also contains the
/// receipts in messages that were encrypted but not written yet.
///
///     bytes  content
///     2      number of chains with messages that were decrypted in order
///            for each of these chains: `ChainMessages`
///     2      number of other messages that were decrypted
///            for each of these messages: `StoredMessageKey`
///     2      number of receipts
///            for each of these receipts: `SentReceipt`
struct RunContents {
    var chains: [ChainMessages] = []
    var keys: [StoredMessageKey] = []
    var receipts: [SentReceipt] = []

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        chains = try record.list(ChainMessages.init(from:))
        keys = try record.list(StoredMessageKey.init(from:))
        receipts = try record.list(SentReceipt.init(from:))
    }

    func write(to record: inout SecretWriter) {
        record.put(chains) { $0.write(to: &$1) }
        record.put(keys) { $0.write(to: &$1) }
        record.put(receipts) { $0.write(to: &$1) }
    }

    var isEmpty: Bool { chains.isEmpty && keys.isEmpty && receipts.isEmpty }

    /// Where the messages of the run are in their conversations.
    var places: [MessagePlace] {
        chains.flatMap { $0.places } + keys.map { $0.place }
    }

    /// Returns all messages with their keys. The messages that were decrypted in order precede the other
    /// messages.
    func messages() -> [StoredMessageKey] {
        var cipher = Cipher()
        return chains.flatMap { $0.messages(&cipher) } + keys
    }

    mutating func remove(_ contact: ContactID) {
        chains.removeAll { $0.chain.direction.contact == contact }
        keys.removeAll { $0.direction.contact == contact }
        receipts.removeAll { $0.contact == contact }
    }

    /// Removes messages. Advances each chain to the first of its remaining messages.
    mutating func remove(_ places: some Sequence<MessagePlace>) {
        var runs: [ReceivingDirection: [KeyRun]] = [:]
        for place in places { runs[place.direction, default: []].append(place.position) }
        var cipher = Cipher()
        for index in chains.indices {
            for run in runs[chains[index].chain.direction] ?? [] { chains[index].remove(run) }
            chains[index].moveForward(&cipher)
        }
        chains.removeAll { $0.runs.isEmpty }
        keys.removeAll { (key) in
            runs[key.direction]?.contains { $0.contains(key.key.position) } ?? false
        }
    }
}

/// A receipt that was put into a message. The stored form consists of the contact's id (8 bytes), the number
/// of the commit with the message (8), and the messages that waited for the receipt (`WaitingReceipt`).
struct SentReceipt {
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
