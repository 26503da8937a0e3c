/// A fault in a keyring, in words.
package struct IntegrityIssue: Equatable, Sendable {
    package let what: String
    /// The data that the fault makes unreliable.
    package let touches: String
}

/// Compares rows with the sums in the keyring header, within a transaction. This detects rows that are
/// missing, that were replaced by older ones, or that belong elsewhere.
///
/// Indexes and the inner pages of tables are not trusted. Rows are read in order, counted and summed, and
/// must be in ascending order. At the first fault this throws, unless faults are reported to a closure. Then
/// it continues.
final class Verification {
    /// Maximum number of contacts that every commit verifies completely. In a larger keyring, a commit
    /// verifies only the contacts that it uses.
    static let fewContacts: Int64 = 64

    private let store: KeyringStore
    private let report: ((IntegrityIssue) -> Void)?
    private(set) var isSound = true
    private var openRings: [Int64: Ring?] = [:]
    /// Counts and sums of skipped keys and retired chains, by contact. An entry is removed once its contact
    /// is found.
    private var beside: [Int64: ContactState.Skipped] = [:]
    /// If every record is opened, the contacts to which rows may belong, by id. The value is nil for a
    /// contact of another session's transient identity, which cannot be opened here.
    private var contactsByID: [Int64: ContactFacts?] = [:]
    private var opensAll = false

    /// The contact's data with which its rows in other tables are compared.
    private struct ContactFacts {
        let name: String
        let ring: Ring
        let version: Int64
        let nextNumber: Int64

        init(name: String, _ link: ContactState) {
            self.name = name
            ring = link.ring
            version = link.version
            nextNumber = link.skipped.nextNumber
        }
    }

    /// Prepares a verification.
    ///
    /// - Parameter report: receives each fault. If it is nil, faults are thrown.
    init(_ store: KeyringStore, report: ((IntegrityIssue) -> Void)? = nil) {
        self.store = store
        self.report = report
    }

    private var ledger: KeyringHeader { store.ledger }
    private var hash: KeyedHash { store.keys.vault.rowHash }

    /// Number of contacts that cannot be opened here, because they belong to transient identities of other
    /// sessions.
    var unseen: Int { contactsByID.values.count { $0 == nil } }

    /// Reports a fault, or throws it.
    func addIssue(_ what: String, _ touches: String) throws(KeyringError) {
        guard let report else { throw .store(.damaged(what)) }
        isSound = false
        report(IntegrityIssue(what: what, touches: touches))
    }

    /// Runs `body`, and reports the damage that it throws.
    func collectingDamage(
        _ touches: String, at place: String? = nil, _ body: () throws(KeyringError) -> Void
    ) throws(KeyringError) {
        do throws(KeyringError) {
            try body()
        } catch {
            guard case .store(.damaged(let what)) = error else { throw error }
            try addIssue(place.map { "\($0): \(what)" } ?? what, touches)
        }
    }

    /// Verifies the count and sum of all rows of some kinds, which must be in one group.
    private func sum(
        _ kinds: [RowKind], _ what: String, _ touches: String,
        _ body: (StoredRow) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        let expected = ledger[kinds[0].sum]
        var tally = CountedHash()
        for kind in kinds {
            try walk(kind, touches) { (stored) throws(KeyringError) in
                tally.count(kind, nil, stored.weight(hash))
                try body(stored)
            }
        }
        if tally != expected {
            try addIssue("\(what) are missing or were replaced with older ones", touches)
        }
    }

    /// Passes all rows of a kind to `body`, and checks that they are in ascending order.
    private func walk(
        _ kind: RowKind, _ touches: String, _ body: (StoredRow) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try collectingDamage(touches) { () throws(KeyringError) in
            let cursor = try store.rows(kind)
            var last: Row?
            while let stored = try cursor.next() {
                if let last, !last.precedes(stored.row) {
                    throw .store(.damaged("\(kind.table): rows are out of order"))
                }
                last = stored.row
                try body(stored)
            }
        }
    }

    /// Verifies what every commit verifies: identities, keys in flight, unwritten keys, and contacts if there
    /// are few.
    ///
    /// The account was verified when the keyring was unlocked. Skipped keys, retired chains and used keys are
    /// verified when they are needed.
    func beforeCommit() throws(KeyringError) {
        try rings()
        try transit()
        if ledger[.contacts].count <= Self.fewContacts { try contacts() }
    }

