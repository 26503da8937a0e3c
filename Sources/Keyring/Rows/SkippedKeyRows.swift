internal import Crypto
internal import Protocol

/// The rows of skipped keys and retired chains. Each has a row of its own, so that the cost of a message does
/// not depend on their number. They are counted in their contact's state.
///
///     table      sealed record
///     kept       time (8), 1 if its message is missing (1), message key (64)
///     retired    time (8), chain key (32)
extension KeyringStore {
    /// Loads a contact's skipped keys and retired chains, unless that is done already.
    ///
    /// - Throws: `damaged` if they are not the ones that were stored.
    func load(_ skipped: inout SkippedKeys, of link: ContactState) throws(KeyringError) {
        guard !skipped.isLoaded else { return }
        var found = ContactState.Skipped()
        var kept: [KeptKey] = []
        var retired: [RetiredChain] = []
        for kind in [RowKind.kept, .retired] {
            let cursor = try rows(kind, of: link.contact)
            while let stored = try cursor.next() {
                found.count(kind, nil, stored.weight(keys.vault.rowHash))
                let number = stored.row.number
                try stored.read(link.ring.sealer) { (record) throws(InvalidRecord) in
                    let since: Int64 = try record.integer()
                    guard kind == .kept else {
                        let chain = ChainKey(stored: try record.secret(ChainKey.size))
                        return retired.append(
                            RetiredChain(number: number, chain: chain, since: since))
                    }
                    let isMissing = try record.byte() == 1
                    let key = MessageKey(stored: try record.secret(MessageKey.size))
                    kept.append(
                        KeptKey(number: number, key: key, since: since, isMissing: isMissing))
                }
            }
        }
        guard link.skipped.isHeld(by: found) else {
            throw .store(.damaged("keys of a contact are missing or were replaced with older ones"))
        }
        skipped.load(kept: kept, retired: retired, unwritten: try crashed(link))
    }

    /// Writes the changes of skipped keys and retired chains, and updates the contact's state, which the
    /// caller must write.
    func save(_ skipped: inout SkippedKeys, of link: ContactState, at now: Int64?)
        throws(KeyringError)
    {
        if let now, link.skipped.oldest == SkippedKeys.untimed {
            try load(&skipped, of: link)
            skipped.settle(at: now)
        }
        if !skipped.isLoaded,
            link.skipped.kept + skipped.kept.count > SkippedKeys.maximumSkippedKeys
                || link.skipped.retired + skipped.retired.count > SkippedKeys.maximumRetiredChains
                || SkippedKeys.isExpired(link.skipped.oldest, at: now)
        {
            try load(&skipped, of: link)
            skipped.trim(at: now)
        }
        let contact = link.contact
        for number in skipped.goneKept where number < skipped.firstNew {
            try drop(.kept(number, of: contact), beside: link)
        }
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
        for retired in skipped.retired where retired.isChanged {
            var record = SecretWriter(capacity: 8 + ChainKey.size)
            record.put(retired.since)
            record.put(retired.chain.bytes)
            try put(
                record.finish(),
                as: .retired(retired.number, of: contact, version: link.version + 1),
                under: link.ring.sealer, beside: link)
        }
        let missing = skipped.kept.count { $0.isMissing }
        let oldest = skipped.oldest()
        // If the stored keys were not loaded, they are still there and count as well.
        link.skipped.missing = missing + (skipped.isLoaded ? 0 : link.skipped.missing)
        link.skipped.oldest = skipped.isLoaded ? oldest : min(oldest, link.skipped.oldest)
        link.skipped.nextNumber = skipped.nextNumber
        if link.skipped.chain != skipped.chain { link.skipped.keeper = 0 }
        link.skipped.chain = skipped.chain
        ledger.oldestKept = min(ledger.oldestKept, link.skipped.oldest)
    }

    /// Erases expired keys and chains of all contacts that can be opened here, and sets missing times and
    /// times in the future to now.
    func eraseExpiredKeys(at now: Int64) throws(KeyringError) {
        ledger.oldestKept = .max
        for ring in try openRings() {
            for contact in try contactIDs(inRing: ring.id) {
                guard let link = try link(contact, in: ring), link.skipped.oldest != .max else {
                    continue
                }
                var skipped = link.skipped.keys
                try load(&skipped, of: link)
                skipped.settle(at: now)
                skipped.trim(at: now)
                let isChanged =
                    !skipped.goneKept.isEmpty || !skipped.goneRetired.isEmpty
                    || !skipped.changedKept.isEmpty || skipped.retired.contains { $0.isChanged }
                try save(&skipped, of: link, at: now)
                if isChanged { try put(link) }
            }
            try filterUnwritten(in: ring, settledAt: now) { (_, _, since, _) in
                if SkippedKeys.isExpired(since, at: now) { return false }
                ledger.oldestKept = min(ledger.oldestKept, since)
                return true
            }
        }
    }
}
