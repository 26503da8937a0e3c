internal import Crypto
internal import Protocol

/// Kept keys and retired chains, which are counted in their contact's link: a row each, so that a message does
/// not cost more when there are many.
///
///     table      sealed record
///     kept       since when (8), 1 where its message is missing (1), message key (64)
///     retired    since when (8), chain key (32)
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
            found.count(.kept, nil, stored.weight(hash))
            try stored.read(link.ring.sealer) { (record) throws(Broken) in
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
            found.count(.retired, nil, stored.weight(hash))
            try stored.read(link.ring.sealer) { (record) throws(Broken) in
                let since: Int64 = try record.integer()
                let chain = ChainKey(stored: try record.secret(ChainKey.size))
                retired.append(
                    RetiredChain(number: stored.row.number, chain: chain, since: since))
            }
        }
        guard link.skipped.isHeld(by: found) else {
            throw .store(.damaged("keys of a contact are missing, or older ones"))
        }
        skipped.load(kept: kept, retired: retired, unwritten: try crashed(link))
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
        link.count(skipped)
        ledger.oldestKept = min(ledger.oldestKept, link.skipped.oldest ?? .max)
    }

    /// Erases what is kept for longer than it may be, of all contacts that can be opened here.
    func eraseExpired(at now: Int64) throws(KeyringError) {
        guard SkippedKeys.isExpired(ledger.oldestKept, at: now) else { return }
        ledger.oldestKept = .max
        for ring in try openRings() {
            for contact in try contactIDs(inRing: ring.id) {
                guard let link = try link(contact, in: ring) else { continue }
                var skipped = SkippedKeys(nextNumber: link.skipped.nextNumber)
                try load(&skipped, of: link)
                skipped.trim(at: now)
                let isChanged = !skipped.goneKept.isEmpty || !skipped.goneRetired.isEmpty
                try save(&skipped, of: link, at: now)
                if isChanged { try put(link) }
            }
            try siftUnwritten(in: ring) { (_, _, since, _) in
                if SkippedKeys.isExpired(since, at: now) { return false }
                ledger.oldestKept = min(ledger.oldestKept, since)
                return true
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
