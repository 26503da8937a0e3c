import Crypto
import Support
import TestPeople
import System

@testable import Keyring
@testable import Protocol

/// Compares all data about a contact in a keyring with the model. Data that is not in the model is an
/// error, because it could be stolen.
extension World {
    func compare(_ who: Persona, with peer: Persona) throws {
        let keyring = try keyring(of: who)
        guard let model = state[who, peer] else { return }
        statistics.compared += 1
        let held = try keyring.reading { (store) throws(KeyringError) -> StoredContact? in
            guard let state = try store.contacts.state(model.id) else { return nil }
            let past = try store.contacts.past(of: state)
            let unwritten = try StoredRun.all(in: store).flatMap(\.unwritten)
            return StoredContact(state, past, unwritten.filter { $0.direction.contact == model.id })
        }
        let due = StoredContact(model)
        guard let held else { throw Violation(.holdings, "\(who) has lost \(peer)") }
        guard held != due else { return }
        throw Violation(.holdings, "\(who) of \(peer): \(held.difference(from: due))")
    }

    /// Compares all contacts of a person.
    func compareAll(of person: Int) throws {
        try compareRecords(of: person)
        for ring in state.people[person].keyring.rings {
            let who = Persona(person: person, identity: ring.identity)
            for contact in ring.contacts { try compare(who, with: contact.peer) }
        }
    }

    /// Verifies the integrity of the whole file, and checks that every record belongs to an existing contact
    /// or run.
    func compareRecords(of person: Int) throws {
        try open(person)
        let model = state.people[person].keyring
        let keyring = try machines[person].keyring()
        var issues: [String] = []
        let unseen = try keyring.check { issues.append($0.what) }
        guard issues.isEmpty else { throw Violation(.holdings, "\(issues)") }
        guard unseen == 0 else {
            throw Violation(.holdings, "\(unseen) records belong to no contact and no run")
        }
        let (found, used, runs) = try keyring.reading { (store) throws(KeyringError) in
            var found: [Int64: [ContactID]] = [:]
            for record in try store.identities.openRecords() {
                found[record.id] = []
                try store.contacts(in: record.ring).forEach { found[record.id]?.append($0.id) }
            }
            var used = 0
            for id in store.ids(of: .usedKeys) { used += try store.usedKeys.hashes(id).count }
            return (found, used, try StoredRun.all(in: store))
        }
        let ids = model.rings.map { ($0.id, $0.contacts.map(\.id)) }
        guard found == Dictionary(uniqueKeysWithValues: ids) else {
            throw Violation(.holdings, "contacts \(found), due \(ids)")
        }
        guard used == model.used.count else {
            throw Violation(.holdings, "\(used) keys are on record, due \(model.used.count)")
        }
        // The keys of a run that is under way may have been erased with their contact.
        let isUnderWay = machines[person].isOtherProcess
        guard isUnderWay || runs.allSatisfy({ !$0.keysInFlight.isEmpty || !$0.unwritten.isEmpty })
        else {
            throw Violation(.holdings, "the record of a run that has ended was not deleted")
        }
        let lost = runs.map(\.keysInFlight).filter { !$0.isEmpty }
        let due = model.lost + (model.underWay.isEmpty ? [] : [model.underWay])
        guard Set(lost) == Set(due), lost.count == due.count else {
            throw Violation(.holdings, "by contact, keys in flight are \(lost), due \(due)")
        }
    }

    /// Checks that the recipient of messages has the keys of these messages at the positions at which the
    /// sender used them. The keys are those of the run that is under way.
    func comparePositions(of read: [(contact: ContactModel, sms: SMS)], by who: Persona) throws {
        let keyring = try keyring(of: who)
        let runs = try keyring.reading { (store) throws(KeyringError) in
            try StoredRun.all(in: store)
        }
        let own = runs.first { $0.number == keyring.knownRunNumber }
        let held = (own?.unwritten ?? []).map { Position($0.place, bytes(of: $0.key.key.bytes)) }
        let due = read.compactMap { (contact, sms) -> Position? in
            guard case .pad(let chain, let index, _, _) = sms.content, let ratchet = contact.ratchet
            else { return nil }
            let place = MessagePlace(
                direction: ReceivingDirection(of: contact.id, ratchet.names.receiving),
                position: chain.position(at: index))
            return Position(place, chain.messageKey(at: index))
        }
        guard held.count == due.count, Set(held) == Set(due) else {
            throw Violation(
                .positions, "\(who) reads at \(held.map(\.place)), due \(due.map(\.place))")
        }
    }

    private struct Position: Hashable {
        let place: MessagePlace
        let key: [UInt8]

        init(_ place: MessagePlace, _ key: [UInt8]) {
            (self.place, self.key) = (place, key)
        }
    }

