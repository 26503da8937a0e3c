internal import Crypto
internal import Protocol

/// Identifies a message among all messages of all contacts.
struct MessagePlace: Hashable {
    let contact: ContactID
    let conversation: DirectionName
    let position: KeyPosition

    /// One direction of a conversation with a contact.
    struct Direction: Hashable {
        let contact: ContactID
        let conversation: DirectionName
    }

    var direction: Direction { Direction(contact: contact, conversation: conversation) }
}

/// A copy of a receiving chain. The stored form contains the contact's id (8 bytes), the name of the
/// direction (8), and the chain (40).
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

/// Messages of one chain that were decrypted in order. The stored form contains a copy of the chain
/// (`LocatedChain`), the number of runs (4 bytes) and the runs (`KeyRun`). The copy is at the position of the
/// first message or before it. The runs contain the positions of the messages in ascending order.
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

    /// Advances the chain to the first remaining message. The keys of earlier messages can then no longer be
    /// derived.
    mutating func moveForward(_ cipher: inout Cipher) {
        guard let first = runs.first else { return }
        var moved = chain.chain.start.fork()
        moved.skip(Int(first.keys.lowerBound - moved.next), &cipher)
        chain.chain = ReadChain(moved)
    }
}

/// The key and the place of a message that was decrypted. The stored form contains the contact's id (8
/// bytes), the name of the direction (8), the position (8), and the message key (64).
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
