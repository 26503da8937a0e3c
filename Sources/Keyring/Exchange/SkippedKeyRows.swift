internal import Crypto
internal import Protocol
internal import System

/// Kept keys, retired chains and keys of messages not yet written: a row each, so that a message
/// does not cost more when there are many.
///
///     table      sealed record
///     kept       since when (8), message key (64)
///     retired    since when (8), chain key (32)
///     unwritten  since when (8), message keys (64 each) in the order of their messages
struct SkippedKeyRows {
    private let rows: LinkRows
    private var database: Database { rows.database }

    init(_ rows: LinkRows) { self.rows = rows }

    /// Numbers of the rows of a contact that were loaded.
    struct Numbers {
        /// What each counts for in the contact's sum.
        var kept: [Int64: RowSum] = [:]
        var retired: [Int64: RowSum] = [:]
        /// Those that only dead processes have.
        var unwritten: [(number: Int64, keys: Int)] = []
    }

    /// Loads the rows of a contact, once.
    ///
    /// - Throws: `damaged` when they are not those that were written.
    func load(_ open: OpenLink) throws(KeyringError) {
        guard open.loaded == nil else { return }
        var numbers = Numbers()
        let kept = try loadKept(open.link.contact, &numbers)
        let retired = try loadRetired(open.link.contact, &numbers)
        let unwritten = try loadUnwritten(open.link.contact, &numbers)
        var sum = RowSum()
        for share in numbers.kept.values { sum += share }
        for share in numbers.retired.values { sum += share }
        guard kept.count == open.link.skipped.kept, retired.count == open.link.skipped.retired,
            sum == open.link.skipped.sum
        else { throw .store(.damaged("keys of a contact are missing, or older ones")) }
        open.loaded = numbers
        open.skipped.load(kept: kept, retired: retired, unwritten: unwritten)
    }

    /// Writes what has changed, and brings the link's record in line with it.
    func save(_ open: OpenLink, at now: Int64) throws(KeyringError) {
        let isOld = open.link.skipped.oldest.map { SkippedKeys.isExpired($0, at: now) } ?? false
        let all = counts(open)
        if all.kept > SkippedKeys.keptLimit || all.retired > SkippedKeys.retiredLimit || isOld {
            try load(open)
            open.skipped.trim(at: now)
        }
        try dropMissing(open)
        try saveKept(open)
        try saveRetired(open)
        try saveUnwritten(open)
        try saveSpent(open, at: now)
        open.link.skipped = counts(open)
    }

    /// What is kept of a contact: what the exchange has in hand, and what is stored and was not loaded.
    private func counts(_ open: OpenLink) -> Link.Skipped {
        let beside = open.loaded == nil ? open.link.skipped : Link.Skipped()
        return Link.Skipped(
            kept: open.skipped.kept.count + beside.kept,
            retired: open.skipped.retired.count + beside.retired,
            nextNumber: open.skipped.nextNumber,
            oldest: [open.skipped.oldest(), beside.oldest].compactMap(\.self).min(),
            sum: open.link.skipped.sum)
    }

    /// Deletes the rows of what was loaded and is gone.
    private func dropMissing(_ open: OpenLink) throws(KeyringError) {
        guard let loaded = open.loaded else { return }
        try drop(
            loaded.kept, but: open.skipped.kept.map(\.number), open.link,
            "DELETE FROM kept WHERE contact = ? AND number = ?")
        try drop(
            loaded.retired, but: open.skipped.retired.map(\.number), open.link,
            "DELETE FROM retired WHERE contact = ? AND number = ?")
    }

    private func drop(
        _ loaded: [Int64: RowSum], but present: [Int64], _ link: Link, _ delete: StaticString
    ) throws(KeyringError) {
        let present = Set(present)
        for (number, share) in loaded where !present.contains(number) {
            try database.statement(delete).bind(link.contact).bind(number).run()
            link.skipped.sum -= share
        }
    }

