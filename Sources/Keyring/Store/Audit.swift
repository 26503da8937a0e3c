internal import Crypto

/// Compares rows with the ledger, within a transaction: that all are there, that each is the one that was
/// written last, and that none is another's.
///
/// No index is believed, nor are the pages above the rows: what is walked over is counted and summed, and
/// ascends.
struct Audit {
    /// Contacts in a keyring, at most, that are all looked at in every commit. With more, a commit looks
    /// at the contacts that it is about.
    static let fewContacts: Int64 = 64

    private let database: Database
    private let hash: RowHash
    private let ledger: Ledger

    init(_ database: Database, _ vault: borrowing Vault, _ ledger: Ledger) {
        self.database = database
        hash = vault.rowHash
        self.ledger = ledger
    }

    /// What every commit looks at: identities, what is under way, and the contacts where there are few.
    /// The account was looked at by the unlocking; what is kept beside a contact, and keys that were used,
    /// are where they are needed.
    func usual() throws(KeyringError) {
        try rings()
        try transit()
        if ledger.contacts.count <= Self.fewContacts { try contacts() }
    }

    func account() throws(KeyringError) {
        guard try Account(from: database).digest == ledger.account else {
            throw .store(.damaged("the account was altered"))
        }
    }

    func rings() throws(KeyringError) {
        let rows = try database.statement("SELECT id, version, record FROM rings ORDER BY id")
        var tally = Tally()
        var last: Int64 = 0
        while try rows.step() {
            guard rows.integer(0) > last else {
                throw .store(.damaged("identities are out of order"))
            }
            last = rows.integer(0)
            let place = Place("rings", row: last, version: rows.integer(1))
            tally.put(rows.share(2, place, hash))
        }
        try compare(tally, ledger.rings, "identities are missing, or older ones")
    }

    /// - Parameter tags: names and numbers that no contact has.
    func contacts(without tags: [[UInt8]] = []) throws(KeyringError) {
        let rows = try ContactRows(database: database).all()
        var tally = Tally()
        var last: Int64 = 0
        while try rows.step() {
            guard rows.integer(0) > last, tally.count < ledger.contacts.count else {
                throw .store(.damaged("there are contacts that nobody added"))
            }
            last = rows.integer(0)
            if !tags.isEmpty, tags.contains(rows.bytes(2)) || tags.contains(rows.bytes(3)) {
                throw .store(.damaged("an index is wrong"))
            }
            tally.put(share(ofContact: rows))
        }
        try compare(tally, ledger.contacts, "contacts are missing, or older ones")
    }

    func share(ofContact row: Statement) -> RowSum {
        var (share, state) = ContactRows.shares(of: row, hash)
        share += state
        return share
    }

    func transit() throws(KeyringError) {
        var tally = Tally()
        let flights = try database.statement("SELECT process, record FROM flights")
        while try flights.step() {
            tally.put(flights.share(1, Place(flightsOf: flights.text(0)), hash))
        }
        let unwritten = try database.statement(
            "SELECT contact, number, process, record FROM unwritten")
        while try unwritten.step() {
            let place = Place(
                unwrittenOf: unwritten.integer(0), unwritten.integer(1), by: unwritten.text(2))
            tally.put(unwritten.share(3, place, hash))
        }
        try compare(tally, ledger.transit, "keys of messages under way are missing, or older ones")
    }

    /// Goes over the tags of all keys and offers that were used.
    ///
    /// - Throws: `damaged`, after `body` was shown them, when they are not those that were recorded.
    func usedKeys(_ body: ([UInt8]) throws(KeyringError) -> Void) throws(KeyringError) {
        let rows = try database.statement("SELECT tag FROM used_keys ORDER BY tag")
        var tally = Tally()
        while try rows.step() {
            let tag = rows.bytes(0)
            tally.put(hash.share(Place(usedKey: tag)))
            try body(tag)
        }
        try compare(
            tally, ledger.usedKeys, "records of sync keys that were used are missing, or wrong")
    }