    /// Checks the position of a sending chain.
    func compareSendingPosition(of who: Persona, to contact: ContactModel) throws {
        guard let ratchet = contact.ratchet else { return }
        let state = try keyring(of: who).state(of: self.contact(contact))
        guard let conversation = state.conversation.take() else { return }
        let found = conversation.sending.chain.position
        let due = ratchet.sending.chain.position(at: ratchet.sending.next)
        guard found == due, conversation.sending.name == ratchet.names.sending else {
            throw Violation(.positions, "\(who) to \(contact.peer) is at \(found), due \(due)")
        }
    }

    /// Returns the next key that the keyring currently sends to a contact. It may have been drawn for a
    /// message that could not be encrypted because no message key was left.
    func ownNextKey(_ who: Persona, _ peer: Persona) throws -> NextKey? {
        guard let model = state[who, peer] else { return nil }
        let state = try keyring(of: who).state(of: contact(model))
        guard let ratchet = state.conversation.take() else { return nil }
        switch ratchet.ownNext {
        case .none: return nil
        case .some(let own):
            return NextKey(own.symbols.withSpan { Array(copying: $0) }, drawn: serial())
        }
    }
}

/// The two records of a process, parsed as smsenc-keyring(5) specifies.
private struct StoredRun {
    let number: Int64
    /// Empty if the records are free for the next process.
    var process = ""
    var keysInFlight: [ContactID: Int] = [:]
    var unwritten: [StoredMessageKey] = []

    static func all(in store: KeyringStore) throws(KeyringError) -> [StoredRun] {
        var found: [StoredRun] = []
        for id in store.ids(of: .run) where id % 2 == 0 {
            var run = StoredRun(number: id / 2)
            let identity = try store.read(
                RecordName(.run, id), under: store.keyring.masterKeys.sealingKey
            ) { (record) throws(InvalidRecord) in
                run.process = try record.text()
                let identity: Int64 = try record.integer()
                for _ in 0..<(try record.integer() as UInt16) {
                    let contact = ContactID(try record.integer())
                    run.keysInFlight[contact] = Int(try record.integer() as UInt32)
                }
                return identity
            }
            if let identity, let ring = try store.identities.openRing(identity) {
                run.unwritten =
                    try store.read(RecordName(.run, id + 1), under: ring.sealingKey) {
                        (record) throws(InvalidRecord) in
                        try RunContents(from: &record).messages()
                    } ?? []
            }
            let isEmpty = run.keysInFlight.isEmpty && run.unwritten.isEmpty
            if !run.process.isEmpty || !isEmpty { found.append(run) }
        }
        let ids = store.ids(of: .run)
        guard ids.allSatisfy({ $0 % 2 == 0 || ids.contains($0 - 1) }) else {
            throw .store(.damaged("the record of a run is missing"))
        }
        return found
    }
}

/// The stored data of one contact, as bytes.
private struct StoredContact: Equatable {
    struct Key: Equatable {
        let position: KeyPosition
        let bytes: [UInt8]
        var isMissing = false
    }

    private var state = ""
    private var counts = ""
    /// Times of the last use, the last received message, and the last synchronisation.
    private var times: [Int64] = []
    private var missing = 0
    private var secrets: [String: [UInt8]] = [:]
    private var names: [DirectionName] = []
    /// Positions of the sending and the receiving chain.
    private var positions: [KeyPosition] = []
    private var kept: [Key] = []
    private var retired: [Key] = []
    /// Keys of messages that were possibly not written, of runs that are under way or died. Only their order
    /// is not specified.
    private var unwritten: [Key] = []

    init(
        _ stored: ContactState, _ past: borrowing ConversationPast, _ unwritten: [StoredMessageKey]
    ) {
        state = Self.text(
            stored.status, stored.method, stored.pending,
            [stored.isVerified, stored.isRestored, stored.isLost, stored.wasVerifiedOrLost])
        counts = "\(stored.sent) \(stored.received) \(stored.unconfirmed)"
        times = [stored.lastUse, stored.lastHeard, stored.lastSynchronisation]
        missing = stored.missing
        switch stored.conversation {
        case .none: break
        case .some(let ratchet):
            secrets["sending root"] = bytes(of: ratchet.sending.root)
            secrets["sending chain"] = chainKey(of: ratchet.sending.chain)
            secrets["receiving root"] = bytes(of: ratchet.receiving.root)
            secrets["receiving chain"] = chainKey(of: ratchet.receiving.chain)
            names = [ratchet.sending.name, ratchet.receiving.name]
            positions = [ratchet.sending.chain.position, ratchet.receiving.chain.position]
            switch ratchet.ownNext {
            case .none: break
            case .some(let own): secrets["own next key"] = bytes(of: own.symbols)
            }
            switch ratchet.contactNext {
            case .none: break
            case .some(let contactNext):
                secrets["contact's next key"] = bytes(of: contactNext.symbols)
            }
            state += ratchet.isPending ? ", pending" : ""
            secrets["codes"] =
                Array(bigEndian: stored.codes.yours) + Array(bigEndian: stored.codes.theirs)
        }
        switch stored.ownKey {
        case .none: break
        case .some(let key): secrets["own sync key"] = bytes(of: key.bytes)
        }
        switch stored.ownOffer {
        case .none: break
        case .some(let secret): secrets["own offer"] = bytes(of: secret)
        }
        for entry in past.skipped {
            kept.append(
                Key(
                    position: entry.position, bytes: bytes(of: entry.spent.key.bytes),
                    isMissing: entry.isMissing))
        }
        for retired in past.retired {
            self.retired.append(
                Key(position: retired.chain.position, bytes: chainKey(of: retired.chain)))
        }
        for entry in past.again {
            self.unwritten.append(
                Key(position: entry.position, bytes: bytes(of: entry.spent.key.bytes)))
        }
        for key in unwritten {
            self.unwritten.append(
                Key(position: key.key.position, bytes: bytes(of: key.key.key.bytes)))
        }
        self.unwritten.sort { $0.position < $1.position }
    }