    /// Takes off a contact's list of keys whose messages are not yet written the first `written`.
    func dropWritten(
        _ contact: Int64, _ number: Int64, written: Int, of all: Int
    ) throws(KeyringError) {
        guard written > 0 else { return }
        guard written < all else { return try dropUnwritten(contact, number) }
        guard let row = try unwritten(contact, number) else { return }
        var record = try rows.open(
            row, 3, Place(unwrittenOf: contact, number, by: row.text(2)))
        row.reset()
        let rest = try cryptography { () throws(CryptoError) in
            var rest = SecretWriter(capacity: record.remaining - written * MessageKey.size)
            let since: Int64 = try record.integer()
            rest.put(since)
            _ = try record.secret(written * MessageKey.size)
            rest.put(try record.secret(record.remaining))
            return rest.finish()
        }
        try replaceUnwritten(rest, contact, number)
    }

    private func loadKept(
        _ contact: Int64, _ numbers: inout Numbers
    ) throws(KeyringError) -> [KeptKey] {
        var kept: [KeptKey] = []
        let found = try database.statement(
            "SELECT number, record FROM kept WHERE contact = ? ORDER BY number"
        ).bind(contact)
        while try found.step() {
            let number = found.integer(0)
            let place = Place(keptOf: contact, number)
            numbers.kept[number] = found.share(1, place, rows.hash)
            kept += try keys(in: rows.open(found, 1, place), as: number)
        }
        return kept
    }

    private func loadRetired(
        _ contact: Int64, _ numbers: inout Numbers
    ) throws(KeyringError) -> [RetiredChain] {
        var retired: [RetiredChain] = []
        let found = try database.statement(
            "SELECT number, version, record FROM retired WHERE contact = ? ORDER BY number"
        ).bind(contact)
        while try found.step() {
            let number = found.integer(0)
            let place = Place(retiredOf: contact, number, version: found.integer(1))
            numbers.retired[number] = found.share(2, place, rows.hash)
            var record = try rows.open(found, 2, place)
            try cryptography { () throws(CryptoError) in
                let since: Int64 = try record.integer()
                let chain = ChainKey(stored: try record.secret(32))
                retired.append(RetiredChain(number: number, chain: chain, since: since))
            }
        }
        return retired
    }

    /// The keys that dead processes left, those of a row under its number.
    private func loadUnwritten(
        _ contact: Int64, _ numbers: inout Numbers
    ) throws(KeyringError) -> [KeptKey] {
        var unwritten: [KeptKey] = []
        let found = try database.statement(
            "SELECT number, process, record FROM unwritten WHERE contact = ? ORDER BY number"
        ).bind(contact)
        while try found.step() {
            let (number, process) = (found.integer(0), found.text(1))
            if process == rows.mark.text || ProcessMark(text: process).isAlive(rows.clocks) {
                continue
            }
            let place = Place(unwrittenOf: contact, number, by: process)
            let keys = try keys(in: rows.open(found, 2, place), as: number)
            numbers.unwritten.append((number, keys.count))
            let now = rows.clocks.wall()
            unwritten += keys.filter { !SkippedKeys.isExpired($0.since, at: now) }
        }
        return unwritten
    }

    /// Keys that were stored together.
    private func keys(
        in record: consuming SecretReader, as number: Int64
    ) throws(KeyringError) -> [KeptKey] {
        var keys: [KeptKey] = []
        do throws(CryptoError) {
            let since: Int64 = try record.integer()
            repeat {
                let key = MessageKey(stored: try record.secret(MessageKey.size))
                keys.append(KeptKey(number: number, key: key, since: since))
            } while record.remaining > 0
        } catch {
            throw .store(.damaged("a record was altered"))
        }
        return keys
    }

    private func saveKept(_ open: OpenLink) throws(KeyringError) {
        let contact = open.link.contact
        for kept in open.skipped.kept where kept.number >= open.link.skipped.nextNumber {
            var record = SecretWriter(capacity: 8 + MessageKey.size)
            record.put(kept.since)
            record.put(kept.key.bytes)
            let place = Place(keptOf: contact, kept.number)
            let sealed = try rows.ring.sealer.seal(record.finish(), at: place)
            open.link.skipped.sum += rows.hash.share(place, sealed)
            try database.statement("INSERT INTO kept (contact, number, record) VALUES (?, ?, ?)")
                .bind(contact).bind(kept.number).bind(sealed).run()
        }
    }