    /// What is kept beside the contacts' rows, by contact.
    func skipped() throws(KeyringError) -> [Int64: Link.Skipped] {
        var found: [Int64: Link.Skipped] = [:]
        let kept = try database.statement(
            "SELECT contact, number, record FROM kept ORDER BY contact, number")
        while try kept.step() {
            let contact = kept.integer(0)
            let place = Place(keptOf: contact, kept.integer(1))
            found[contact, default: Link.Skipped()].kept += 1
            found[contact]?.sum += kept.share(2, place, hash)
        }
        let retired = try database.statement(
            "SELECT contact, number, version, record FROM retired ORDER BY contact, number")
        while try retired.step() {
            let contact = retired.integer(0)
            let place = Place(
                retiredOf: contact, retired.integer(1), version: retired.integer(2))
            found[contact, default: Link.Skipped()].retired += 1
            found[contact]?.sum += retired.share(3, place, hash)
        }
        return found
    }

    func compare(_ tally: Tally, _ expected: Tally, _ what: String) throws(KeyringError) {
        guard tally == expected else { throw .store(.damaged(what)) }
    }
}

extension Keyring {
    /// The ledger, with the rows compared as in every commit, for what only reads.
    ///
    /// - Throws: `behind` where the keyring was restored; `damaged`.
    ///
    /// - Parameter isOlderToo: true for one that was restored as well.
    func auditedLedger(isOlderToo: Bool = false) throws(KeyringError) -> Ledger {
        let keys = try unlocked()
        return try reading { () throws(KeyringError) in
            let noted = try notedCommits()
            let ledger = try Ledger(from: database, keys.vault)
            if ledger.commits < noted, !isOlderToo { throw .copy(.behind) }
            try Audit(database, keys.vault, ledger).usual()
            return ledger
        }
    }

    /// Goes through all contacts of the ring in use, in the order in which they were added, having
    /// compared everything with the ledger.
    ///
    /// - Throws: `behind`; `damaged` when there is not what there was.
    package func eachContact(_ body: (Contact, Link) throws -> Void) throws {
        let ring = try unlocked().ring.id
        try eachContact { (contact, link, holder) in
            if holder == ring { try body(contact, link) }
        }
    }

    /// The same of all rings; contacts of transient identities of other sessions, which nobody can open
    /// here, are counted only.
    ///
    /// - Parameter body: takes the id of the contact's ring as well.
    func eachContact(
        isOlderToo: Bool = false, _ body: (Contact, Link, Int64) throws -> Void
    ) throws {
        let keys = try unlocked()
        try readingAll {
            let ledger = try auditedLedger(isOlderToo: isOlderToo)
            try eachContact(ledger, keys, body)
            try Audit(database, keys.vault, ledger).usedKeys { (_) in }
        }
    }

    private func eachContact(
        _ ledger: Ledger, _ keys: Keys, _ body: (Contact, Link, Int64) throws -> Void
    ) throws {
        let audit = Audit(database, keys.vault, ledger)
        var skipped = try audit.skipped()
        var rings: [Int64: Ring?] = [:]
        for id in try ringIDs() { rings[id] = .some(try openRing(id, keys)) }
        let rows = try ContactRows(database: database).all()
        var tally = Tally()
        var last: Int64 = 0
        while try rows.step() {
            tally.put(audit.share(ofContact: rows))
            guard rows.integer(0) > last, let ring = rings[rows.integer(1)] else {
                throw KeyringError.store(.damaged("contacts are out of order"))
            }
            last = rows.integer(0)
            let beside = skipped.removeValue(forKey: last) ?? Link.Skipped()
            guard let ring else { continue }
            let contact = try ContactRows(database: database).contact(in: rows, ring)
            let link = try Link(in: rows, ring, at: Place(stateIn: rows))
            guard link.skipped.isHeld(by: beside) else {
                throw KeyringError.store(.damaged("keys of a contact are missing, or older ones"))
            }
            try body(contact, link, ring.id)
        }
        try audit.compare(tally, ledger.contacts, "contacts are missing, or older ones")
        guard skipped.isEmpty else {
            throw KeyringError.store(.damaged("there are keys of a contact who is not there"))
        }
    }

    /// Compares everything with the ledger; a keyring that was restored as well, which is to be answered.
    ///
    /// - Throws: `damaged`.
    package func lookAtAll() throws { try eachContact(isOlderToo: true) { (_, _, _) in } }
}

extension Link.Skipped {
    /// True where rows are those that a contact's record counts.
    func isHeld(by rows: Link.Skipped) -> Bool {
        kept == rows.kept && retired == rows.retired && sum == rows.sum
    }
}