    func rings() throws(KeyringError) { try sum([.ring], "identities", "any identity") }

    func account() throws(KeyringError) {
        guard try Account(from: store.database).digest == ledger.account else {
            throw .store(.damaged("the account was altered"))
        }
    }

    /// Verifies the contacts' rows.
    ///
    /// - Parameter tags: tags of names and numbers that no contact may have.
    func contacts(without tags: [[UInt8]] = []) throws(KeyringError) {
        try sum([.card, .state], "contacts", "the contacts that are not listed") {
            (stored) throws(KeyringError) in
            let row = stored.row
            if row.kind == .card, tags.contains(where: { [row.tag(0), row.tag(1)].contains($0) }) {
                throw .store(.damaged("an index is wrong"))
            }
        }
    }

    private func transit(
        _ body: (StoredRow) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        try sum(
            [.unwritten, .flights], "keys of messages in progress", "messages in progress", body)
    }

    /// Passes the tags of all used keys and offers to `body`, and verifies them.
    ///
    /// - Throws: `damaged` if they are not the recorded ones. `body` has seen them by then.
    func usedKeys(_ body: ([UInt8]) -> Void = { _ in }) throws(KeyringError) {
        try sum(
            [.usedKey], "records of sync keys that were used",
            "keys and offers that were entered before"
        ) {
            body($0.row.tag(0) ?? [])
        }
    }

    /// Verifies the rows that sessions keep for rereading.
    func reread(
        _ body: (StoredRow) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        try sum([.reread], "keys for --reread", "messages read in a session", body)
    }

    /// Verifies all rows: identities, contacts, skipped keys, retired chains, keys in flight, unwritten keys,
    /// used keys, and keys for rereading.
    ///
    /// - Parameters:
    ///   - opensAll: true to open each record, not only the contacts' records.
    ///   - body: receives each contact that can be opened here, after all its rows were verified.
    func everything(
        opensAll: Bool = false,
        _ body: (Contact, ContactState) throws(KeyringError) -> Void = { (_, _) in }
    ) throws(KeyringError) {
        self.opensAll = opensAll
        try identities()
        for kind in [RowKind.kept, .retired] {
            try walk(kind, "late messages") { (stored) throws(KeyringError) in
                beside[stored.row.id, default: ContactState.Skipped()].count(
                    kind, nil, stored.weight(hash))
            }
        }
        try contactsAndLinks(body)
        try transit { (stored) throws(KeyringError) in
            if opensAll { try open(stored) }
        }
        try usedKeys()
        try reread { (stored) throws(KeyringError) in
            if opensAll { try open(stored) }
        }
        guard opensAll else { return }
        for kind in [RowKind.kept, .retired] { try walk(kind, "late messages", open) }
    }

    /// Verifies identities and contacts. Contacts' states are counted but not opened.
    ///
    /// - Parameter body: receives each contact that can be opened here, with its ring.
    func cards(_ body: (Contact, Ring) throws(KeyringError) -> Void) throws(KeyringError) {
        try identities()
        try sum([.card, .state], "contacts", "the contacts that are not listed") {
            (stored) throws(KeyringError) in
            guard stored.row.kind == .card, let (contact, ring) = try opened(stored) else { return }
            try check(contact, of: stored, in: ring)
            try body(contact, ring)
        }
    }

    private func identities() throws(KeyringError) {
        var names: Set<String> = []
        try sum([.ring], "identities", "any identity") { (stored) throws(KeyringError) in
            let id = stored.row.id
            let place = "identity \(id)"
            try collectingDamage("all contacts of \(place)", at: place) { () throws(KeyringError) in
                let record = try RingRecord.opened(stored, store.keys.vault)
                let ring = store.unlockedRecord(record)?.ring
                openRings[id] = .some(ring)
                let isRepeated = !names.insert(record.name).inserted
                if isRepeated || (record.kind == .real) != (id == Identity.realID)
                    || id > ledger.lastRing
                {
                    throw .store(.damaged("it has the name, kind or number of another identity"))
                }
            }
        }
        if openRings[Identity.realID] == nil {
            try addIssue("the real identity is missing", "its contacts")
        }
    }