    private func saveRetired(_ open: OpenLink) throws(KeyringError) {
        let (contact, version) = (open.link.contact, open.link.version)
        for retired in open.skipped.retired
        where retired.isMoved || retired.number >= open.link.skipped.nextNumber {
            var record = SecretWriter(capacity: 8 + 32)
            record.put(retired.since)
            record.put(retired.chain.bytes)
            let place = Place(retiredOf: contact, retired.number, version: version)
            let sealed = try rows.ring.sealer.seal(record.finish(), at: place)
            if let old = open.loaded?.retired[retired.number] { open.link.skipped.sum -= old }
            open.link.skipped.sum += rows.hash.share(place, sealed)
            try database.statement(
                "REPLACE INTO retired (contact, number, version, record) VALUES (?, ?, ?, ?)"
            )
            .bind(contact).bind(retired.number).bind(version).bind(sealed).run()
        }
    }

    /// Writes what is left of rows that were loaded.
    private func saveUnwritten(_ open: OpenLink) throws(KeyringError) {
        let contact = open.link.contact
        for (number, count) in open.loaded?.unwritten ?? [] {
            let left = open.skipped.unwritten.filter { $0.number == number }
            if left.isEmpty {
                try dropUnwritten(contact, number)
            } else if left.count < count {
                var record = SecretWriter(capacity: 8 + MessageKey.size * left.count)
                record.put(left[0].since)
                for kept in left { record.put(kept.key.bytes) }
                try replaceUnwritten(record.finish(), contact, number)
            }
        }
    }

    private func replaceUnwritten(
        _ record: consuming SecretBytes, _ contact: Int64, _ number: Int64
    ) throws(KeyringError) {
        guard let row = try unwritten(contact, number) else { return }
        let place = Place(unwrittenOf: contact, number, by: row.text(2))
        let old = rows.unwrittenShare(row)
        row.reset()
        let sealed = try rows.ring.sealer.seal(record, at: place)
        try database.statement(
            "UPDATE unwritten SET record = ? WHERE contact = ? AND number = ?"
        )
        .bind(sealed).bind(contact).bind(number).run()
        rows.ledger.transit.exchange(old, for: rows.hash.share(place, sealed))
    }

    /// A row of `contact, number, process, record` of unwritten, to be reset; nil where the contact was
    /// removed or synchronised again meanwhile.
    private func unwritten(_ contact: Int64, _ number: Int64) throws(KeyringError) -> Statement? {
        let row = try database.statement(
            """
            SELECT contact, number, process, record FROM unwritten
            WHERE contact = ? AND number = ?
            """
        ).bind(contact).bind(number)
        return try row.step() ? row : nil
    }

    private func dropUnwritten(_ contact: Int64, _ number: Int64) throws(KeyringError) {
        guard let row = try unwritten(contact, number) else { return }
        let share = rows.unwrittenShare(row)
        row.reset()
        try database.statement("DELETE FROM unwritten WHERE contact = ? AND number = ?")
            .bind(contact).bind(number).run()
        rows.ledger.transit.drop(share)
    }

    /// Writes the keys of messages that are about to be written.
    private func saveSpent(_ open: OpenLink, at now: Int64) throws(KeyringError) {
        guard !open.spent.isEmpty else { return }
        let (contact, number) = (open.link.contact, open.skipped.takeNumber())
        var record = SecretWriter(capacity: 8 + MessageKey.size * open.spent.count)
        record.put(now)
        for key in open.spent { record.put(key.bytes) }
        let place = Place(unwrittenOf: contact, number, by: rows.mark.text)
        let sealed = try rows.ring.sealer.seal(record.finish(), at: place)
        rows.ledger.transit.put(rows.hash.share(place, sealed))
        try database.statement(
            "INSERT INTO unwritten (contact, number, process, record) VALUES (?, ?, ?, ?)"
        )
        .bind(contact).bind(number).bind(rows.mark.text).bind(sealed).run()
        open.spentNumber = number
    }
}
