/// Keys of a contact's messages that were passed over and may still come: kept message keys and
/// retired chains, first appended first (smsenc(7), Next keys).
///
/// The keyring stores each in a row of its own and loads them only for a search that needs them; until
/// then appending works without. Limits and age are looked at with each message.
package struct SkippedKeys: ~Copyable {
    package static let keptLimit = 1024
    package static let retiredLimit = 64
    /// Seconds that a key or chain stays: 30 days.
    package static let lifetime: Int64 = 30 * 86_400
    /// Stands for the time of what was kept while no clock was believed.
    package static let untimed: Int64 = -1

    package private(set) var kept: [KeptKey] = []
    package private(set) var retired: [RetiredChain] = []
    /// Keys of messages that were deciphered by a process that died before it had written them.
    package private(set) var unwritten: [KeptKey] = []
    /// The number that the next one appended takes.
    package private(set) var nextNumber: Int64
    /// The number of the receiving chain, which it keeps when it is retired.
    package private(set) var chain: Int64
    /// The receiving chains that messages were read from in order, as they stood before the first of these.
    package private(set) var opened: [ReadChain] = []
    /// The first number of what is not stored yet.
    package let firstNew: Int64
    /// True once what is stored was taken in.
    package private(set) var isLoaded = false
    /// Numbers of what was let go, stored or not: kept keys, retired chains, unwritten keys.
    package private(set) var goneKept: [Int64] = []
    package private(set) var goneRetired: [Int64] = []
    package private(set) var goneUnwritten: [Int64] = []
    /// Numbers of kept keys that are no longer missing, or have another time.
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

    /// Takes in what is stored, first appended first.
    package mutating func load(
        kept older: [KeptKey], retired chains: [RetiredChain], unwritten crashed: [KeptKey]
    ) {
        kept = older + kept
        retired = chains + retired
        unwritten = crashed
        isLoaded = true
    }

    /// Lets go of what is too old, then of what is too much: before any of it is tried, and when more is
    /// appended.
    ///
    /// - Parameter now: nil if no clock is believed, and so in all that follows.
    package mutating func trim(at now: Int64?) {
        // What was appended first need not be the oldest: a clock may have been set back.
        kept.removeAll { key in
            guard Self.isExpired(key.since, at: now) else { return false }
            goneKept.append(key.number)
            return true
        }
        goneKept += kept.dropLast(Self.keptLimit).map { $0.number }
        kept.removeFirst(max(0, kept.count - Self.keptLimit))
        retired.removeAll { chain in
            guard Self.isExpired(chain.since, at: now) else { return false }
            goneRetired.append(chain.number)
            return true
        }
        goneRetired += retired.dropLast(Self.retiredLimit).map { $0.number }
        retired.removeFirst(max(0, retired.count - Self.retiredLimit))
        unwritten.removeAll { key in
            guard Self.isExpired(key.since, at: now) else { return false }
            goneUnwritten.append(key.number)
            return true
        }
    }

    /// True for what was appended more than 30 days ago. A time in the future counts as now.
    package static func isExpired(_ since: Int64, at now: Int64?) -> Bool {
        guard let now, since != untimed else { return false }
        return now > since && now - since > lifetime
    }

    /// The time of something when a clock is believed: as it is, or now if it has none, or one in the future.
    package static func settled(_ since: Int64, at now: Int64) -> Int64 {
        since == untimed ? now : min(since, now)
    }

    /// Gives the time to what has none, or one in the future.
    package mutating func settle(at now: Int64) {
        for key in kept where Self.settled(key.since, at: now) != key.since {
            key.since = now
            changedKept.insert(key.number)
        }
        for chain in retired where Self.settled(chain.since, at: now) != chain.since {
            chain.settle(at: now)
        }
    }

    /// When the oldest of what is here was appended, in seconds since 1970: `untimed` if one has no time, the
    /// largest number if there is nothing.
    package borrowing func oldest() -> Int64 {
        (kept.map { $0.since } + retired.map { $0.since }).min() ?? .max
    }

    /// Appends the next keys of a chain, which a search has passed over before it came to a message's: of
    /// more than can stay, the last.
    ///
    /// - Parameter frame: the message's, 160 symbols, as it was deciphered.
    /// - Returns: those that stand for a message that has not come (smsenc(7), Next keys). Those directly
    ///   before the message's under which its frame would not have survived copying were most likely
    ///   thrown away for it.
    mutating func keep(
        _ count: Int, of chain: borrowing ChainKey, before frame: Span<UInt8>, at now: Int64?,
        _ cipher: inout Cipher
    ) -> Int {
        guard count > 0 else { return 0 }
        var chain = chain.fork()
        chain.skip(max(0, count - Self.keptLimit), &cipher)
        for _ in 0..<min(count, Self.keptLimit) {
            kept.append(
                KeptKey(number: takeNumber(), key: chain.step(&cipher), since: now ?? Self.untimed))
        }
        var thrownAway = 0
        while thrownAway < min(count, Self.keptLimit) {
            let last = kept[kept.count - 1 - thrownAway]
            guard last.key.spoils(frame, &cipher) else { break }
            last.isMissing = false
            thrownAway += 1
        }
        trim(at: now)
        return count - thrownAway
    }

    /// Retires the receiving chain. The chain that takes its place gets a number of its own.
    mutating func retire(_ replaced: consuming ChainKey, at now: Int64?) {
        retired.append(
            RetiredChain(
                number: chain, chain: replaced, since: now ?? Self.untimed, isChanged: true))
        nextNumber += 1
        chain = nextNumber
        trim(at: now)
    }

    /// Records where the receiving chain stands, before the first message that is read from it here.
    mutating func open(_ receiving: borrowing ChainKey) {
        if opened.last?.number == chain { return }
        opened.append(ReadChain(number: chain, start: receiving.fork()))
    }

    /// Takes the key of a message that came late. Those directly before it that were most likely thrown away
    /// for it are no longer missing.
    ///
    /// - Parameter frame: the message's, as `keep`.
    /// - Returns: also the numbers of those that counted as missing, its own among them.
    mutating func spend(
        keptAt index: Int, for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> (key: SpentKey, filled: [Int64]) {
        let key = kept.remove(at: index)
        goneKept.append(key.number)
        var filled = key.isMissing ? [key.number] : []
        for (distance, place) in (0..<index).reversed().enumerated() {
            let before = kept[place]
            guard before.number == key.number - Int64(distance) - 1,
                before.key.spoils(frame, &cipher)
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

/// A message key that was passed over, kept for the message that may still come.
package final class KeptKey {
    /// Its number in the order of appending, within a contact.
    package let number: Int64
    package let key: MessageKey
    /// When it was appended, in seconds since 1970, or `SkippedKeys.untimed`.
    package fileprivate(set) var since: Int64
    /// False where its sender most likely threw it away: it stands for no message.
    package fileprivate(set) var isMissing: Bool

    package init(number: Int64, key: consuming MessageKey, since: Int64, isMissing: Bool = true) {
        self.number = number
        self.key = key
        self.since = since
        self.isMissing = isMissing
    }
}

/// A receiving chain that another has replaced, for messages that are still under way.
package final class RetiredChain {
    package let number: Int64
    package private(set) var chain: ChainKey
    /// When it was appended, as that of a kept key.
    package private(set) var since: Int64
    /// True when it was retired here, a message was read from it here, or it has another time.
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
