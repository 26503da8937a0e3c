package import Crypto

/// What a contact's receiving side has behind it: kept keys and retired chains, oldest first
/// (PROTOCOL.md, section 6).
///
/// Most messages need none of it, so what the keyring holds is loaded only for the search that
/// does; until then appending works without.
package struct Archive: ~Copyable {
    package static let keptLimit = 1024
    package static let retiredLimit = 64
    /// Seconds that a key or chain stays: 30 days.
    package static let lifetime: Int64 = 30 * 86_400

    /// How many are stored and not loaded yet.
    private var storedKept: Int
    private var storedRetired: Int
    /// The number that the next one appended takes.
    package private(set) var nextNumber: Int64
    /// No key or chain is older than this, in seconds since 1970; nil where there is none.
    package private(set) var oldest: Int64?

    package private(set) var kept = OwnedArray<KeptKey>()
    package private(set) var retired = OwnedArray<RetiredChain>()
    /// Keys of messages that were deciphered by a process that died before it had written them.
    package private(set) var unwritten = OwnedArray<KeptKey>()

    /// What has a lower number was stored when the archive was opened or last saved.
    package private(set) var firstNew: Int64
    /// Numbers of what was stored and is gone now.
    package private(set) var droppedKept: [Int64] = []
    package private(set) var droppedRetired: [Int64] = []
    package private(set) var droppedUnwritten: [Int64] = []

    package init(
        storedKept: Int = 0, storedRetired: Int = 0, nextNumber: Int64 = 0, oldest: Int64? = nil
    ) {
        self.storedKept = storedKept
        self.storedRetired = storedRetired
        self.nextNumber = nextNumber
        self.oldest = oldest
        firstNew = nextNumber
    }

    package var keptCount: Int { storedKept + kept.count }
    package var retiredCount: Int { storedRetired + retired.count }

    /// True when a limit is passed, so that the oldest must go at this commit.
    package func isOverfull(at now: Int64) -> Bool {
        keptCount > Self.keptLimit || retiredCount > Self.retiredLimit
            || oldest.map { isExpired($0, at: now) } ?? false
    }

    /// A number of its own for something else that is stored with the archive.
    package mutating func takeNumber() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// True when so many rows are what `load` is due.
    package func isComplete(kept: Int, retired: Int) -> Bool {
        kept == storedKept && retired == storedRetired
    }

    /// Takes in what was stored, oldest first.
    package mutating func load(
        kept stored: consuming OwnedArray<KeptKey>,
        retired chains: consuming OwnedArray<RetiredChain>,
        unwritten crashed: consuming OwnedArray<KeptKey>
    ) {
        stored.append(movedFrom: &kept)
        kept = stored
        chains.append(movedFrom: &retired)
        retired = chains
        unwritten = crashed
        (storedKept, storedRetired) = (0, 0)
    }

    /// Lets go of what is too much or too old. Call `load` first if it `isOverfull`.
    package mutating func trim(at now: Int64) {
        guard isOverfull(at: now) else { return }
        while kept.count > Self.keptLimit { drop(keptAt: 0) }
        while retired.count > Self.retiredLimit { drop(retiredAt: 0) }
        // Where the clock was turned, what was appended first need not be the oldest.
        for index in (0..<kept.count).reversed() where isExpired(kept[index].since, at: now) {
            drop(keptAt: index)
        }
        for index in (0..<retired.count).reversed() where isExpired(retired[index].since, at: now) {
            drop(retiredAt: index)
        }
        oldest = nil
        for index in 0..<kept.count { noteAge(kept[index].since) }
        for index in 0..<retired.count { noteAge(retired[index].since) }
    }

    /// Forgets what has been saved.
    package mutating func noteSaved() {
        firstNew = nextNumber
        droppedKept.removeAll(keepingCapacity: true)
        droppedRetired.removeAll(keepingCapacity: true)
        droppedUnwritten.removeAll(keepingCapacity: true)
        for index in 0..<retired.count { retired[index].isMoved = false }
    }

    mutating func keep(_ keys: inout OwnedArray<MessageKey>, at now: Int64) {
        let tooMany = max(0, keys.count - Self.keptLimit)
        for _ in 0..<tooMany { _ = keys.remove(at: 0) }
        var added = OwnedArray<KeptKey>()
        while !keys.isEmpty {
            let number = nextNumber + Int64(keys.count) - 1
            added.append(KeptKey(number: number, key: keys.removeLast(), since: now))
        }
        nextNumber += Int64(added.count)
        if !added.isEmpty { noteAge(now) }
        while !added.isEmpty { kept.append(added.removeLast()) }
    }

    mutating func retire(_ chain: consuming ChainKey, at now: Int64) {
        retired.append(RetiredChain(number: nextNumber, chain: chain, since: now))
        nextNumber += 1
        noteAge(now)
    }

    mutating func move(retiredAt index: Int, to chain: consuming ChainKey) {
        retired[index].chain = chain
        retired[index].isMoved = true
    }

    mutating func drop(keptAt index: Int) {
        let key = kept.remove(at: index)
        if key.number < firstNew { droppedKept.append(key.number) }
    }

    private mutating func drop(retiredAt index: Int) {
        let chain = retired.remove(at: index)
        if chain.number < firstNew { droppedRetired.append(chain.number) }
    }

    mutating func drop(unwrittenAt index: Int) {
        droppedUnwritten.append(unwritten.remove(at: index).number)
    }

    private mutating func noteAge(_ since: Int64) {
        oldest = min(oldest ?? since, since)
    }

    /// A time in the future counts as now.
    package func isExpired(_ since: Int64, at now: Int64) -> Bool {
        now > since && now - since > Self.lifetime
    }
}

/// A message key that was passed over, kept for the message that may still come.
package struct KeptKey: ~Copyable {
    /// Its place in the order of appending, within a contact.
    package let number: Int64
    package let key: MessageKey
    /// When it was appended, in seconds since 1970.
    package let since: Int64

    package init(number: Int64, key: consuming MessageKey, since: Int64) {
        self.number = number
        self.key = key
        self.since = since
    }
}

/// A receiving chain that another has replaced, for messages that are still under way.
package struct RetiredChain: ~Copyable {
    package let number: Int64
    package fileprivate(set) var chain: ChainKey
    package let since: Int64
    /// True when the chain moved after it was loaded or saved.
    package fileprivate(set) var isMoved = false

    package init(number: Int64, chain: consuming ChainKey, since: Int64) {
        self.number = number
        self.chain = chain
        self.since = since
    }
}
