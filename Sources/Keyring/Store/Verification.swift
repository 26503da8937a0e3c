/// The description of a fault in a keyring.
package struct IntegrityIssue: Equatable, Sendable {
    package let what: String
    /// The data that the fault makes unreliable.
    package let touches: String
}

/// Compares rows with the sums in the keyring header, within a transaction. The comparison detects rows that
/// are missing, that were replaced by older rows, or that belong elsewhere.
///
/// Indexes and the inner pages of tables are not trusted. Rows are read in order, counted and summed, and
/// must be in ascending order. A verification throws at the first fault, unless it reports faults to a closure
/// and continues.
final class Verification {
    /// Maximum number of contacts that every commit verifies completely. In a larger keyring, a commit
    /// verifies only the contacts that it uses.
    static let fewContacts: Int64 = 64

    private let store: KeyringStore
    private let report: ((IntegrityIssue) -> Void)?
    private(set) var isSound = true
    /// The rings by id. The value is nil for a transient identity of another session, whose ring cannot be
    /// opened here.
    private var rings: [Int64: Ring?] = [:]
    /// Counts and sums of skipped keys and retired chains, by contact. An entry is removed once its contact
    /// is found.
    private var skippedKeys: [Int64: ContactState.SkippedKeyTotals] = [:]
    /// The contacts to which rows may belong, by id. Empty unless every record is opened. The value is nil for
    /// a contact of another session's transient identity, which cannot be opened here.
    private var contactsByID: [Int64: ContactFacts?] = [:]
    private var opensAll = false

    /// The data of a contact with which the contact's rows in other tables are compared.
    private struct ContactFacts {
        let name: String
        let ring: Ring
        let version: Int64
        let nextNumber: Int64
    }

    /// Prepares a verification.
    ///
    /// - Parameter report: receives each fault, or nil to throw the first fault.
    init(_ store: KeyringStore, report: ((IntegrityIssue) -> Void)? = nil) {
        self.store = store
        self.report = report
    }

    private var header: KeyringHeader { store.header }
    private var hashKey: KeyedHash { store.keys.masterKeys.rowHashKey }

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

    /// Verifies the count and sum of all rows of the given kinds, which must be in one group.
    private func sum(
        _ kinds: [RowKind], _ what: String, _ touches: String,
        _ body: (StoredRow) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        let expected = header[kinds[0].group]
        var sum = CountedHash()
        for kind in kinds {
            try walk(kind, touches) { (stored) throws(KeyringError) in
                sum.count(kind, nil, stored.hash(hashKey))
                try body(stored)
            }
        }
        if sum != expected {
            try addIssue("\(what) are missing or were replaced with older ones", touches)
        }
    }

    /// Passes all rows of a kind to `body`, and checks that they are in ascending order.
    private func walk(
        _ kind: RowKind, _ touches: String, _ body: (StoredRow) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try collectingDamage(touches) { () throws(KeyringError) in
            // This function does not call `forEachRow`, because an additional closure would make listing
            // contacts 2 % slower.
            let statement = try store.database.statement(kind, .all)
            var last: Row?
            while let stored = try StoredRow(next: statement, kind) {
                if let last, !last.precedes(stored.row) {
                    throw .store(.damaged("\(kind.table): rows are out of order"))
                }
                last = stored.row
                try body(stored)
            }
        }
    }

    /// Verifies identities, keys in flight and unwritten keys before a commit. If there are few contacts,
    /// verifies the contacts as well.
    ///
    /// The account was verified when the keyring was unlocked. Skipped keys, retired chains and used keys are
    /// verified when they are needed.
    func beforeCommit() throws(KeyringError) {
        try identitySum()
        try transit()
        if header[.contacts].count <= Self.fewContacts { try contacts() }
    }

    /// Verifies that no identity is missing or was replaced.
    func identitySum() throws(KeyringError) { try sum([.ring], "identities", "any identity") }