    init(_ model: ContactModel) {
        state = Self.text(
            model.state, model.method, model.pending,
            [model.isVerified, model.isRestored, model.isLost, model.wasVerifiedOrLost])
        counts = "\(model.sent) \(model.received) \(model.unconfirmed)"
        times = [model.lastUse, model.lastHeard, model.lastSynchronisation]
        missing = model.missing
        if let ratchet = model.ratchet {
            let (sending, receiving) = (ratchet.sending, ratchet.receiving)
            secrets["sending root"] = sending.chain.root
            secrets["sending chain"] = sending.chain.chainKey(at: sending.next)
            secrets["receiving root"] = receiving.chain.root
            secrets["receiving chain"] = receiving.chain.chainKey(at: receiving.next)
            names = [ratchet.names.sending, ratchet.names.receiving]
            positions = [sending, receiving].map { $0.chain.position(at: $0.next) }
            secrets["own next key"] = ratchet.ownNext?.symbols
            secrets["contact's next key"] = ratchet.contactNext?.symbols
            state += ratchet.isPending ? ", pending" : ""
            if let codes = model.codes {
                secrets["codes"] = Array(bigEndian: codes.yours) + Array(bigEndian: codes.theirs)
            }
        }
        secrets["own sync key"] = model.ownKey?.bytes
        secrets["own offer"] = model.ownOffer?.secret
        kept = model.kept.map { key in
            Key(
                position: key.position, bytes: key.chain.messageKey(at: key.index),
                isMissing: key.isMissing)
        }
        retired = model.retired.map { retired in
            Key(
                position: retired.chain.position(at: retired.next),
                bytes: retired.chain.chainKey(at: retired.next))
        }
        unwritten = model.unwritten.flatMap(\.keys).map { key in
            Key(
                position: key.chain.position(at: key.index),
                bytes: key.chain.messageKey(at: key.index))
        }
        unwritten.sort { $0.position < $1.position }
    }

    private static func text(
        _ state: ContactState.Status, _ method: ContactState.Method, _ pending: ContactState.Method,
        _ flags: [Bool]
    ) -> String {
        let named = zip(["verified", "restored", "lost"], flags).filter { $0.1 }.map { $0.0 }
        return "\(state), by \(method), pending \(pending), \(named)"
    }

    static func == (held: StoredContact, due: StoredContact) -> Bool {
        held.difference(from: due).isEmpty
    }

    /// Describes how this data differs from the expected data.
    func difference(from due: StoredContact) -> String {
        var found: [String] = []
        if state != due.state { found.append("\(state) where \(due.state) is due") }
        if counts != due.counts {
            found.append("sent, received, unconfirmed \(counts), due \(due.counts)")
        }
        if times != due.times { found.append("times \(times), due \(due.times)") }
        if missing != due.missing { found.append("\(missing) missing, due \(due.missing)") }
        if names != due.names { found.append("names \(names), due \(due.names)") }
        if positions != due.positions {
            found.append("positions \(positions), due \(due.positions)")
        }
        for name in Set(secrets.keys).union(due.secrets.keys).sorted()
        where secrets[name] != due.secrets[name] {
            let article =
                secrets[name] == nil ? "no" : due.secrets[name] == nil ? "a" : "another"
            found.append("\(article) \(name)")
        }
        if kept != due.kept { found.append(Self.difference("kept keys", kept, due.kept)) }
        if retired != due.retired {
            found.append(Self.difference("retired chains", retired, due.retired))
        }
        if unwritten != due.unwritten {
            found.append(Self.difference("unwritten keys", unwritten, due.unwritten))
        }
        return found.joined(separator: "; ")
    }

    private static func difference(_ what: String, _ held: [Key], _ due: [Key]) -> String {
        let positions = { (keys: [Key]) in
            keys.map { "\($0.position.chain).\($0.position.key)\($0.isMissing ? "" : "-")" }
        }
        return "\(what): \(positions(held)), due \(positions(due))"
    }
}
