internal import Crypto
internal import Protocol
internal import System

/// Kept keys and retired chains, which are counted in their contact's link, and keys of messages not yet
/// written: a row each, so that a message does not cost more when there are many.
///
///     table      sealed record
///     kept       since when (8), 1 where its message is missing (1), message key (64)
///     retired    since when (8), chain key (32)
///     unwritten  since when (8), message keys (64 each) in the order of their messages
extension Transaction {
    /// Loads what is kept of a contact, once.
    ///
    /// - Throws: `damaged` when it is not what was written.
    func load(_ skipped: inout SkippedKeys, of link: Link) throws(KeyringError) {
        guard !skipped.isLoaded else { return }
        let hash = keys.vault.rowHash
        var found = Link.Skipped()
        var kept: [KeptKey] = []
        var cursor = try rows(.kept, of: link.contact)
        while let stored = try cursor.next() {
            found.count(.kept, RowChange(old: nil, new: stored.weight(hash)))
            var record = try stored.open(link.ring.sealer)
            try Self.reading { () throws(CryptoError) in
                let since: Int64 = try record.integer()
                let isMissing = try record.byte() == 1
                let key = MessageKey(stored: try record.secret(MessageKey.size))
                kept.append(
                    KeptKey(
                        number: stored.row.number, key: key, since: since, isMissing: isMissing))
            }
        }
        var retired: [RetiredChain] = []
        cursor = try rows(.retired, of: link.contact)
        while let stored = try cursor.next() {
            found.count(.retired, RowChange(old: nil, new: stored.weight(hash)))
            var record = try stored.open(link.ring.sealer)
            try Self.reading { () throws(CryptoError) in
                let since: Int64 = try record.integer()
                let chain = ChainKey(stored: try record.secret(ChainKey.size))
                retired.append(
                    RetiredChain(number: stored.row.number, chain: chain, since: since))
            }
        }
        guard link.skipped.isHeld(by: found) else {
            throw .store(.damaged("keys of a contact are missing, or older ones"))
        }
        skipped.load(
            kept: kept, retired: retired, unwritten: try crashed(link.contact, in: link.ring))
    }

    /// The keys that dead processes left, those of a row under its number.
    private func crashed(_ contact: Int64, in ring: Ring) throws(KeyringError) -> [KeptKey] {
        var keys: [KeptKey] = []
        let cursor = try rows(.unwritten, of: contact)
        while let stored = try cursor.next() {
            if stored.row.process == keyring.mark.text
                || ProcessMark(text: stored.row.process).isAlive(keyring.clocks)
            {
                continue
            }
            var record = try stored.open(ring.sealer)
            try Self.reading { () throws(CryptoError) in
                let since: Int64 = try record.integer()
                repeat {
                    let key = MessageKey(stored: try record.secret(MessageKey.size))
                    keys.append(KeptKey(number: stored.row.number, key: key, since: since))
                } while record.remaining > 0
            }
        }
        return keys
    }

    /// Writes what has changed, and brings the link, which is to be written, in line with it.
    func save(_ skipped: inout SkippedKeys, of link: Link, at now: Int64) throws(KeyringError) {
        let new = skipped.kept.count { $0.number >= skipped.firstNew }
        let newChains = skipped.retired.count { $0.number >= skipped.firstNew }
        if !skipped.isLoaded,
            link.skipped.kept + new > SkippedKeys.keptLimit
                || link.skipped.retired + newChains > SkippedKeys.retiredLimit
                || link.skipped.oldest.map({ SkippedKeys.isExpired($0, at: now) }) ?? false
        {
            try load(&skipped, of: link)
            skipped.trim(at: now)
        }
        let contact = link.contact
        for number in skipped.goneKept { try drop(.kept(number, of: contact), beside: link) }
        for number in skipped.goneRetired {
            try drop(.retired(number, of: contact, version: 0), beside: link)
        }
        for kept in skipped.kept
        where kept.number >= skipped.firstNew || skipped.changedKept.contains(kept.number) {
            var record = SecretWriter(capacity: 9 + MessageKey.size)
            record.put(kept.since)
            record.put(kept.isMissing ? 1 : 0 as UInt8)
            record.put(kept.key.bytes)
            try put(
                record.finish(), as: .kept(kept.number, of: contact), under: link.ring.sealer,
                beside: link)
        }
        for retired in skipped.retired where retired.isMoved || retired.number >= skipped.firstNew {
            var record = SecretWriter(capacity: 8 + ChainKey.size)
            record.put(retired.since)
            record.put(retired.chain.bytes)
            try put(
                record.finish(),
                as: .retired(retired.number, of: contact, version: link.version + 1),
                under: link.ring.sealer, beside: link)
        }
        for number in skipped.changedUnwritten {
            let left = skipped.unwritten.filter { $0.number == number }
            try replaceUnwritten(number, of: link, by: left)
        }
        link.count(skipped)
        ledger.oldestKept = min(ledger.oldestKept, link.skipped.oldest ?? .max)
    }

