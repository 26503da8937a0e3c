import Crypto
import Protocol
import Support
import TestPeople
import System

@testable import Keyring

/// Compares all data about a contact in a keyring with the model. Data that is not in the model is an
/// error, because it could be stolen.
extension World {
    func compare(_ who: Persona, with peer: Persona) throws {
        let keyring = try keyring(of: who)
        guard let model = state[who, peer] else { return }
        let now = believedClock(of: who.person)
        statistics.compared += 1
        let held = try keyring.reading { (store) throws(KeyringError) -> StoredContact? in
            guard let state = try store.contacts.state(model.id) else { return nil }
            var skipped = state.skipped.unloaded
            try store.contacts.load(&skipped, of: state)
            let unwritten = try Self.unwritten(of: state, in: store)
            return StoredContact(state, skipped, unwritten, at: now)
        }
        let due = StoredContact(model, at: now)
        guard let held else { throw Violation(.holdings, "\(who) has lost \(peer)") }
        guard held != due else { return }
        throw Violation(.holdings, "\(who) of \(peer): \(held.difference(from: due))")
    }

    /// Compares all contacts of a person.
    func compareAll(of person: Int) throws {
        try compareRows(of: person)
        for ring in state.people[person].keyring.rings {
            let who = Persona(person: person, identity: ring.identity)
            for contact in ring.contacts { try compare(who, with: contact.peer) }
        }
    }

    /// Verifies the integrity of the whole file, and checks that every row belongs to an existing contact.
    func compareRows(of person: Int) throws {
        try open(person)
        let ids = Set(state.people[person].keyring.rings.flatMap { $0.contacts.map(\.id) })
        let model = state.people[person].keyring
        let (found, used, lost) = try machines[person].keyring().reading {
            (store) throws(KeyringError) in
            var found: Set<Int64> = []
            try Verification(store).everything(opensAll: true) {
                (contact, _) throws(KeyringError) in found.insert(contact.id)
            }
            return (found, store.header[.usedKeys].count, try Self.inFlight(store))
        }
        guard found == ids else {
            throw Violation(.holdings, "contacts \(found.sorted()), due \(ids.sorted())")
        }
        guard used == model.used.count else {
            throw Violation(.holdings, "\(used) keys are on record, due \(model.used.count)")
        }
        let due = model.lost.map(\.keys) + (model.underWay.isEmpty ? [] : [model.underWay])
        guard Set(lost) == Set(due), lost.count == due.count else {
            throw Violation(.holdings, "by contact, keys in flight are \(lost), due \(due)")
        }
    }

    /// Returns the keys in flight of all processes, by contact.
    private static func inFlight(
        _ store: KeyringStore
    ) throws(KeyringError) -> [[Int64: Int]] {
        var found: [[Int64: Int]] = []
        try store.forEachRow(.inFlight) { (stored) throws(KeyringError) in
            found.append(try store.transit.keysInFlight(in: stored))
        }
        return found
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

    private static func unwritten(
        of state: ContactState, in store: KeyringStore
    ) throws(KeyringError) -> [StoredContact.Key] {
        var keys: [StoredContact.Key] = []
        try store.transit.filterUnwritten(in: state.ring) { (_, contact, since, key) in
            if contact == state.contact {
                keys.append(StoredContact.Key(number: 0, bytes: bytes(of: key), since: since))
            }
            return true
        }
        return keys
    }
}

/// The stored data of one contact, as bytes.
private struct StoredContact: Equatable {
    struct Key: Equatable {
        let number: Int64
        let bytes: [UInt8]
        let since: Int64
        var isMissing = false
    }

    private var state = ""
    private var counts = ""
    /// Times of the last use, the last received message, and the last synchronisation.
    private var times: [Int64] = []
    private var missing = 0
    private var nextNumber: Int64 = 0
    private var secrets: [String: [UInt8]] = [:]
    private var kept: [Key] = []
    private var retired: [Key] = []
    private var unwritten: [Key] = []

    init(
        _ stored: ContactState, _ skipped: borrowing SkippedKeys, _ unwritten: [Key], at now: Int64?
    ) {
        state = Self.text(
            stored.status, stored.method, stored.pending,
            [stored.isVerified, stored.isRestored, stored.isLost, stored.wasVerifiedOrLost])
        counts = "\(stored.sent) \(stored.received) \(stored.unconfirmed)"
        times = [stored.lastUse, stored.lastHeard, stored.lastSynchronisation]
        (missing, nextNumber) = (stored.missing, stored.skipped.nextNumber)
        switch stored.conversation {
        case .none: break
        case .some(let ratchet):
            secrets["sending root"] = bytes(of: ratchet.sending.root)
            secrets["sending chain"] = bytes(of: ratchet.sending.chain.bytes)
            secrets["receiving root"] = bytes(of: ratchet.receiving.root)
            secrets["receiving chain"] = bytes(of: ratchet.receiving.chain.bytes)
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
        for key in skipped.kept {
            kept.append(
                Key(
                    number: key.number, bytes: bytes(of: key.key.bytes), since: key.since,
                    isMissing: key.isMissing))
        }
        for chain in skipped.retired {
            retired.append(
                Key(
                    number: chain.number, bytes: bytes(of: chain.chain.bytes),
                    since: chain.since))
        }
        // Expired keys are not used, but they may remain in the file until it is next written.
        self.unwritten = unwritten.filter { !ContactModel.isTooOld($0.since, at: now) }
    }

    init(_ model: ContactModel, at now: Int64?) {
        state = Self.text(
            model.state, model.method, model.pending,
            [model.isVerified, model.isRestored, model.isLost, model.wasVerifiedOrLost])
        counts = "\(model.sent) \(model.received) \(model.unconfirmed)"
        times = [model.lastUse, model.lastHeard, model.lastSynchronisation]
        (missing, nextNumber) = (model.missing, model.nextNumber)
        if let ratchet = model.ratchet {
            secrets["sending root"] = ratchet.sending.chain.root
            secrets["sending chain"] = ratchet.sending.chain.chainKey(at: ratchet.sending.next)
            secrets["receiving root"] = ratchet.receiving.chain.root
            secrets["receiving chain"] = ratchet.receiving.chain.chainKey(
                at: ratchet.receiving.next)
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
                number: key.number, bytes: key.chain.messageKey(at: key.index), since: key.since,
                isMissing: key.isMissing)
        }
        retired = model.retired.map { chain in
            Key(
                number: chain.number, bytes: chain.chain.chainKey(at: chain.next),
                since: chain.since)
        }
        let current = model.unwritten.filter { !ContactModel.isTooOld($0.since, at: now) }
        unwritten = current.flatMap { row in
            row.keys.map { key in
                Key(number: 0, bytes: key.chain.messageKey(at: key.index), since: row.since)
            }
        }
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
        if nextNumber != due.nextNumber {
            found.append("numbers up to \(nextNumber), due \(due.nextNumber)")
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
        let numbers = { (keys: [Key]) in keys.map { "\($0.number)\($0.isMissing ? "" : "-")" } }
        return "\(what): \(numbers(held)), due \(numbers(due))"
    }
}
