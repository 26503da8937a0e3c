/// Something that is wrong in a keyring, in words.
package struct Finding: Equatable, Sendable {
    package let what: String
    /// What cannot be relied on for it.
    package let touches: String
}

/// Goes over rows, within a transaction, and compares them with the ledger: that all are there, that each is
/// the one that was written last, and that none is another's.
///
/// No index is believed, nor are the pages above the rows: what is walked over is counted and summed, and
/// ascends. At the first fault this throws, or, where somebody is told of each, it goes on.
final class Verification {
    /// Contacts in a keyring, at most, that are all verified in every commit. With more, a commit verifies
    /// those that it is about.
    static let fewContacts: Int64 = 64

    private let transaction: Transaction
    private let report: ((Finding) -> Void)?
    private(set) var isSound = true
    private var openRings: [Int64: Ring?] = [:]
    /// What is kept beside contacts, by contact, and not yet found to be a contact's.
    private var beside: [Int64: Link.Skipped] = [:]
    /// If every record is opened: the contacts that a row may belong to, by id; nil for one of another session,
    /// who cannot be opened here.
    private var holders: [Int64: Holder?] = [:]
    private var opensAll = false

    /// What rows beside a contact's are compared with.
    private struct Holder {
        let name: String
        let ring: Ring
        let version: Int64
        let nextNumber: Int64

        init(name: String, _ link: Link) {
            self.name = name
            ring = link.ring
            version = link.version
            nextNumber = link.skipped.nextNumber
        }
    }

    /// - Parameter report: is told of each fault as it is found, where it is not thrown.
    init(_ transaction: Transaction, report: ((Finding) -> Void)? = nil) {
        self.transaction = transaction
        self.report = report
    }

    private var ledger: Ledger { transaction.ledger }
    private var hash: KeyedHash { transaction.keys.vault.rowHash }

    /// Contacts of transient identities of other sessions, which cannot be opened here.
    var unseen: Int { holders.values.count { $0 == nil } }

    /// Says what is wrong, or throws it.
    func find(_ what: String, _ touches: String) throws(KeyringError) {
        guard let report else { throw .store(.damaged(what)) }
        isSound = false
        report(Finding(what: what, touches: touches))
    }

    /// Runs `body`, and takes damage for a finding.
    func noting(
        _ touches: String, at place: String? = nil, _ body: () throws(KeyringError) -> Void
    ) throws(KeyringError) {
        do throws(KeyringError) {
            try body()
        } catch {
            guard case .store(.damaged(let what)) = error else { throw error }
            try find(place.map { "\($0): \(what)" } ?? what, touches)
        }
    }

    /// Goes over all rows of some kinds that are counted together.
    private func sum(
        _ kinds: [RowKind], _ what: String, _ touches: String,
        _ body: (StoredRow) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        let expected = ledger[kinds[0].sum]
        var tally = Tally()
        for kind in kinds {
            try walk(kind, touches) { (stored) throws(KeyringError) in
                tally.count(kind, nil, stored.weight(hash))
                try body(stored)
            }
        }
        if tally != expected { try find("\(what) are missing, or older ones", touches) }
    }

    /// Goes over all rows of a kind, as long as they ascend.
    private func walk(
        _ kind: RowKind, _ touches: String, _ body: (StoredRow) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try noting(touches) { () throws(KeyringError) in
            let cursor = try transaction.rows(kind)
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

    /// What every commit verifies: identities, what is under way, and the contacts where there are few. The
    /// account was verified by the unlocking; what is kept beside a contact, and keys that were used, are
    /// where they are needed.
    func usual() throws(KeyringError) {
        try rings()
        try transit()
        if ledger[.contacts].count <= Self.fewContacts { try contacts() }
    }

    func rings() throws(KeyringError) { try sum([.ring], "identities", "any identity") }

    func account() throws(KeyringError) {
        guard try Account(from: transaction.database).digest == ledger.account else {
            throw .store(.damaged("the account was altered"))
        }
    }

    /// - Parameter tags: names and numbers that no contact has.
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
            [.unwritten, .flights], "keys of messages under way", "messages under way", body)
    }

    /// Goes over the tags of all keys and offers that were used.
    ///
    /// - Throws: `damaged`, after `body` was shown them, when they are not those that were recorded.
    func usedKeys(_ body: ([UInt8]) -> Void = { _ in }) throws(KeyringError) {
        try sum([.usedKey], "records of sync keys that were used", "keys and offers entered before")
        {
            body($0.row.tag(0) ?? [])
        }
    }

