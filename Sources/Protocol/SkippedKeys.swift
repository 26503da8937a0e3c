/// The skipped message keys and retired chains of one contact, oldest first (smsenc-protocol(7), Next keys).
///
/// The keyring stores each of them in a row of its own and loads them only if a search needs them. New keys
/// can be appended without loading the others. Limits and ages are checked at each message.
package struct SkippedKeys: ~Copyable {
    package static let maximumSkippedKeys = 1024
    package static let maximumRetiredChains = 64
    /// Seconds for which a key or chain is kept: 30 days.
    package static let lifetime: Int64 = 30 * 86_400
    /// The time of a key or chain that was appended while the clock was not trusted.
    package static let untimed: Int64 = -1

    package private(set) var kept: [KeptKey] = []
    package private(set) var retired: [RetiredChain] = []
    /// Keys of messages that a process had decrypted, but not certainly written, when it died.
    package private(set) var unwritten: [KeptKey] = []
    /// The number that the next skipped key or retired chain takes.
    package private(set) var nextNumber: Int64
    /// The number of the receiving chain, which it keeps when it is retired.
    package private(set) var chain: Int64
    /// Copies of the receiving chains with which messages were decrypted in order, made before the first of
    /// these messages.
    package private(set) var opened: [ReadChain] = []
    /// The first number that is not in the keyring yet.
    package let firstNew: Int64
    /// True if the stored keys and chains are loaded.
    package private(set) var isLoaded = false
    /// Numbers of removed keys and chains, whether they were stored or not: skipped keys, retired chains, and
    /// keys of messages that were not written.
    package private(set) var goneKept: [Int64] = []
    package private(set) var goneRetired: [Int64] = []
    package private(set) var goneUnwritten: [Int64] = []
    /// Numbers of skipped keys that are no longer missing, or got another time.
    package private(set) var changedKept: Set<Int64> = []

    package init(nextNumber: Int64 = 0, chain: Int64 = 0) {
        self.nextNumber = nextNumber
        self.chain = chain
        firstNew = nextNumber
    }

    private mutating func takeNumber() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// Adds the stored keys and chains before the new ones. Each array must have the oldest first.
    package mutating func load(
        kept older: [KeptKey], retired chains: [RetiredChain], unwritten crashed: [KeptKey]
    ) {
        kept = older + kept
        retired = chains + retired
        unwritten = crashed
        isLoaded = true
    }

    /// Removes the keys and chains that are older than 30 days, and the oldest that exceed the limits. Called
    /// before keys are tried, and after keys are appended.
    ///
    /// - Parameter now: seconds since 1970, or nil if the clock is not trusted. This applies to all functions
    ///   below.
    package mutating func trim(at now: Int64?) {
        // The first one need not have the earliest time, because the clock may have been set back.
        kept.removeAll { key in
            guard Self.isExpired(key.since, at: now) else { return false }
            goneKept.append(key.number)
            return true
        }
        goneKept += kept.dropLast(Self.maximumSkippedKeys).map { $0.number }
        kept.removeFirst(max(0, kept.count - Self.maximumSkippedKeys))
        retired.removeAll { chain in
            guard Self.isExpired(chain.since, at: now) else { return false }
            goneRetired.append(chain.number)
            return true
        }
        goneRetired += retired.dropLast(Self.maximumRetiredChains).map { $0.number }
        retired.removeFirst(max(0, retired.count - Self.maximumRetiredChains))
        unwritten.removeAll { key in
            guard Self.isExpired(key.since, at: now) else { return false }
            goneUnwritten.append(key.number)
            return true
        }
    }

    /// Returns true if a time is more than 30 days ago. A time in the future counts as now.
    package static func isExpired(_ since: Int64, at now: Int64?) -> Bool {
        guard let now, since != untimed else { return false }
        return now > since && now - since > lifetime
    }

    /// Returns the time to store, now that the clock is trusted. A missing time or a time in the future
    /// becomes now.
    package static func settled(_ since: Int64, at now: Int64) -> Int64 {
        since == untimed ? now : min(since, now)
    }

    /// Sets missing times, and times in the future, to now.
    package mutating func settle(at now: Int64) {
        for key in kept where Self.settled(key.since, at: now) != key.since {
            key.since = now
            changedKept.insert(key.number)
        }
        for chain in retired where Self.settled(chain.since, at: now) != chain.since {
            chain.settle(at: now)
        }
    }

    /// Returns the earliest time of all keys and chains here, in seconds since 1970. Returns `untimed` if one
    /// of them has no time, and the largest number if there are none.
    package borrowing func oldest() -> Int64 {
        (kept.map { $0.since } + retired.map { $0.since }).min() ?? .max
    }

    /// Appends the next `count` keys of a chain, which a search has skipped. If `count` exceeds the limit,
    /// only the last keys are kept.
    ///
    /// Keys directly before the message's key may have been discarded by the sender because the ciphertext
    /// would not have survived copying. Such keys are recognised because the message's frame would not
    /// survive copying under them either. No message is missing for such a key.
    ///
    /// - Parameter frame: the decrypted message, 160 symbols.
    /// - Returns: the number of messages that are missing (smsenc-protocol(7), Missing messages).
    mutating func keep(
        _ count: Int, of chain: borrowing ChainKey, before frame: Span<UInt8>, at now: Int64?,
        _ cipher: inout Cipher
    ) -> Int {
        guard count > 0 else { return 0 }
        var chain = chain.fork()
        chain.skip(max(0, count - Self.maximumSkippedKeys), &cipher)
        for _ in 0..<min(count, Self.maximumSkippedKeys) {
            kept.append(
                KeptKey(number: takeNumber(), key: chain.step(&cipher), since: now ?? Self.untimed))
        }
        var discarded = 0
        while discarded < min(count, Self.maximumSkippedKeys) {
            let last = kept[kept.count - 1 - discarded]
            guard last.key.isUnusable(for: frame, &cipher) else { break }
            last.isMissing = false
            discarded += 1
        }
        trim(at: now)
        return count - discarded
    }

    /// Retires the receiving chain. The new receiving chain gets the next number.
    mutating func retire(_ replaced: consuming ChainKey, at now: Int64?) {
        retired.append(
            RetiredChain(
                number: chain, chain: replaced, since: now ?? Self.untimed, isChanged: true))
        nextNumber += 1
        chain = nextNumber
        trim(at: now)
    }

    /// Copies the receiving chain before the first message that is decrypted with it.
    mutating func open(_ receiving: borrowing ChainKey) {
        if opened.last?.number == chain { return }
        opened.append(ReadChain(number: chain, start: receiving.fork()))
    }

    /// Removes the key of a message that arrived late. Keys directly before it that the sender most likely
    /// discarded no longer count as missing.
    ///
    /// - Parameter frame: the decrypted message, 160 symbols.
    /// - Returns: the key, and the numbers of all keys that no longer count as missing.
    mutating func spend(
        keptAt index: Int, for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> (key: SpentKey, filled: [Int64]) {
        let key = kept.remove(at: index)
        goneKept.append(key.number)
        var filled = key.isMissing ? [key.number] : []
        for (distance, place) in (0..<index).reversed().enumerated() {
            let before = kept[place]
            guard before.number == key.number - Int64(distance) - 1,
                before.key.isUnusable(for: frame, &cipher)
            else { break }
            guard before.isMissing else { continue }
            before.isMissing = false
            filled.append(before.number)
            changedKept.insert(before.number)
        }
        return (SpentKey(copying: key.key), filled)
    }

    mutating func spend(unwrittenAt index: Int) -> SpentKey {
        goneUnwritten.append(unwritten[index].number)
        return SpentKey(copying: unwritten.remove(at: index).key)
    }
}

/// A skipped message key, kept for a message that may still arrive.
package final class KeptKey {
    /// Its number among the contact's keys. Numbers rise in the order of appending.
    package let number: Int64
    package let key: MessageKey
    /// The time when it was appended, in seconds since 1970, or `SkippedKeys.untimed`.
    package fileprivate(set) var since: Int64
    /// False if the sender most likely discarded the key, so that no message is missing.
    package fileprivate(set) var isMissing: Bool

    package init(number: Int64, key: consuming MessageKey, since: Int64, isMissing: Bool = true) {
        self.number = number
        self.key = key
        self.since = since
        self.isMissing = isMissing
    }
}

/// A receiving chain that was replaced. The chain is kept for messages that may still arrive.
package final class RetiredChain {
    package let number: Int64
    package private(set) var chain: ChainKey
    /// The time when it was retired, in seconds since 1970, or `SkippedKeys.untimed`.
    package private(set) var since: Int64
    /// True if the chain must be stored again, because it was just retired, decrypted a message, or got
    /// another time.
    package private(set) var isChanged: Bool

    package init(
        number: Int64, chain: consuming ChainKey, since: Int64, isChanged: Bool = false
    ) {
        self.number = number
        self.chain = chain
        self.since = since
        self.isChanged = isChanged
    }

    func move(to chain: consuming ChainKey) {
        self.chain = chain
        isChanged = true
    }

    fileprivate func settle(at now: Int64) {
        since = now
        isChanged = true
    }
}