    /// Verifies that the account was not altered.
    func account() throws(KeyringError) {
        guard try Account(from: store.database).digest == header.accountDigest else {
            throw .store(.damaged("the account was altered"))
        }
    }

    /// Verifies that no contact is missing or was replaced.
    ///
    /// - Parameter tags: tags of names and numbers that no contact may have.
    func contacts(without tags: [[UInt8]] = []) throws(KeyringError) {
        try contactSum { (stored) throws(KeyringError) in
            guard stored.row.kind == .card, !tags.isEmpty else { return }
            if stored.row.fields.contains(where: { $0.map(tags.contains) ?? false }) {
                throw .store(.damaged("an index is wrong"))
            }
        }
    }

    private func contactSum(
        _ body: (StoredRow) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try sum([.card, .state], "contacts", "the contacts that are not listed", body)
    }

    private func transit(
        _ body: (StoredRow) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        try sum(
            [.unwritten, .inFlight], "keys of messages in progress", "messages in progress", body)
    }

    /// Verifies the tags of used keys and offers, and passes each tag to `body`. The tags are verified only
    /// when this function returns.
    func usedKeys(_ body: ([UInt8]) -> Void = { _ in }) throws(KeyringError) {
        try sum(
            [.usedKey], "records of sync keys that were used",
            "keys and offers that were entered before"
        ) {
            body($0.row.tag)
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
        for kind in [RowKind.skippedKey, .retiredChain] {
            try walk(kind, "late messages") { (stored) in
                skippedKeys[stored.row.id, default: ContactState.SkippedKeyTotals()]
                    .count(kind, nil, stored.hash(hashKey))
            }
        }
        try contactsWithStates(body)
        try transit { (stored) throws(KeyringError) in if opensAll { try openTransit(stored) } }
        try usedKeys()
        try reread { (stored) throws(KeyringError) in if opensAll { try openReread(stored) } }
        guard opensAll else { return }
        for kind in [RowKind.skippedKey, .retiredChain] {
            try walk(kind, "late messages", openSkipped)
        }
    }

    /// Verifies identities and contacts. Contacts' states are counted but not opened.
    ///
    /// - Parameter body: receives each contact that can be opened here, with its ring.
    func cards(_ body: (Contact, Ring) throws(KeyringError) -> Void) throws(KeyringError) {
        try identities()
        try contactSum { (stored) throws(KeyringError) in
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
                let record = try IdentityRecord.opened(stored, store.keys.masterKeys)
                rings[id] = .some(store.identities.unlocked(record)?.ring)
                let isRepeated = !names.insert(record.name).inserted
                if isRepeated || (record.kind == .real) != (id == Identity.realID)
                    || id > header.lastRing
                {
                    throw .store(.damaged("it has the name, kind or number of another identity"))
                }
            }
        }
        if rings[Identity.realID] == nil {
            try addIssue("the real identity is missing", "its contacts")
        }
    }

    private func contactsWithStates(
        _ body: (Contact, ContactState) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        // Read cards in order, and look up the state of each by its id. There are as many states as cards.
        var sum = CountedHash()
        try walk(.card, "the contacts that are not listed") { (card) throws(KeyringError) in
            let id = card.row.id
            sum.count(.card, nil, card.hash(hashKey))
            try collectingDamage("contact \(id)", at: "contact \(id)") { () throws(KeyringError) in
                let keys = skippedKeys.removeValue(forKey: id) ?? ContactState.SkippedKeyTotals()
                guard let stored = try store.database.first(.state, of: id) else { return }
                let hash = stored.hash(hashKey)
                sum.count(.state, nil, hash)
                guard let (contact, ring) = try opened(card) else {
                    if opensAll { contactsByID[id] = .some(nil) }
                    return
                }
                let state = try ContactState(stored, hash: hash, ring)
                if opensAll {
                    contactsByID[id] = ContactFacts(
                        name: contact.name, ring: ring, version: state.version,
                        nextNumber: state.skipped.nextNumber)
                }
                try check(contact, of: card, in: ring)
                guard state.skipped.matches(keys) else {
                    throw .store(
                        .damaged(
                            "keys for late messages are missing or were replaced with older ones"))
                }
                try body(contact, state)
            }
        }
        if sum != header[.contacts] {
            try addIssue(
                "contacts are missing or were replaced with older ones",
                "the contacts that are not listed")
        }
        for id in skippedKeys.keys.sorted() {
            try addIssue("there are keys of contact \(id), which does not exist", "late messages")
        }
    }

