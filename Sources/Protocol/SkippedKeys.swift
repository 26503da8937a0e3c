/// Keys of a contact's messages that were passed over and may still come: kept message keys and
/// retired chains, first appended first (smsenc(7), Next keys).
///
/// The keyring stores each in a row of its own and loads them only for a search that needs them; until
/// then appending works without.
package struct SkippedKeys: ~Copyable {
    package static let keptLimit = 1024
    package static let retiredLimit = 64
    /// Seconds that a key or chain stays: 30 days.
    package static let lifetime: Int64 = 30 * 86_400

    package private(set) var kept: [KeptKey] = []
    package private(set) var retired: [RetiredChain] = []
    /// Keys of messages that were deciphered by a process that died before it had written them.
    package private(set) var unwritten: [KeptKey] = []
    /// The number that the next one appended takes.
    package private(set) var nextNumber: Int64

    package init(nextNumber: Int64 = 0) { self.nextNumber = nextNumber }

    /// A number for a key whose message is about to be written.
    package mutating func takeNumber() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// Takes in what was appended before all that is here, first appended first.
    package mutating func load(
        kept older: [KeptKey], retired chains: [RetiredChain], unwritten crashed: [KeptKey]
    ) {
        kept = older + kept
        retired = chains + retired
        unwritten = crashed
    }

    /// Lets go of what is too much or too old. All must have been loaded.
    package mutating func trim(at now: Int64) {
        kept.removeFirst(max(0, kept.count - Self.keptLimit))
        retired.removeFirst(max(0, retired.count - Self.retiredLimit))
        // Where the clock was turned, what was appended first need not be the oldest.
        kept.removeAll { Self.isExpired($0.since, at: now) }
        retired.removeAll { Self.isExpired($0.since, at: now) }
    }

    /// True for what was appended more than 30 days ago. A time in the future counts as now.
    package static func isExpired(_ since: Int64, at now: Int64) -> Bool {
        now > since && now - since > lifetime
    }

    /// When the oldest of what is here was appended, in seconds since 1970; nil where there is nothing.
    package borrowing func oldest() -> Int64? {
        (kept.map(\.since) + retired.map(\.since)).min()
    }

    /// Appends the next keys of a chain, which a search has passed over: of more than can stay, the last.
    mutating func keep(
        _ count: Int, of chain: borrowing ChainKey, at now: Int64, _ cipher: inout Cipher
    ) {
        guard count > 0 else { return }
        var chain = chain.fork()
        chain.skip(max(0, count - Self.keptLimit), &cipher)
        for _ in 0..<min(count, Self.keptLimit) {
            kept.append(KeptKey(number: takeNumber(), key: chain.step(&cipher), since: now))
        }
    }

    mutating func retire(_ chain: consuming ChainKey, at now: Int64) {
        retired.append(RetiredChain(number: takeNumber(), chain: chain, since: now))
    }

    mutating func take(keptAt index: Int) -> SpentKey { SpentKey(kept.remove(at: index).key) }

    mutating func take(unwrittenAt index: Int) -> SpentKey {
        SpentKey(unwritten.remove(at: index).key)
    }
}

/// A message key that was passed over, kept for the message that may still come.
package final class KeptKey {
    /// Its number in the order of appending, within a contact.
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
package final class RetiredChain {
    package let number: Int64
    package private(set) var chain: ChainKey
    package let since: Int64
    /// True when a message was read from it here.
    package private(set) var isMoved = false

    package init(number: Int64, chain: consuming ChainKey, since: Int64) {
        self.number = number
        self.chain = chain
        self.since = since
    }

    func move(to chain: consuming ChainKey) {
        self.chain = chain
        isMoved = true
    }
}
