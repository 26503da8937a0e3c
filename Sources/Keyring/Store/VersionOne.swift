internal import Crypto
internal import Protocol
internal import System

/// A keyring of version 1, brought over to version 2 in one commit when it is first unlocked.
///
/// The tables are the same. Version 1 sealed less of what a row means, and had counts of rows where there
/// are sums now; what it had is looked at for the last time here.
struct VersionOne {
    private let keyring: Keyring
    private let keys: Keyring.Keys
    private let counts: Counts
    private let rows: LinkRows
    private var database: Database { keyring.database }
    private var ledger: Ledger { rows.ledger }

    /// - Throws: `damaged`; `otherSession` where an identity lives in another session, without which nobody
    ///   can bring its contacts over.
    static func bringOver(
        _ keyring: Keyring, _ keys: Keyring.Keys
    ) throws(KeyringError) {
        let noted = try keyring.notedCommits()
        let transaction = try keyring.database.begin()
        let version = try keyring.database.statement("PRAGMA user_version").first { $0.integer(0) }
        // Another process may have done it meanwhile.
        guard version == Int64(Schema.firstVersion) else { return try transaction.commit() }
        let work = try VersionOne(keyring, keys)
        try work.bringOverAll()
        // One that was restored stays so.
        let isBehind = work.ledger.commits < noted
        if !isBehind { work.ledger.commits += 1 }
        try work.ledger.write(to: keyring.database, keys.vault)
        try keyring.database.execute("PRAGMA user_version = \(Schema.version)")
        try transaction.commit()
        if !isBehind { try keyring.note(work.ledger.commits) }
    }

    /// What version 1's ledger holds besides what is in the present one.
    private struct Counts {
        var contacts: Int64 = 0
        var usedKeys: Int64 = 0
        var rings: Int64 = 0
    }

    private init(_ keyring: Keyring, _ keys: Keyring.Keys) throws(KeyringError) {
        self.keyring = keyring
        self.keys = keys
        let ledger = Ledger(home: keyring.home, try Account(from: keyring.database))
        rows = LinkRows(keyring, keys, ledger)
        let (version, sealed) = try Ledger.row(in: keyring.database)
        let place = Place("ledger", row: 1, version: version, format: .first)
        var record = SecretReader(try keys.vault.sealer.open(sealed.span, at: place))
        var counts = Counts()
        do throws(CryptoError) {
            ledger.commits = try record.integer()
            ledger.home = Home(stored: try record.bytes(Home.size))
            counts.contacts = try record.integer()
            counts.usedKeys = try record.integer()
            counts.rings = try record.integer()
            ledger.lastContact = try record.integer()
            ledger.lastRing = try record.integer()
        } catch {
            throw .store(.damaged("the ledger is cut"))
        }
        self.counts = counts
    }

    private func bringOverAll() throws(KeyringError) {
        let rings = try bringOverRings()
        try bringOverUsedKeys()
        try bringOverFlights()
        var ids: [Int64] = []
        let found = try database.statement("SELECT id FROM contacts NOT INDEXED ORDER BY id")
        while try found.step() { ids.append(found.integer(0)) }
        guard ids.count == counts.contacts else {
            throw .store(.damaged("contacts are missing"))
        }
        for id in ids {
            if try !bringOver(contact: id, rings) { try remove(contact: id) }
        }
        try refuseStrays()
    }

    /// The keys of all rings; nil for those of transient identities whose sessions have ended, which go.
    private func bringOverRings() throws(KeyringError) -> [Int64: Ring?] {
        var rings: [Int64: Ring?] = [:]
        let ids = try keyring.ringIDs()
        guard ids.count == counts.rings else {
            throw .store(.damaged("an identity is missing"))
        }
        for id in ids {
            let record = try keyring.ringRecord(id, keys, format: .first)
            if let ring = try keyring.ring(of: record, keys) {
                rings[id] = ring
                try record.write(to: database, keys.vault, ledger)
            } else if keyring.isOpen(session: record.name) {
                throw .identity(.otherSession)
            } else {
                rings[id] = .some(nil)
                try record.remove(from: database, ledger)
            }
        }
        return rings
    }

    private func bringOverUsedKeys() throws(KeyringError) {
        let found = try database.statement("SELECT tag FROM used_keys")
        while try found.step() {
            ledger.usedKeys.put(rows.hash.share(Place(usedKey: found.bytes(0))))
        }
        guard ledger.usedKeys.count == counts.usedKeys else {
            throw .store(.damaged("records of sync keys that were used are missing"))
        }
    }

    private func bringOverFlights() throws(KeyringError) {
        var sealed: [(String, [UInt8])] = []
        let found = try database.statement("SELECT process, record FROM flights")
        while try found.step() { sealed.append((found.text(0), found.bytes(1))) }
        for (process, old) in sealed {
            var place = Place("flights", row: 0, format: .first)
            place.append(Array(process.utf8))
            let record = try keys.vault.sealer.open(old.span, at: place)
            let new = try keys.vault.sealer.seal(record, at: Place(flightsOf: process))
            try database.statement("UPDATE flights SET record = ? WHERE process = ?")
                .bind(new).bind(process).run()
            ledger.transit.put(rows.hash.share(Place(flightsOf: process), new))
        }
    }

