package import Crypto

/// The part of a conversation that is needed only for late messages, for messages that are decrypted again,
/// and for receipts. It contains skipped message keys, retired chains, and the keys of messages that may not
/// have been written. It also contains the positions of sent messages that the contact may not have read
/// (smsenc-protocol(7), Receiving, Stored state and Receipts).
///
/// Each list begins with its oldest entry. If a list becomes too long, its oldest entries are removed.
/// Entries are never removed because of their age. A value may at first contain only new entries. The method
/// `insert(older:)` then adds the stored entries. The sent messages may be changed only after
/// `insert(older:)` was called.
package struct ConversationPast: ~Copyable {
    package static let maximumSkippedKeys = 1024
    package static let maximumRetiredChains = 64
    /// Maximum number of keys in `again`.
    package static let maximumKeysToReadAgain = 8192

    package private(set) var retired: [RetiredChain]
    package private(set) var skipped: KeyTable
    /// Keys of decrypted messages. The process that decrypted them died, perhaps before it wrote them.
    package private(set) var again: KeyTable
    /// Contains one position for each chain from which skipped keys were removed. All skipped keys of this
    /// chain at this position and later are still stored.
    private var complete: [KeyPosition] = []
    package private(set) var sent = SentMessages()
    /// True if this value has changed and must be stored.
    package private(set) var isChanged = false

    package init() { self.init([], KeyTable(), KeyTable()) }

    private init(
        _ retired: [RetiredChain], _ skipped: consuming KeyTable, _ again: consuming KeyTable
    ) {
        self.retired = retired
        self.skipped = skipped
        self.again = again
    }

    /// Parses the stored form:
    ///
    ///     bytes     content
    ///     1         number of retired chains
    ///     40 each   retired chains
    ///               skipped keys (`KeyTable`)
    ///               keys of messages that may not have been written (`KeyTable`)
    ///     1         number of positions in `complete`
    ///     8 each    positions in `complete`
    ///               `SentMessages`
    package init(from record: inout SecretReader) throws(InvalidRecord) {
        var retired: [RetiredChain] = []
        for _ in 0..<(try record.byte()) {
            retired.append(RetiredChain(try Chain(from: &record)))
        }
        let skipped = try KeyTable(from: &record)
        let again = try KeyTable(from: &record)
        var complete: [KeyPosition] = []
        for _ in 0..<(try record.byte()) { complete.append(try KeyPosition(from: &record)) }
        let sent = try SentMessages(from: &record)
        self.init(retired, skipped, again)
        (self.complete, self.sent) = (complete, sent)
    }

    package borrowing func write(to record: inout SecretWriter) {
        record.put(UInt8(clamping: retired.count))
        for retired in retired { retired.chain.write(to: &record) }
        skipped.write(to: &record)
        again.write(to: &record)
        record.put(UInt8(clamping: complete.count))
        for position in complete { position.write(to: &record) }
        sent.write(to: &record)
    }

    /// Number of bytes in the stored form.
    package var size: Int {
        2 + retired.count * Chain.size + skipped.size + again.size
            + complete.count * KeyPosition.size + sent.size
    }
    package var isEmpty: Bool {
        retired.isEmpty && skipped.count == 0 && again.count == 0 && complete.isEmpty
            && sent.conversations.isEmpty
    }

    /// Inserts the stored entries before the new entries. If there are too many entries, removes the oldest
    /// entries.
    package mutating func insert(older: consuming ConversationPast) {
        retired = older.retired + retired
        older.skipped.append(skipped)
        older.again.append(again)
        skipped = older.skipped
        again = older.again
        sent = older.sent
        for position in older.complete { setComplete(from: position) }
        trim()
    }

    private mutating func trim() {
        for position in skipped.keepNewest(Self.maximumSkippedKeys) {
            isChanged = true
            setComplete(from: KeyPosition(chain: position.chain, key: position.key &+ 1))
        }
        if !again.keepNewest(Self.maximumKeysToReadAgain).isEmpty { isChanged = true }
        if retired.count > Self.maximumRetiredChains {
            retired.removeFirst(retired.count - Self.maximumRetiredChains)
            isChanged = true
        }
        // A receipt does not list chains that are older than the retired chains. The entries of older chains
        // are therefore not needed.
        if retired.count == Self.maximumRetiredChains {
            let oldest = retired[0].chain.number
            complete.removeAll { $0.chain < oldest }
        }
    }

    /// Records that skipped keys of a chain before `position` were removed. All later skipped keys of this
    /// chain are still stored.
    private mutating func setComplete(from position: KeyPosition) {
        guard let index = complete.firstIndex(where: { $0.chain == position.chain }) else {
            return complete.append(position)
        }
        complete[index] = max(complete[index], position)
    }

    /// Stores the keys before a key that matched as skipped keys. If there are more than `maximumSkippedKeys`,
    /// only the last keys are stored.
    ///
    /// If the sender discarded a key, the key has no message that could be missing. To find discarded keys,
    /// this function encrypts the decrypted frame again with the keys directly before its message key. If the
    /// result does not survive copying (`Ciphertext.survivesCopying`), the sender most likely discarded the
    /// key.
    ///
    /// - Parameters:
    ///   - search: the search that found the key.
    ///   - frame: the decrypted message, 160 symbols.
    /// - Returns: the number of missing messages (smsenc-protocol(7), Missing messages), and the positions of
    ///   the last three of these messages.
    mutating func skip(
        before key: SpentKey, in search: borrowing KeySearch, for frame: Span<UInt8>,
        _ cipher: inout Cipher
    ) -> (count: Int, newest: [KeyPosition]) {
        let count = search.skipped(before: key)
        guard count > 0 else { return (0, []) }
        isChanged = true
        let kept = min(count, Self.maximumSkippedKeys)
        if kept < count { setComplete(from: search.position(of: count - kept)) }
        for index in (count - kept)..<count {
            search.key(at: index).bytes.withSpan {
                skipped.append($0, at: search.position(of: index))
            }
        }
        let discarded = setDiscarded(before: skipped.count, atMost: kept, for: frame, &cipher).count
        trim()
        let newest = skipped.entries.suffix(kept).filter { $0.isMissing }.suffix(3)
        return (count - discarded, newest.map { $0.position })
    }

    /// Finds skipped keys that the sender most likely discarded, and marks these keys as not missing. Begins
    /// with the key directly before index `end`, and continues with older keys. Stops at the first key that
    /// the sender did not discard.
    ///
    /// - Returns: the positions of the keys that had been marked as missing until now.
    private mutating func setDiscarded(
        before end: Int, atMost limit: Int, for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> [KeyPosition] {
        var found: [KeyPosition] = []
        var index = end - 1
        while index >= end - limit, skipped.key(at: index).isUnusable(for: frame, &cipher) {
            if skipped.entries[index].isMissing {
                skipped.setNotMissing(at: index)
                found.append(skipped.entries[index].position)
            }
            let isAdjacent =
                index > 0
                && skipped.entries[index - 1].position
                    .isDirectlyBefore(skipped.entries[index].position)
            guard isAdjacent else { break }
            index -= 1
        }
        return found
    }

    /// Adds a receiving chain to the retired chains.
    mutating func retire(_ chain: consuming Chain) {
        retired.append(RetiredChain(chain))
        isChanged = true
        trim()
    }

    /// Advances a retired chain past the key of a message that arrived late.
    mutating func advance(_ retired: RetiredChain, past key: SpentKey) {
        retired.chain = retired.search.advance(past: key)
        isChanged = true
    }

    /// Removes the skipped key of a message that arrived late. If the sender most likely discarded the keys
    /// directly before this key, marks them as not missing.
    ///
    /// - Parameter frame: the decrypted message, 160 symbols.
    /// - Returns: the key, whether the last receipt listed it, and the positions of all keys that had been
    ///   marked as missing until now.
    mutating func spend(
        skippedAt index: Int, for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> (key: SpentKey, wasInReceipt: Bool, found: [KeyPosition]) {
        isChanged = true
        let entry = skipped.entries[index]
        let key = SpentKey(skipped.key(at: index), at: entry.position)
        skipped.remove(at: index)
        var found = entry.isMissing ? [entry.position] : []
        if index > 0, skipped.entries[index - 1].position.isDirectlyBefore(entry.position) {
            found += setDiscarded(before: index, atMost: index, for: frame, &cipher)
        }
        return (key, entry.isInReceipt, found)
    }

    /// Stores the key of a message that was decrypted, but that only a newer version of the tools can decode.
    /// The key is not marked as missing.
    package mutating func keep(_ key: SpentKey) {
        isChanged = true
        key.bytes.withSpan { skipped.insert($0, at: key.position) }
        trim()
    }

    /// Removes the key of a message that is decrypted again. Returns the key, and whether the last receipt
    /// listed it.
    mutating func spend(againAt index: Int) -> (key: SpentKey, wasInReceipt: Bool) {
        isChanged = true
        defer { again.remove(at: index) }
        let entry = again.entries[index]
        return (SpentKey(again.key(at: index), at: entry.position), entry.isInReceipt)
    }

    /// Stores the key of a decrypted message. The process that decrypted it died, perhaps before it wrote it.
    package mutating func readAgain(_ key: SpentKey) {
        isChanged = true
        key.bytes.withSpan { again.append($0, at: key.position, isMissing: false) }
        trim()
    }

    // MARK: Receipts

    /// Returns a complete receipt, which describes the receiving chain and all retired chains. Returns nil if
    /// the stored state is inconsistent.
    ///
    /// - Parameters:
    ///   - receiving: the receiving chain.
    ///   - unwritten: positions of the messages that processes have decrypted but not written yet.
    package borrowing func receipt(
        _ receiving: borrowing Chain, unwritten: [KeyPosition]
    ) -> Receipt? {
        var notRead: [UInt32: [UInt32]] = [:]
        let positions = unwritten + (skipped.entries + again.entries).map { $0.position }
        for position in positions { notRead[position.chain, default: []].append(position.key) }
        var chains = [chain(receiving, notRead)]
        for retired in retired.reversed() { chains.append(chain(retired.chain, notRead)) }
        return Receipt(chains)
    }

    private func chain(
        _ chain: borrowing Chain, _ notRead: [UInt32: [UInt32]]
    ) -> Receipt.Chain {
        let (number, next) = (chain.number, chain.next)
        let from = min(next, complete.first { $0.chain == number }?.key ?? 0)
        var runs: [Range<UInt32>] = []
        for key in (notRead[number] ?? []).sorted() where from <= key && key < next {
            if let last = runs.last, last.upperBound >= key {
                runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, key + 1)
            } else {
                runs.append(key..<(key + 1))
            }
        }
        return Receipt.Chain(number: number, from: from, next: next, skipped: runs)
    }

    /// Marks the keys that `receipt` lists. This function is called before the receipt is sent.
    package mutating func mark(listedIn receipt: Receipt) {
        skipped.mark(listedIn: receipt)
        again.mark(listedIn: receipt)
        isChanged = true
    }

    /// Moves the recently sent messages of the conversation `name` from `recent` to `sent`.
    package mutating func insertSent(_ recent: inout RecentlySent, in name: DirectionName) {
        isChanged = true
        sent.insert(recent, in: name)
        recent = RecentlySent()
    }

    /// Updates the messages sent in the conversation `name` according to a receipt from the contact. Call
    /// `insertSent` first.
    ///
    /// - Parameter time: the time when the receipt arrived. It must not be 0.
    /// - Returns: the number of messages that are now known to be read.
    package mutating func learn(
        from receipt: Receipt, in name: DirectionName, at time: Int64
    ) -> Int {
        isChanged = true
        return sent.learn(receipt, in: name, at: time)
    }

    /// Removes messages of the conversation `name` that were encrypted, but not written. Returns true if any
    /// messages were removed.
    package mutating func removeSent(_ keys: KeyRun, in name: DirectionName) -> Bool {
        guard sent.remove(keys, in: name) else { return false }
        isChanged = true
        return true
    }

    /// Ends a conversation. Erases everything except the list of sent messages.
    ///
    /// - Parameters:
    ///   - name: the name of the sending direction.
    ///   - end: the position after the last message that was sent.
    package mutating func end(
        _ name: DirectionName, at end: KeyPosition, _ recent: inout RecentlySent
    ) {
        if end > KeyPosition(chain: 0, key: 0) {
            insertSent(&recent, in: name)
            sent.close(name, at: end)
        }
        let sent = sent
        self = ConversationPast()
        self.sent = sent
        isChanged = true
    }
}

/// A receiving chain that was replaced by a newer chain. It can still decrypt messages that arrive late.
package final class RetiredChain {
    package fileprivate(set) var chain: Chain
    /// The last search for a message key of this chain. It is not stored in the keyring.
    var search: KeySearch

    fileprivate init(_ chain: consuming Chain) {
        search = KeySearch(chain.fork())
        self.chain = chain
    }
}
