internal import Crypto
internal import Protocol

/// The receiving direction of a conversation with a contact. The stored form consists of the contact's id (8
/// bytes) and the name of the direction (8).
struct ReceivingDirection: Hashable {
    let contact: ContactID
    let name: DirectionName

    init(of contact: ContactID, _ name: DirectionName) {
        (self.contact, self.name) = (contact, name)
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        contact = ContactID(try record.integer())
        name = try DirectionName(from: &record)
    }

    func write(to record: inout SecretWriter) {
        record.put(contact.number)
        name.write(to: &record)
    }
}

/// Identifies a message among all messages of all contacts.
struct MessagePlace: Hashable {
    let direction: ReceivingDirection
    let position: KeyPosition
}

/// A copy of a receiving chain. The stored form consists of the direction (`ReceivingDirection`) and the
/// chain (40 bytes).
struct LocatedChain {
    let direction: ReceivingDirection
    var chain: ChainCopy

    init(_ chain: ChainCopy, in direction: ReceivingDirection) {
        (self.chain, self.direction) = (chain, direction)
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        direction = try ReceivingDirection(from: &record)
        chain = ChainCopy(try Chain(from: &record))
    }

    func write(to record: inout SecretWriter) {
        direction.write(to: &record)
        chain.start.write(to: &record)
    }
}

/// Messages of one chain that were decrypted in order. The stored form contains a copy of the chain
/// (`LocatedChain`), the number of runs (2 bytes) and the runs (`KeyRun`). The position of the copy is at
/// or before the first message. The runs contain the positions of the messages in ascending order.
struct ChainMessages {
    var chain: LocatedChain
    var runs: [KeyRun] = []

    init(chain: LocatedChain) { self.chain = chain }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        chain = try LocatedChain(from: &record)
        runs = try record.list(KeyRun.init(from:))
        var next = chain.chain.start.position
        for run in runs {
            guard run.chain == next.chain, run.keys.lowerBound >= next.key else {
                throw InvalidRecord()
            }
            next = KeyPosition(chain: next.chain, key: run.keys.upperBound)
        }
    }

    func write(to record: inout SecretWriter) {
        chain.write(to: &record)
        record.put(runs) { $0.write(to: &$1) }
    }

    var places: [MessagePlace] {
        runs.flatMap { (run) in
            run.keys.map { (key) in
                let position = KeyPosition(chain: run.chain, key: key)
                return MessagePlace(direction: chain.direction, position: position)
            }
        }
    }

    func messages(_ cipher: inout Cipher) -> [StoredMessageKey] {
        chain.chain.keys(of: runs, &cipher).map { StoredMessageKey($0, in: chain.direction) }
    }

    mutating func remove(_ run: KeyRun) { runs = runs.flatMap { $0.removing(run) } }

    /// Advances the chain to the first remaining message. Afterwards, the keys of earlier messages can no
    /// longer be derived from this copy.
    mutating func moveForward(_ cipher: inout Cipher) {
        guard let first = runs.first else { return }
        var moved = chain.chain.start.fork()
        moved.skip(Int(first.keys.lowerBound - moved.next), &cipher)
        chain.chain = ChainCopy(moved)
    }
}

/// The key and the place of a message that was decrypted. The stored form consists of the direction
/// (`ReceivingDirection`), the position (8 bytes), and the message key (64).
struct StoredMessageKey {
    let direction: ReceivingDirection
    let key: SpentKey

    init(_ key: SpentKey, in direction: ReceivingDirection) {
        (self.key, self.direction) = (key, direction)
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        direction = try ReceivingDirection(from: &record)
        key = try SpentKey(from: &record)
    }

    func write(to record: inout SecretWriter) {
        direction.write(to: &record)
        key.write(to: &record)
    }

    var place: MessagePlace { MessagePlace(direction: direction, position: key.position) }
}