    /// - Returns: false where nobody can open the contact any more.
    private func bringOver(
        contact id: Int64, _ rings: [Int64: Ring?]
    ) throws(KeyringError) -> Bool {
        let row = try ContactRows(database: database).row(id)
        guard try row.step() else { throw .store(.damaged("contacts are out of order")) }
        defer { row.reset() }
        guard let known = rings[row.integer(1)] else {
            throw .store(.damaged("a contact belongs to no identity"))
        }
        guard let ring = known else { return false }
        let place = first("contacts.card", id, version: row.integer(4))
        let contact = try ContactCard.contact(id, from: row.opened(5, ring.sealer, at: place))
        let link = try Link(
            in: row, ring, at: first("contacts.state", id, version: row.integer(6)))
        link.version += 1
        link.cardVersion += 1
        row.reset()
        link.skipped.sum = try bringOverSkipped(link, ring)
        if let offer = try link.offer() {
            try keyring.record(usedTag: keyring.ownTag(of: offer, keys), ledger, keys)
        }
        try database.statement("DELETE FROM contacts WHERE id = ?").bind(id).run()
        try ContactRows(database: database).insert(
            link, contact.name, contact.number, ring, ledger, rows.hash)
        return true
    }

    /// Seals again what is kept beside a contact's row.
    ///
    /// - Returns: the sum of the rows of kept keys and retired chains.
    private func bringOverSkipped(_ link: Link, _ ring: Ring) throws(KeyringError) -> RowSum {
        let contact = link.contact
        let kept = try sealAgain(
            "SELECT number, 0, '', record FROM kept WHERE contact = ?",
            "UPDATE kept SET record = ? WHERE contact = ? AND number = ?", contact, ring
        ) { (first("kept", contact, $0.number), Place(keptOf: contact, $0.number)) }
        let retired = try sealAgain(
            "SELECT number, version, '', record FROM retired WHERE contact = ?",
            "UPDATE retired SET record = ? WHERE contact = ? AND number = ?", contact, ring
        ) {
            (
                first("retired", contact, $0.number, version: $0.version),
                Place(retiredOf: contact, $0.number, version: $0.version)
            )
        }
        let unwritten = try sealAgain(
            "SELECT number, 0, process, record FROM unwritten WHERE contact = ?",
            "UPDATE unwritten SET record = ? WHERE contact = ? AND number = ?", contact, ring
        ) {
            (
                first("unwritten", contact, $0.number),
                Place(unwrittenOf: contact, $0.number, by: $0.process)
            )
        }
        for share in unwritten { ledger.transit.put(share) }
        guard kept.count == link.skipped.kept, retired.count == link.skipped.retired else {
            throw .store(.damaged("keys of a contact are missing"))
        }
        return (kept + retired).reduce(into: RowSum()) { $0 += $1 }
    }

    private struct SealedRow {
        let number: Int64
        let version: Int64
        let process: String
        let sealed: [UInt8]
    }

    /// Seals rows of `number, version, process, record` again.
    ///
    /// - Returns: what each counts for now.
    private func sealAgain(
        _ select: StaticString, _ update: StaticString, _ contact: Int64, _ ring: Ring,
        places: (SealedRow) -> (old: Place, new: Place)
    ) throws(KeyringError) -> [RowSum] {
        var list: [SealedRow] = []
        let found = try database.statement(select).bind(contact)
        while try found.step() {
            list.append(
                SealedRow(
                    number: found.integer(0), version: found.integer(1), process: found.text(2),
                    sealed: found.bytes(3)))
        }
        var shares: [RowSum] = []
        for row in list {
            let (old, new) = places(row)
            let record = try ring.sealer.open(row.sealed.span, at: old)
            let sealed = try ring.sealer.seal(record, at: new)
            try database.statement(update).bind(sealed).bind(contact).bind(row.number).run()
            shares.append(rows.hash.share(new, sealed))
        }
        return shares
    }

    private func first(
        _ table: StaticString, _ contact: Int64, _ number: Int64 = 0, version: Int64 = 0
    ) -> Place {
        Place(table, row: contact, number: number, version: version, format: .first)
    }

    private func remove(contact: Int64) throws(KeyringError) {
        for table in [
            "DELETE FROM contacts WHERE id = ?", "DELETE FROM kept WHERE contact = ?",
            "DELETE FROM retired WHERE contact = ?", "DELETE FROM unwritten WHERE contact = ?",
        ] as [StaticString] {
            try database.statement(table).bind(contact).run()
        }
    }

    private func refuseStrays() throws(KeyringError) {
        for query in [
            "SELECT 1 FROM kept WHERE contact NOT IN (SELECT id FROM contacts) LIMIT 1",
            "SELECT 1 FROM retired WHERE contact NOT IN (SELECT id FROM contacts) LIMIT 1",
            "SELECT 1 FROM unwritten WHERE contact NOT IN (SELECT id FROM contacts) LIMIT 1",
        ] as [StaticString] where try database.statement(query).first({ _ in true }) != nil {
            throw .store(.damaged("there are keys of a contact who is not there"))
        }
    }
}