    /// Returns the contact that is stored in a card, and the contact's ring, or nil if the card cannot be
    /// opened here.
    private func opened(_ card: StoredRow) throws(KeyringError) -> (Contact, Ring)? {
        guard let ring = rings[card.row.number] else {
            throw .store(.damaged("it belongs to no identity"))
        }
        return try ring.map { (ring) throws(KeyringError) in (try Contact(card, ring), ring) }
    }

    /// Checks that the tags and the id in a card belong to the contact.
    private func check(
        _ contact: Contact, of card: StoredRow, in ring: Ring
    ) throws(KeyringError) {
        // The record is bound to the tags, so only a faulty tool can have stored a wrong tag. Only `check`
        // looks for that.
        let isFound = !opensAll || contact.hasTags(card.row.fields, in: ring)
        if contact.id > header.lastContact || !isFound {
            throw .store(.damaged("its index entries or its id are wrong"))
        }
    }

    /// Opens a row of keys in flight or unwritten keys.
    private func openTransit(_ stored: StoredRow) throws(KeyringError) {
        let row = stored.row
        try collectingDamage("messages in progress", at: row.kind.table) {
            () throws(KeyringError) in
            guard row.kind == .unwritten else {
                return _ = try store.transit.keysInFlight(in: stored)
            }
            guard let known = rings[row.number] else {
                throw .store(.damaged("a row belongs to no identity"))
            }
            guard let ring = known else { return }
            var areOfContacts = true
            try store.transit.filterUnwritten([row], in: ring) { (_, contact, _, _) in
                if contactsByID[contact]??.ring.id != ring.id { areOfContacts = false }
                return true
            }
            if !areOfContacts { throw .store(.damaged("keys belong to no contact")) }
        }
    }

    /// Opens a row of keys for rereading. Rows of other sessions remain sealed.
    private func openReread(_ stored: StoredRow) throws(KeyringError) {
        guard let (contact, place) = try contactWithRow(stored) else { return }
        try collectingDamage("messages read in a session", at: place) { () throws(KeyringError) in
            guard contact.ring.id == stored.row.version else {
                throw .store(.damaged("it belongs to another identity"))
            }
            if let key = store.keys.reread, key.session == stored.row.session {
                try stored.read(key.sealingKey) { (_) in }
            }
        }
    }

    /// Opens a row of skipped keys or a retired chain.
    private func openSkipped(_ stored: StoredRow) throws(KeyringError) {
        guard let (contact, place) = try contactWithRow(stored) else { return }
        try collectingDamage("late messages of \(contact.name)", at: place) {
            () throws(KeyringError) in
            if stored.row.number >= contact.nextNumber || stored.row.version > contact.version {
                throw .store(.damaged("it is newer than its contact"))
            }
            try stored.read(contact.ring.sealingKey) { (_) in }
        }
    }

    /// Returns the contact to which a row belongs, and the place of the row for reports. Returns nil if the
    /// contact cannot be opened here. Returns nil and reports an issue if there is no such contact.
    private func contactWithRow(
        _ stored: StoredRow
    ) throws(KeyringError) -> (ContactFacts, place: String)? {
        let row = stored.row
        let place = "\(row.kind.table), \(row.id), \(row.number)"
        guard let contact = contactsByID[row.id] else {
            try addIssue("\(place): it belongs to no contact", "contact \(row.id)")
            return nil
        }
        return contact.map { ($0, place) }
    }
}
