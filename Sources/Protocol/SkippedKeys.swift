/// The skipped message keys and retired chains of one contact, oldest first (smsenc-protocol(7), Next
/// keys).
///
/// The keyring stores each chain in a row, and up to 12 keys that were appended after each other in a row. It
/// loads the rows only if a search needs them. New keys can be appended without loading the others. Limits
/// and ages are checked for each message.
package struct SkippedKeys: ~Copyable {
    package static let maximumSkippedKeys = 1024
    package static let maximumRetiredChains = 64
    /// Maximum number of keys in a row of the keyring. SQLite stores a row of this size within one page.
    private static let keysInRow: Int64 = 12
    /// Number of seconds for which a key or chain is kept, which is 30 days.
    package static let lifetime: Int64 = 30 * 86_400
    /// Time of a key or chain that was appended while the clock was not trusted.
    package static let untimed: Int64 = -1

    package private(set) var kept: [SkippedKey] = []
    package private(set) var retired: [RetiredChain] = []
    /// Keys of messages that a process decrypted and possibly did not write before it died.
    package private(set) var unwritten: [SkippedKey] = []
    /// Number that the next skipped key or retired chain will have.
    package private(set) var nextNumber: Int64
    /// Number of the receiving chain. The chain keeps this number when it is retired.
    package private(set) var chain: Int64
    /// Copies of receiving chains that were used to decrypt messages in order. Each copy was made before
    /// the first of these messages.
    package private(set) var opened: [ReadChain] = []
    /// First number that is not in the keyring yet.
    package let firstNew: Int64
    /// True if the stored keys and chains have been loaded.
    package private(set) var isLoaded = false
    /// Rows with skipped keys that were appended, changed or removed.
    package private(set) var changedRows: Set<Int64> = []
    /// Numbers of removed chains, and of removed keys of messages that were not written. The chains may not
    /// have been stored yet.
    package private(set) var goneRetired: [Int64] = []
    package private(set) var goneUnwritten: [Int64] = []

    package init(nextNumber: Int64 = 0, chain: Int64 = 0) {
        self.nextNumber = nextNumber
        self.chain = chain
        firstNew = nextNumber
    }

    private mutating func takeNumber() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// Inserts the stored keys and chains before the new ones. Each array must begin with the oldest.
    package mutating func load(
        kept older: [SkippedKey], retired chains: [RetiredChain], unwritten crashed: [SkippedKey]
    ) {
        kept = older + kept
        retired = chains + retired
        unwritten = crashed
        isLoaded = true
    }

    /// Removes all keys and chains that are older than 30 days, and the oldest keys and chains that exceed
    /// the limits. Called before keys are tried, and after keys are appended.
    ///
    /// - Parameter now: seconds since 1970, or nil if the clock is not trusted. This applies to all
    ///   functions below.
    package mutating func trim(at now: Int64?) {
        // The first key does not necessarily have the earliest time, because the clock may have been set
        // back.
        kept.removeAll { key in
            guard Self.isExpired(key.since, at: now) else { return false }
            changedRows.insert(key.row)
            return true
        }
        changedRows.formUnion(kept.dropLast(Self.maximumSkippedKeys).map { $0.row })
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

    /// Returns true if a time is more than 30 days ago. A time in the future is treated as the current
    /// time.
    package static func isExpired(_ since: Int64, at now: Int64?) -> Bool {
        guard let now, since != untimed else { return false }
        return now > since && now - since > lifetime
    }

    /// Returns the time to store when the clock is trusted again. A missing time or a time in the future
    /// is replaced with the current time.
    package static func settled(_ since: Int64, at now: Int64) -> Int64 {
        since == untimed ? now : min(since, now)
    }

    /// Replaces missing times, and times in the future, with the current time.
    package mutating func settle(at now: Int64) {
        for key in kept where Self.settled(key.since, at: now) != key.since {
            key.since = now
            changedRows.insert(key.row)
        }
        for chain in retired where Self.settled(chain.since, at: now) != chain.since {
            chain.settle(at: now)
        }
    }

    /// Returns the earliest time of all keys and chains in this value, in seconds since 1970. Returns
    /// `untimed` if a key or chain has no time, and the largest number if there are no keys or chains.
    package borrowing func oldest() -> Int64 {
        (kept.map { $0.since } + retired.map { $0.since }).min() ?? .max
    }

    /// Appends the next `count` keys of a chain, which a search has skipped. If `count` exceeds the limit,
    /// only the last keys are kept.
    ///
    /// The sender discards a key if it would produce a ciphertext that does not survive copying. Discarded
    /// keys are recognised by encrypting the decrypted frame with the keys directly before its message
    /// key. If such a ciphertext would not survive copying, the sender most likely discarded the key, and
    /// no message is missing.
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
            append(chain.step(&cipher), at: now)
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

    /// Appends a key to the last row, if this row is new and not full, or to another row.
    private mutating func append(_ key: consuming MessageKey, at now: Int64?) {
        let (number, last) = (takeNumber(), kept.last?.row ?? -1)
        let row = last >= firstNew && number - last < Self.keysInRow ? last : number
        kept.append(SkippedKey(number: number, row: row, key: key, since: now ?? Self.untimed))
        changedRows.insert(row)
    }

    /// Retires the receiving chain. The new receiving chain receives the next number.
    mutating func retire(_ replaced: consuming ChainKey, at now: Int64?) {
        retired.append(
            RetiredChain(
                number: chain, chain: replaced, since: now ?? Self.untimed, isChanged: true))
        nextNumber += 1
        chain = nextNumber
        trim(at: now)
    }

    /// Records a copy of the receiving chain, unless there already is a copy. The caller must not have moved
    /// the chain past the current message yet.
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
        changedRows.insert(key.row)
        var filled = key.isMissing ? [key.number] : []
        for (distance, place) in (0..<index).reversed().enumerated() {
            let before = kept[place]
            guard before.number == key.number - Int64(distance) - 1,
                before.key.isUnusable(for: frame, &cipher)
            else { break }
            guard before.isMissing else { continue }
            before.isMissing = false
            filled.append(before.number)
            changedRows.insert(before.row)
        }
        return (SpentKey(copying: key.key), filled)
    }

    mutating func spend(unwrittenAt index: Int) -> SpentKey {
        goneUnwritten.append(unwritten[index].number)
        return SpentKey(copying: unwritten.remove(at: index).key)
    }
}

/// A skipped message key, which is kept for a message that may still arrive.
package final class SkippedKey {
    /// Number of this key among the contact's keys. Numbers increase in the order in which keys are
    /// appended.
    package let number: Int64
    /// The row of the keyring in which this key is stored: the number of the first key that was appended to it.
    package let row: Int64
    package let key: MessageKey
    /// Time when this key was appended, in seconds since 1970, or `SkippedKeys.untimed`.
    package fileprivate(set) var since: Int64
    /// False if the sender most likely discarded the key, so that no message is missing.
    package fileprivate(set) var isMissing: Bool

    package init(
        number: Int64, row: Int64 = 0, key: consuming MessageKey, since: Int64,
        isMissing: Bool = true
    ) {
        self.number = number
        self.row = row
        self.key = key
        self.since = since
        self.isMissing = isMissing
    }
}

/// A receiving chain that was replaced by a newer chain. It is kept for messages that may still arrive.
package final class RetiredChain {
    package let number: Int64
    package private(set) var chain: ChainKey
    /// Time when this chain was retired, in seconds since 1970, or `SkippedKeys.untimed`.
    package private(set) var since: Int64
    /// True if this chain must be stored again, because it was retired, it decrypted a message, or its
    /// time was changed.
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
