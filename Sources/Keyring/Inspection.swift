internal import Crypto
internal import Protocol

/// Something that is wrong in a keyring, in words.
package struct Finding: Equatable, Sendable {
    package let what: String
    /// What cannot be relied on for it.
    package let touches: String
}

/// Looks at the whole keyring: every page, row, seal and count, and what binds them to each other.
///
/// `parts` is the list of what is looked at; each part goes on to the next row after a finding. Nothing is
/// written.
package final class Inspection {
    private let keyring: Keyring
    private let database: Database
    private let keys: Keyring.Keys
    private let ledger: Ledger
    private let report: (Finding) -> Void
    private var isSound = true
    private let audit: Audit
    /// What is kept beside the contacts' rows.
    private var skipped: [Int64: Link.Skipped] = [:]
    private var rings: [Int64: Ring] = [:]
    private var ringIDs: Set<Int64> = []
    private var contacts: [Int64: Known] = [:]
    /// Contacts of transient identities of other sessions, which cannot be opened here.
    package private(set) var unseen = 0

    /// What a contact's own record says of its other rows.
    private struct Known {
        let name: String
        /// Nil where the ring cannot be opened here.
        let ring: Ring?
        let version: Int64
        let nextNumber: Int64
        /// Rows that are still to come, by table; fewer than none where there are too many.
        var missing: [String: Int]
    }

    private typealias Part = (Inspection) -> () throws(KeyringError) -> Void
    private static var parts: [(touches: String, look: Part)] {
        [
            ("any contact", lookAtPages), ("any contact", lookAtSchema),
            ("the account", lookAtSingleRows), ("all contacts of an identity", lookAtRings),
            ("any contact", lookAtContacts), ("late messages", lookAtKept),
            ("late messages", lookAtRetired), ("messages that were not written", lookAtUnwritten),
            ("messages on their way out", lookAtFlights),
            ("keys and offers entered before", lookAtUsedKeys),
        ]
    }

    /// Looks at an unlocked keyring.
    ///
    /// - Parameter report: is told of each finding as it is made.
    /// - Throws: `behind` for one that is sound, and was restored; where the keyring cannot be read for
    ///   another reason than damage.
    package static func run(
        on keyring: Keyring, report: @escaping (Finding) -> Void
    ) throws(KeyringError) -> Int {
        let noted = try keyring.notedCommits()
        return try keyring.database.reading { () throws(KeyringError) in
            let inspection = try Inspection(keyring, report)
            for part in parts {
                try inspection.noting(part.touches, part.look(inspection))
            }
            if inspection.isSound, inspection.ledger.commits < noted { throw .copy(.behind) }
            return inspection.unseen
        }
    }

    private init(_ keyring: Keyring, _ report: @escaping (Finding) -> Void) throws(KeyringError) {
        self.keyring = keyring
        self.report = report
        database = keyring.database
        keys = try keyring.unlocked()
        ledger = try Ledger(from: database, keys.vault)
        audit = Audit(database, keys.vault, ledger)
    }

    private func find(_ what: String, _ touches: String) {
        isSound = false
        report(Finding(what: what, touches: touches))
    }

    /// Runs `body`, and takes damage for a finding.
    private func noting(
        _ touches: String, at place: String? = nil, _ body: () throws(KeyringError) -> Void
    ) throws(KeyringError) {
        do throws(KeyringError) {
            try body()
        } catch .store(.damaged(let what)) {
            find(place.map { "\($0): \(what)" } ?? what, touches)
        }
    }

    private func count(_ count: Int64, of expected: Int64, _ what: String, _ touches: String) {
        if count != expected { find("\(count) \(what), not \(expected)", touches) }
    }

    /// SQLite's own structures: every page has one use, every row its entries in the indexes.
    private func lookAtPages() throws(KeyringError) {
        let rows = try database.statement("PRAGMA integrity_check")
        while try rows.step() {
            let text = rows.text(0).split(separator: "\n").joined(separator: " ")
            if text != "ok" { find("pages: \(text)", "any contact") }
        }
    }

    /// The tables are those of a keyring in their own words, and there is nothing else.
    private func lookAtSchema() throws(KeyringError) {
        try Schema.check(database)
    }

    private func lookAtSingleRows() throws(KeyringError) {
        try audit.account()
        _ = try keyring.failedTries()
        for (sql, name) in [
            ("SELECT count(*) FROM account", "account"),
            ("SELECT count(*) FROM lockout", "lockout"), ("SELECT count(*) FROM ledger", "ledger"),
        ] as [(StaticString, String)] {
            let number = try database.statement(sql).first { $0.integer(0) } ?? 0
            count(number, of: 1, "rows in \(name)", "the account")
        }
    }

    private func lookAtRings() throws(KeyringError) {
        try noting("any identity") { () throws(KeyringError) in try audit.rings() }
        var number: Int64 = 0
        var last: Int64 = 0
        var names: Set<String> = []
        for id in try keyring.ringIDs() {
            number += 1
            ringIDs.insert(id)
            let touches = "all contacts of identity \(id)"
            if id <= last { find("identity \(id) is out of order", touches) }
            last = id
            try noting(touches, at: "identity \(id)") { () throws(KeyringError) in
                rings[id] = try keyring.openRing(id, keys)
            }
        }
        for identity in try keyring.identities() {
            let isRepeated = !names.insert(identity.name).inserted
            if isRepeated || (identity.kind == .real) != (identity.id == Identity.realID) {
                find("identity \(identity.id) has the name or kind of another", "its contacts")
            }
        }
        if last > ledger.lastRing { find("identity \(last) was never made", "its contacts") }
        count(number, of: ledger.rings.count, "identities", "contacts of an identity")
    }

    private func lookAtContacts() throws(KeyringError) {
        skipped = try audit.skipped()
        let rows = try ContactRows(database: database).all()
        var number: Int64 = 0
        var last: Int64 = 0
        while try rows.step() {
            number += 1
            let id = rows.integer(0)
            if id <= last || id > ledger.lastContact {
                find("contact \(id) is out of order", "contact \(id)")
            }
            last = id
            try noting("contact \(id)", at: "contact \(id)") { () throws(KeyringError) in
                try lookAtContact(id, rows)
            }
        }
        count(number, of: ledger.contacts.count, "contacts", "the contacts that are not listed")
        try audit.contacts()
    }

    private func lookAtContact(_ id: Int64, _ row: Statement) throws(KeyringError) {
        guard ringIDs.contains(row.integer(1)) else {
            throw .store(.damaged("it belongs to no identity"))
        }
        guard let ring = rings[row.integer(1)] else {
            unseen += 1
            contacts[id] = Known(
                name: "", ring: nil, version: .max, nextNumber: .max, missing: [:])
            return
        }
        let contact = try ContactRows(database: database).contact(in: row, ring)
        let link = try Link(in: row, ring, at: Place(stateIn: row))
        let beside = skipped[id] ?? Link.Skipped()
        if link.skipped.sum != beside.sum {
            find("contact \(id): what is kept for late messages is older", contact.name)
        }
        contacts[id] = Known(
            name: contact.name, ring: ring, version: link.version,
            nextNumber: link.skipped.nextNumber,
            missing: ["kept": link.skipped.kept, "retired": link.skipped.retired])
        let numberTag = contact.number.map { ring.numberTag($0) } ?? []
        if row.bytes(2) != ring.nameTag(contact.name) || row.bytes(3) != numberTag {
            find("contact \(id): it is found by another's name or number", contact.name)
        }
    }

    private func lookAtKept() throws(KeyringError) {
        try lookAtRows(
            "kept", "late messages",
            "SELECT contact, number, record FROM kept ORDER BY contact, number"
        ) { Place(keptOf: $0.integer(0), $0.integer(1)) }
        lookForMissing("kept")
    }

    private func lookAtRetired() throws(KeyringError) {
        try lookAtRows(
            "retired", "late messages",
            "SELECT contact, number, record, version FROM retired ORDER BY contact, number",
            version: { $0.integer(3) }
        ) { Place(retiredOf: $0.integer(0), $0.integer(1), version: $0.integer(3)) }
        lookForMissing("retired")
    }

    private func lookAtUnwritten() throws(KeyringError) {
        try lookAtRows(
            "unwritten", "messages that were not written",
            "SELECT contact, number, record, process FROM unwritten ORDER BY contact, number"
        ) { Place(unwrittenOf: $0.integer(0), $0.integer(1), by: $0.text(3)) }
        try noting("messages under way") { () throws(KeyringError) in try audit.transit() }
    }

    /// Rows of a contact beside its record, `contact, number, record` and what else `place` reads: in
    /// order, and its own.
    private func lookAtRows(
        _ table: String, _ touched: String, _ sql: StaticString,
        version: (Statement) -> Int64 = { _ in 0 }, place rowPlace: (Statement) -> Place
    ) throws(KeyringError) {
        let rows = try database.statement(sql)
        var last: (Int64, Int64) = (0, -1)
        while try rows.step() {
            let (contact, number) = (rows.integer(0), rows.integer(1))
            let name = contacts[contact]?.name ?? "contact \(contact)"
            let touches = "\(touched) of \(name)"
            let place = "\(table), \(contact), \(number)"
            if (contact, number) <= last { find("\(place): it is out of order", touches) }
            last = (contact, number)
            guard let known = contacts[contact] else {
                find("\(place): it belongs to no contact", touches)
                continue
            }
            contacts[contact]?.missing[table, default: 0] -= 1
            guard let ring = known.ring else { continue }
            if number >= known.nextNumber || version(rows) > known.version {
                find("\(place): it is of later than its contact", touches)
            }
            try noting(touches, at: place) { () throws(KeyringError) in
                _ = try rows.opened(2, ring.sealer, at: rowPlace(rows))
            }
        }
    }

    /// Each contact has as many rows beside its record as that counts.
    private func lookForMissing(_ table: String) {
        for (id, known) in contacts.sorted(by: { $0.key < $1.key }) where known.ring != nil {
            let missing = known.missing[table] ?? 0
            if missing != 0 {
                find(
                    "\(table), \(id): \(abs(missing)) rows \(missing > 0 ? "are missing" : "too many")",
                    "late messages of \(known.name)")
            }
        }
    }

    private func lookAtFlights() throws(KeyringError) {
        _ = try KeysInFlight(LinkRows(keyring, keys, ledger))
    }

    private func lookAtUsedKeys() throws(KeyringError) {
        let touches = "keys and offers entered before, which may be taken again"
        let rows = try database.statement("SELECT tag FROM used_keys ORDER BY tag")
        var number: Int64 = 0
        var last: [UInt8] = []
        while try rows.step() {
            number += 1
            let tag = rows.bytes(0)
            if tag.count != 16 || !last.lexicographicallyPrecedes(tag) {
                find("used key \(number) is out of order, or cut", touches)
            }
            last = tag
        }
        count(number, of: ledger.usedKeys.count, "used keys", touches)
        try audit.usedKeys { (_) in }
    }
}