    /// Goes over all that sessions keep for reading again.
    func reread(
        _ body: (StoredRow) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        try sum([.reread], "keys for reading again", "messages read in a session", body)
    }

    /// Goes over everything: identities, contacts, what is kept beside them, what is under way, keys used.
    ///
    /// - Parameters:
    ///   - opensAll: true to open each record, of what is kept and under way as well.
    ///   - body: takes each contact that can be opened here, with the id of its ring, when all that is its own
    ///     was verified.
    func everything(
        opensAll: Bool = false, _ body: (Contact, Link) throws(KeyringError) -> Void = { (_, _) in }
    ) throws(KeyringError) {
        self.opensAll = opensAll
        try identities()
        for kind in [RowKind.kept, .retired] {
            try walk(kind, "late messages") { (stored) throws(KeyringError) in
                beside[stored.row.id, default: Link.Skipped()].count(
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

    /// Goes over identities and contacts. States are counted, but not opened.
    ///
    /// - Parameter body: takes each contact that can be opened here, with its ring.
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
            try noting("all contacts of \(place)", at: place) { () throws(KeyringError) in
                let record = try RingRecord.opened(stored, transaction.keys.vault)
                let ring = transaction.held(record)?.ring
                openRings[id] = .some(ring)
                let isRepeated = !names.insert(record.name).inserted
                if isRepeated || (record.kind == .real) != (id == Identity.realID)
                    || id > ledger.lastRing
                {
                    throw .store(.damaged("it has the name, kind or number of another"))
                }
            }
        }
        if openRings[Identity.realID] == nil {
            try find("the real identity is missing", "its contacts")
        }
    }

    private func contactsAndLinks(
        _ body: (Contact, Link) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        // The states are looked up by the cards, of which there are as many.
        var tally = Tally()
        try walk(.card, "the contacts that are not listed") { (card) throws(KeyringError) in
            let id = card.row.id
            tally.count(.card, nil, card.weight(hash))
            try noting("contact \(id)", at: "contact \(id)") { () throws(KeyringError) in
                let kept = beside.removeValue(forKey: id) ?? Link.Skipped()
                guard let state = try transaction.database.first(.state, of: id) else { return }
                let weight = state.weight(hash)
                tally.count(.state, nil, weight)
                let found = try contact(card, state, weight, keeping: kept)
                if let (contact, link) = found { try body(contact, link) }
            }
        }
        if tally != ledger[.contacts] {
            try find("contacts are missing, or older ones", "the contacts that are not listed")
        }
        for id in beside.keys.sorted() {
            try find("there are keys of a contact \(id) who is not there", "late messages")
        }
    }

    /// The contact of a card, with its ring; nil if it cannot be opened here.
    private func opened(_ card: StoredRow) throws(KeyringError) -> (Contact, Ring)? {
        guard let ring = openRings[card.row.number] else {
            throw .store(.damaged("it belongs to no identity"))
        }
        return try ring.map { (ring) throws(KeyringError) in (try Contact(card, ring), ring) }
    }

    /// Refuses a contact that is found by what is not its own.
    private func check(
        _ contact: Contact, of card: StoredRow, in ring: Ring
    ) throws(KeyringError) {
        if contact.id > ledger.lastContact || contact.tags(in: ring) != card.row.tags {
            throw .store(.damaged("it is found by another's name, number or id"))
        }
    }

    /// A contact of a card and a state; nil where it cannot be opened here.
    private func contact(
        _ card: StoredRow, _ state: StoredRow, _ weight: RowSum?, keeping kept: Link.Skipped
    ) throws(KeyringError) -> (Contact, Link)? {
        guard let (contact, ring) = try opened(card) else {
            if opensAll { holders[card.row.id] = .some(nil) }
            return nil
        }
        let link = try Link(state, weighing: weight, ring)
        if opensAll { holders[contact.id] = Holder(name: contact.name, link) }
        try check(contact, of: card, in: ring)
        if !link.skipped.isHeld(by: kept) {
            throw .store(
                .damaged("keys that are kept for late messages are missing, or older ones"))
        }
        return (contact, link)
    }

    /// Opens a row of what is kept or under way.
    private func open(_ stored: StoredRow) throws(KeyringError) {
        let row = stored.row
        let place = "\(row.kind.table), \(row.id), \(row.number)"
        if row.kind == .flights || row.kind == .unwritten {
            return try noting("messages under way", at: row.kind.table) { () throws(KeyringError) in
                guard row.kind == .unwritten else {
                    return _ = try Flights.read(stored, transaction.keys.vault)
                }
                guard let known = openRings[row.number] else {
                    throw .store(.damaged("a row belongs to no identity"))
                }
                guard let ring = known else { return }
                var areOfContacts = true
                try transaction.siftUnwritten([row], in: ring) { (_, contact, _, _) in
                    if holders[contact]??.ring.id != ring.id { areOfContacts = false }
                    return true
                }
                if !areOfContacts { throw .store(.damaged("keys belong to no contact")) }
            }
        }
        guard let holder = holders[row.id] else {
            return try find("\(place): it belongs to no contact", "contact \(row.id)")
        }
        guard let holder else { return }
        if row.kind == .reread {
            return try noting("messages read in a session", at: place) {
                () throws(KeyringError) in
                guard holder.ring.id == row.version else {
                    throw .store(.damaged("it is another identity's"))
                }
                guard let key = transaction.keys.reread, key.session == row.session else { return }
                try stored.read(key.sealer) { (_) in }
            }
        }
        try noting("late messages of \(holder.name)", at: place) { () throws(KeyringError) in
            if row.number >= holder.nextNumber || row.version > holder.version {
                throw .store(.damaged("it is of later than its contact"))
            }
            try stored.read(holder.ring.sealer) { (_) in }
        }
    }
}

extension Transaction {
    /// Compares with the ledger what every commit does.
    ///
    /// - Throws: `behind` where the keyring was restored; `damaged`.
    func verify() throws(KeyringError) {
        try checkIsNotBehind()
        try Verification(self).usual()
    }
}

extension Keyring {
    /// Goes through all contacts of the ring in use, in the order in which they were added, having
    /// verified everything.
    ///
    /// - Throws: `behind`; `damaged` when there is not what there was.
    package func eachContact(
        _ body: (Contact, Link) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try reading { (transaction) throws(KeyringError) in
            try transaction.checkIsNotBehind()
            try Verification(transaction).everything { (contact, link) throws(KeyringError) in
                if link.ring.id == transaction.keys.ring.id { try body(contact, link) }
            }
        }
    }

    /// Goes through the same contacts without opening their states, having verified identities and contacts.
    ///
    /// - Throws: as `eachContact`.
    package func eachCard(
        _ body: (Contact) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try reading { (transaction) throws(KeyringError) in
            try transaction.checkIsNotBehind()
            try Verification(transaction).cards { (contact, ring) throws(KeyringError) in
                if ring.id == transaction.keys.ring.id { try body(contact) }
            }
        }
    }

    /// Verifies everything; a keyring that was restored as well, which is to be answered.
    ///
    /// - Throws: `damaged`.
    package func verifyAll() throws(KeyringError) {
        try reading { (transaction) throws(KeyringError) in
            try Verification(transaction).everything()
        }
    }

    /// Verifies every page, row, seal and count of the whole keyring, and what binds them to each other.
    /// Nothing is written.
    ///
    /// - Parameter report: is told of each finding as it is made.
    /// - Returns: contacts of transient identities of other sessions, which cannot be opened here.
    /// - Throws: `behind` for one that is sound, and was restored; where the keyring cannot be read for
    ///   another reason than damage.
    package func check(report: @escaping (Finding) -> Void) throws(KeyringError) -> Int {
        try reading { (transaction) throws(KeyringError) in
            let verification = Verification(transaction, report: report)
            try verification.noting("any contact", at: "pages") { () throws(KeyringError) in
                let pages = try transaction.database.statement("PRAGMA integrity_check")
                while try pages.step() {
                    let text = pages.text(0).split(separator: "\n").joined(separator: " ")
                    if text != "ok" { try verification.find("pages: \(text)", "any contact") }
                }
            }
            try verification.noting("any contact") { () throws(KeyringError) in
                try Schema.check(transaction.database)
            }
            try verification.noting("the account") { () throws(KeyringError) in
                try verification.account()
                _ = try failedTries()
            }
            try verification.everything(opensAll: true)
            if verification.isSound { try transaction.checkIsNotBehind() }
            return verification.unseen
        }
    }
}