    private func contactsAndLinks(
        _ body: (Contact, ContactState) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        // Read cards in order, and look up the state of each by its id. There are as many states as cards.
        var tally = CountedHash()
        try walk(.card, "the contacts that are not listed") { (card) throws(KeyringError) in
            let id = card.row.id
            tally.count(.card, nil, card.weight(hash))
            try collectingDamage("contact \(id)", at: "contact \(id)") { () throws(KeyringError) in
                let kept = beside.removeValue(forKey: id) ?? ContactState.Skipped()
                guard let state = try store.database.first(.state, of: id) else { return }
                let weight = state.weight(hash)
                tally.count(.state, nil, weight)
                let found = try contact(card, state, weight, keeping: kept)
                if let (contact, link) = found { try body(contact, link) }
            }
        }
        if tally != ledger[.contacts] {
            try addIssue(
                "contacts are missing or were replaced with older ones",
                "the contacts that are not listed")
        }
        for id in beside.keys.sorted() {
            try addIssue("there are keys of contact \(id), which does not exist", "late messages")
        }
    }

    /// Returns the contact of a card with its ring, or nil if it cannot be opened here.
    private func opened(_ card: StoredRow) throws(KeyringError) -> (Contact, Ring)? {
        guard let ring = openRings[card.row.number] else {
            throw .store(.damaged("it belongs to no identity"))
        }
        return try ring.map { (ring) throws(KeyringError) in (try Contact(card, ring), ring) }
    }

    /// Checks that a contact's tags and id are its own.
    private func check(
        _ contact: Contact, of card: StoredRow, in ring: Ring
    ) throws(KeyringError) {
        if contact.id > ledger.lastContact || contact.tags(in: ring) != card.row.tags {
            throw .store(.damaged("its index entries or its id are wrong"))
        }
    }

    /// Returns the contact of a card and a state, or nil if it cannot be opened here.
    private func contact(
        _ card: StoredRow, _ state: StoredRow, _ weight: MultisetHash?,
        keeping kept: ContactState.Skipped
    ) throws(KeyringError) -> (Contact, ContactState)? {
        guard let (contact, ring) = try opened(card) else {
            if opensAll { contactsByID[card.row.id] = .some(nil) }
            return nil
        }
        let link = try ContactState(state, weighing: weight, ring)
        if opensAll { contactsByID[contact.id] = ContactFacts(name: contact.name, link) }
        try check(contact, of: card, in: ring)
        if !link.skipped.isHeld(by: kept) {
            throw .store(
                .damaged("keys for late messages are missing or were replaced with older ones"))
        }
        return (contact, link)
    }

    /// Opens a row of skipped keys, retired chains, keys in flight, unwritten keys, or keys for rereading.
    private func open(_ stored: StoredRow) throws(KeyringError) {
        let row = stored.row
        let place = "\(row.kind.table), \(row.id), \(row.number)"
        if row.kind == .flights || row.kind == .unwritten {
            return try collectingDamage("messages in progress", at: row.kind.table) {
                () throws(KeyringError) in
                guard row.kind == .unwritten else {
                    return _ = try InFlightKeys.read(stored, store.keys.vault)
                }
                guard let known = openRings[row.number] else {
                    throw .store(.damaged("a row belongs to no identity"))
                }
                guard let ring = known else { return }
                var areOfContacts = true
                try store.filterUnwritten([row], in: ring) { (_, contact, _, _) in
                    if contactsByID[contact]??.ring.id != ring.id { areOfContacts = false }
                    return true
                }
                if !areOfContacts { throw .store(.damaged("keys belong to no contact")) }
            }
        }
        guard let contact = contactsByID[row.id] else {
            return try addIssue("\(place): it belongs to no contact", "contact \(row.id)")
        }
        guard let contact else { return }
        if row.kind == .reread {
            return try collectingDamage("messages read in a session", at: place) {
                () throws(KeyringError) in
                guard contact.ring.id == row.version else {
                    throw .store(.damaged("it belongs to another identity"))
                }
                guard let key = store.keys.reread, key.session == row.session else { return }
                try stored.read(key.sealer) { (_) in }
            }
        }
        try collectingDamage("late messages of \(contact.name)", at: place) {
            () throws(KeyringError) in
            if row.number >= contact.nextNumber || row.version > contact.version {
                throw .store(.damaged("it is newer than its contact"))
            }
            try stored.read(contact.ring.sealer) { (_) in }
        }
    }
}

extension KeyringStore {
    /// Verifies what every commit verifies.
    ///
    /// - Throws: `behind` if the keyring was restored, or `damaged`.
    func verify() throws(KeyringError) {
        try checkIsNotBehind()
        try Verification(self).beforeCommit()
    }
}
