internal import Crypto
internal import Protocol

/// The rows of skipped keys and retired chains. A row contains one chain, or up to 12 keys that were appended
/// one after another. The rows are small, so that the cost of a message does not depend on the total number
/// of keys. Keys and chains are counted in their contact's state.
///
///     table      sealed record
///     kept       for each key: its number minus that of the row (1), time (8), 1 if its message is missing
///                (1), message key (64)
///     retired    time (8), chain key (32)
extension ContactStore {
    /// Loads a contact's skipped keys and retired chains, unless they are already loaded.
    ///
    /// - Throws: `damaged` if rows are missing or were altered or replaced.
    func load(_ skipped: inout SkippedKeys, of state: ContactState) throws(KeyringError) {
        guard !skipped.isLoaded else { return }
        var found = ContactState.SkippedKeyTotals()
        var kept: [SkippedKey] = []
        var retired: [RetiredChain] = []
        for kind in [RowKind.skippedKey, .retiredChain] {
            try store.forEachRow(kind, of: state.contact) { (stored) throws(KeyringError) in
                found.count(kind, nil, stored.hash(keys.masterKeys.rowHashKey))
                let number = stored.row.number
                try stored.read(state.ring.sealingKey) { (record) throws(InvalidRecord) in
                    guard kind == .skippedKey else {
                        let since: Int64 = try record.integer()
                        let chain = ChainKey(stored: try record.secret(ChainKey.size))
                        return retired.append(
                            RetiredChain(number: number, chain: chain, since: since))
                    }
                    while record.remaining > 0 {
                        let distance = Int64(try record.byte())
                        let since: Int64 = try record.integer()
                        let isMissing = try record.byte() == 1
                        let key = MessageKey(stored: try record.secret(MessageKey.size))
                        kept.append(
                            SkippedKey(
                                number: number + distance, row: number, key: key, since: since,
                                isMissing: isMissing))
                    }
                }
            }
        }
        guard state.skipped.matches(found), kept.count == state.skipped.keyCount else {
            throw .store(.damaged("keys of a contact are missing or were replaced with older ones"))
        }
        let unwritten = try store.transit.keysOfDeadProcesses(for: state)
        skipped.load(kept: kept, retired: retired, unwritten: unwritten)
    }

    /// Writes the changed skipped keys and retired chains, and updates the contact's state. The caller must
    /// save the state.
    func save(_ skipped: inout SkippedKeys, of state: ContactState, at now: Int64?)
        throws(KeyringError)
    {
        if let now, state.skipped.oldest == SkippedKeys.untimed {
            try load(&skipped, of: state)
            skipped.settle(at: now)
        }
        if !skipped.isLoaded,
            state.skipped.keyCount + skipped.kept.count > SkippedKeys.maximumSkippedKeys
                || state.skipped.chainCount + skipped.retired.count
                    > SkippedKeys.maximumRetiredChains
                || SkippedKeys.isExpired(state.skipped.oldest, at: now)
        {
            try load(&skipped, of: state)
            skipped.trim(at: now)
        }
        let contact = state.contact
        for number in skipped.goneRetired {
            try store.delete(Row(.retiredChain, id: contact, number: number), countedIn: state)
        }
        for number in skipped.changedRows.sorted() {
            let row = Row(.skippedKey, id: contact, number: number)
            let keys = skipped.kept.filter { $0.row == number }
            guard !keys.isEmpty else {
                if number < skipped.firstNew { try store.delete(row, countedIn: state) }
                continue
            }
            var record = SecretWriter(capacity: keys.count * (10 + MessageKey.size))
            for key in keys {
                record.put(UInt8(key.number - number))
                record.put(key.since)
                record.put(key.isMissing ? 1 : 0 as UInt8)
                record.put(key.key.bytes)
            }
            try store.save(
                record.finish(), as: row, under: state.ring.sealingKey, countedIn: state)
        }
        for retired in skipped.retired where retired.isChanged {
            var record = SecretWriter(capacity: 8 + ChainKey.size)
            record.put(retired.since)
            record.put(retired.chain.bytes)
            try store.save(
                record.finish(),
                as: Row(
                    .retiredChain, id: contact, number: retired.number, version: state.version + 1),
                under: state.ring.sealingKey, countedIn: state)
        }
        let missing = skipped.kept.count { $0.isMissing }
        let oldest = skipped.oldest()
        // Stored keys that were not loaded still exist, so add their numbers.
        let (otherKeys, otherMissing) =
            skipped.isLoaded ? (0, 0) : (state.skipped.keyCount, state.skipped.missing)
        state.skipped.keyCount = skipped.kept.count + otherKeys
        state.skipped.missing = missing + otherMissing
        state.skipped.oldest = skipped.isLoaded ? oldest : min(oldest, state.skipped.oldest)
        state.skipped.nextNumber = skipped.nextNumber
        if state.skipped.chain != skipped.chain { state.skipped.rereadTag = 0 }
        state.skipped.chain = skipped.chain
        header.oldestKeyTime = min(header.oldestKeyTime, state.skipped.oldest)
    }

    /// Erases expired keys and chains of a ring's contacts, and sets missing times and times in the future to
    /// now.
    func eraseExpiredKeys(in ring: Ring, at now: Int64) throws(KeyringError) {
        for contact in try ids(inRing: ring.id) {
            guard let state = try state(contact, in: ring), state.skipped.oldest != .max else {
                continue
            }
            var skipped = state.skipped.unloaded
            try load(&skipped, of: state)
            skipped.settle(at: now)
            skipped.trim(at: now)
            let isChanged =
                !skipped.changedRows.isEmpty || !skipped.goneRetired.isEmpty
                || skipped.retired.contains { $0.isChanged }
            try save(&skipped, of: state, at: now)
            if isChanged { try save(state) }
        }
    }
}
