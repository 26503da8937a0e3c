internal import Crypto
internal import Protocol
internal import System

/// The record of a process with number n that has the id 2n (see `RunStore`).
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

/// The record 2n + 1 of a process, which contains the keys of the messages that were decrypted but not written
/// yet: a count (4 bytes), then `ChainMessages` for each chain of the messages that were decrypted in order; a
/// count (4), then `StoredMessageKey` for each other message; a count (4), then `SentReceipt` for each receipt
/// in a message that was not written yet.
struct RunContents {
    var chains: [ChainMessages] = []
    var keys: [StoredMessageKey] = []
    var receipts: [SentReceipt] = []

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        for _ in 0..<(try record.integer() as UInt32) {
            chains.append(try ChainMessages(from: &record))
        }
        for _ in 0..<(try record.integer() as UInt32) {
            keys.append(try StoredMessageKey(from: &record))
        }
        for _ in 0..<(try record.integer() as UInt32) {
            receipts.append(try SentReceipt(from: &record))
        }
    }

    func encoded() -> SecretBytes {
        var record = SecretWriter(
            padding: 12 + chains.reduce(0) { $0 + $1.size } + keys.count * StoredMessageKey.size
                + receipts.count * SentReceipt.size)
        record.put(UInt32(chains.count))
        for chain in chains { chain.write(to: &record) }
        record.put(UInt32(keys.count))
        for key in keys { key.write(to: &record) }
        record.put(UInt32(receipts.count))
        for receipt in receipts { receipt.write(to: &record) }
        return record.finish()
    }

    var count: Int { chains.count + keys.count + receipts.count }
    var isEmpty: Bool { count == 0 }

    /// The places of the messages.
    var places: [MessagePlace] {
        chains.flatMap { $0.places } + keys.map { $0.place }
    }

    /// Returns the messages, in the order of their positions if they were decrypted in order.
    func messages() -> [StoredMessageKey] {
        var cipher = Cipher()
        return chains.flatMap { $0.messages(&cipher) } + keys
    }

    mutating func remove(_ contact: ContactID) {
        chains.removeAll { $0.chain.contact == contact }
        keys.removeAll { $0.place.contact == contact }
        receipts.removeAll { $0.contact == contact }
    }

    /// Removes messages. Chains move forward to their first remaining message.
    mutating func remove(_ places: some Sequence<MessagePlace>) {
        var runs: [MessagePlace.Direction: [KeyRun]] = [:]
        for place in places { runs[place.direction, default: []].append(place.position) }
        var cipher = Cipher()
        for index in chains.indices {
            for run in runs[chains[index].chain.direction] ?? [] { chains[index].remove(run) }
            chains[index].moveForward(&cipher)
        }
        chains.removeAll { $0.runs.isEmpty }
        keys.removeAll { (key) in
            runs[key.place.direction]?.contains { $0.contains(key.place.position) } ?? false
        }
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

/// The place of a message among all messages of all contacts.
struct MessagePlace: Hashable {
    let contact: ContactID
    let conversation: DirectionName
    let position: KeyPosition

    /// A direction of a conversation with a contact.
    struct Direction: Hashable {
        let contact: ContactID
        let conversation: DirectionName
    }

    var direction: Direction { Direction(contact: contact, conversation: conversation) }
}

/// A copy of a receiving chain. The stored form contains the contact's id (8 bytes), the name of the direction
/// of the conversation (8), and the chain (40).
struct LocatedChain {
    static let size = 16 + Chain.size

    let contact: ContactID
    let conversation: DirectionName
    var chain: ReadChain

    init(_ chain: ReadChain, of contact: ContactID, in conversation: DirectionName) {
        (self.chain, self.contact, self.conversation) = (chain, contact, conversation)
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        contact = ContactID(try record.integer())
        conversation = try DirectionName(from: &record)
        chain = ReadChain(try Chain(from: &record))
    }

    func write(to record: inout SecretWriter) {
        record.put(contact.number)
        conversation.write(to: &record)
        chain.start.write(to: &record)
    }

    var direction: MessagePlace.Direction {
        MessagePlace.Direction(contact: contact, conversation: conversation)
    }
}

/// Messages that were decrypted in the order of their chain. The stored form contains the chain at the position
/// of the first message or before it (`LocatedChain`), the number of runs (4), and the positions of the
/// messages in ascending order (`KeyRun`).
struct ChainMessages {
    var chain: LocatedChain
    var runs: [KeyRun] = []

    init(chain: LocatedChain) { self.chain = chain }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        chain = try LocatedChain(from: &record)
        var next = chain.chain.start.position
        for _ in 0..<(try record.integer() as UInt32) {
            let run = try KeyRun(from: &record)
            guard run.chain == next.chain, run.keys.lowerBound >= next.key else {
                throw InvalidRecord()
            }
            runs.append(run)
            next = KeyPosition(chain: next.chain, key: run.keys.upperBound)
        }
    }

    var size: Int { LocatedChain.size + 4 + runs.count * KeyRun.size }

    func write(to record: inout SecretWriter) {
        chain.write(to: &record)
        record.put(UInt32(runs.count))
        for run in runs { run.write(to: &record) }
    }

    var places: [MessagePlace] {
        runs.flatMap { (run) in
            run.keys.map {
                MessagePlace(
                    contact: chain.contact, conversation: chain.conversation,
                    position: KeyPosition(chain: run.chain, key: $0))
            }
        }
    }

    func messages(_ cipher: inout Cipher) -> [StoredMessageKey] {
        chain.chain.keys(of: runs, &cipher).map {
            StoredMessageKey($0, of: chain.contact, in: chain.conversation)
        }
    }

    mutating func remove(_ run: KeyRun) { runs = runs.flatMap { $0.removing(run) } }

    /// Moves the chain to the first remaining message. The keys of removed messages before it can then no
    /// longer be derived.
    mutating func moveForward(_ cipher: inout Cipher) {
        guard let first = runs.first else { return }
        var moved = chain.chain.start.fork()
        moved.skip(Int(first.keys.lowerBound - moved.next), &cipher)
        chain.chain = ReadChain(moved)
    }
}

/// The message key of a message that was decrypted, with the place of the message. The stored form contains the
/// contact's id (8 bytes), the name of the direction of the conversation (8), the position (8), and the message
/// key (64).
final class StoredMessageKey {
    static let size = 16 + SpentKey.size

    let place: MessagePlace
    let key: SpentKey

    init(_ key: SpentKey, of contact: ContactID, in conversation: DirectionName) {
        place = MessagePlace(contact: contact, conversation: conversation, position: key.position)
        self.key = key
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        let contact = ContactID(try record.integer())
        let conversation = try DirectionName(from: &record)
        key = try SpentKey(from: &record)
        place = MessagePlace(contact: contact, conversation: conversation, position: key.position)
    }

    func write(to record: inout SecretWriter) {
        record.put(place.contact.number)
        place.conversation.write(to: &record)
        key.write(to: &record)
    }
}
