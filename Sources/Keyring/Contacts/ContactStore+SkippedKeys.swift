internal import Crypto
internal import Protocol

/// The rows of skipped keys and retired chains. Each key and chain has a row of its own, so that the cost of a
/// message does not depend on their number. They are counted in their contact's state.
///
///     table      sealed record
///     kept       time (8), 1 if its message is missing (1), message key (64)
///     retired    time (8), chain key (32)
extension ContactStore {
    /// Loads a contact's skipped keys and retired chains, unless that is done already.
    ///
    /// - Throws: `damaged` if they are not the ones that were stored.
    func load(_ skipped: inout SkippedKeys, of state: ContactState) throws(KeyringError) {
        guard !skipped.isLoaded else { return }
        var found = ContactState.Skipped()
        var kept: [SkippedKey] = []
        var retired: [RetiredChain] = []
        for kind in [RowKind.skippedKey, .retiredChain] {
            try store.forEachRow(kind, of: state.contact) { (stored) throws(KeyringError) in
                found.count(kind, nil, stored.hash(keys.masterKeys.rowHashKey))
                let number = stored.row.number
                try stored.read(state.ring.sealingKey) { (record) throws(InvalidRecord) in
                    let since: Int64 = try record.integer()
                    guard kind == .skippedKey else {
                        let chain = ChainKey(stored: try record.secret(ChainKey.size))
                        return retired.append(
                            RetiredChain(number: number, chain: chain, since: since))
                    }
                    let isMissing = try record.byte() == 1
                    let key = MessageKey(stored: try record.secret(MessageKey.size))
                    kept.append(
                        SkippedKey(number: number, key: key, since: since, isMissing: isMissing))
                }
            }
        }
        guard state.skipped.matches(found) else {
            throw .store(.damaged("keys of a contact are missing or were replaced with older ones"))
        }
        let unwritten = try store.transit.keysOfDeadProcesses(for: state)
        skipped.load(kept: kept, retired: retired, unwritten: unwritten)
    }

    /// Writes the changes of skipped keys and retired chains, and updates the contact's state, which the
    /// caller must write.
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
        for number in skipped.goneKept where number < skipped.firstNew {
            try store.delete(Row(.skippedKey, id: contact, number: number), countedIn: state)
        }
        for number in skipped.goneRetired {
            try store.delete(Row(.retiredChain, id: contact, number: number), countedIn: state)
        }
        for kept in skipped.kept
        where kept.number >= skipped.firstNew || skipped.changedKept.contains(kept.number) {
            var record = SecretWriter(capacity: 9 + MessageKey.size)
            record.put(kept.since)
            record.put(kept.isMissing ? 1 : 0 as UInt8)
            record.put(kept.key.bytes)
            try store.save(
                record.finish(), as: Row(.skippedKey, id: contact, number: kept.number),
                under: state.ring.sealingKey, countedIn: state)
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
        // If the stored keys were not loaded, they are still there and count as well.
        state.skipped.missing = missing + (skipped.isLoaded ? 0 : state.skipped.missing)
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
                !skipped.goneKept.isEmpty || !skipped.goneRetired.isEmpty
                || !skipped.changedKept.isEmpty || skipped.retired.contains { $0.isChanged }
            try save(&skipped, of: state, at: now)
            if isChanged { try save(state) }
        }
    }
}