    private func replaceUnwritten(
        _ number: Int64, of link: Link, by left: [KeptKey]
    ) throws(KeyringError) {
        guard let row = try unwritten(number, of: link.contact) else { return }
        guard let first = left.first else { return try drop(row) }
        var record = SecretWriter(capacity: 8 + MessageKey.size * left.count)
        record.put(first.since)
        for kept in left { record.put(kept.key.bytes) }
        try put(record.finish(), as: row, under: link.ring.sealer)
    }

    /// Writes the keys of messages that are about to be written, under a number of their own.
    func putUnwritten(
        _ spent: [SpentKey], _ number: Int64, of link: Link, at now: Int64
    ) throws(KeyringError) {
        var record = SecretWriter(capacity: 8 + MessageKey.size * spent.count)
        record.put(now)
        for key in spent { record.put(key.bytes) }
        let row = Row.unwritten(number, of: link.contact, by: keyring.mark.text)
        try put(record.finish(), as: row, under: link.ring.sealer)
        ledger.oldestKept = min(ledger.oldestKept, now)
    }

    /// Takes the keys of the first `written` messages off a list of `all` that were not yet written.
    func dropUnwritten(
        _ number: Int64, of link: Link, written: Int, of all: Int
    ) throws(KeyringError) {
        guard written > 0, let row = try unwritten(number, of: link.contact) else { return }
        guard written < all else { return try drop(row) }
        let rest: SecretBytes? = try stored(row) { (stored) throws(KeyringError) in
            var record = try stored.open(link.ring.sealer)
            return try Self.reading { () throws(CryptoError) in
                var rest = SecretWriter(capacity: record.remaining - written * MessageKey.size)
                let since: Int64 = try record.integer()
                rest.put(since)
                try record.skip(written * MessageKey.size)
                rest.put(try record.secret(record.remaining))
                return rest.finish()
            }
        }
        if let rest { try put(rest, as: row, under: link.ring.sealer) }
    }

    /// A row of unwritten keys; nil where the contact was removed or synchronised again meanwhile.
    private func unwritten(_ number: Int64, of contact: Int64) throws(KeyringError) -> Row? {
        try stored(.unwritten(number, of: contact, by: "")) { $0.row }
    }

    /// Reads a record that was opened: it holds what was put into it, or it was written by nobody.
    private static func reading<Result: ~Copyable>(
        _ body: () throws(CryptoError) -> Result
    ) throws(KeyringError) -> Result {
        do throws(CryptoError) {
            return try body()
        } catch {
            throw .store(.damaged("a record is cut"))
        }
    }

    /// Erases what is kept for longer than it may be, of all contacts that can be opened here.
    func eraseExpired(at now: Int64) throws(KeyringError) {
        guard SkippedKeys.isExpired(ledger.oldestKept, at: now) else { return }
        // What a process is writing just now is looked at the next time.
        ledger.oldestKept = ledger.transit.count > 0 ? now : .max
        for id in try ringIDs() {
            guard let ring = try ring(of: try ringRecord(id)) else { continue }
            try eachID(inRing: id) { (contact) throws(KeyringError) in
                guard let link = try link(contact, in: ring) else { return }
                var skipped = SkippedKeys(nextNumber: link.skipped.nextNumber)
                try load(&skipped, of: link)
                skipped.trim(at: now)
                let isChanged = !skipped.goneKept.isEmpty || !skipped.goneRetired.isEmpty
                try save(&skipped, of: link, at: now)
                let crashed = skipped.unwritten.map { $0.since }.min() ?? .max
                ledger.oldestKept = min(ledger.oldestKept, crashed)
                if isChanged { try put(link) }
            }
        }
    }
}

extension Link {
    /// Brings the counts in line with what is kept by now.
    fileprivate func count(_ kept: borrowing SkippedKeys) {
        let new = kept.kept.count { $0.isMissing && $0.number >= kept.firstNew }
        if kept.isLoaded {
            skipped.missing = kept.kept.count { $0.isMissing }
            skipped.oldest = kept.oldest()
        } else {
            skipped.missing += new
            skipped.oldest = [kept.oldest(), skipped.oldest].compactMap { $0 }.min()
        }
        skipped.nextNumber = kept.nextNumber
    }
}
