package import Crypto

/// The part of a conversation that is needed only for late messages, for messages that are decrypted again,
/// and for receipts. A `ConversationPast` contains skipped message keys, retired chains, and the keys of
/// messages that may not have been written. A `ConversationPast` also contains the positions of sent messages
/// that the contact may not have read (smsenc-protocol(7), Receiving, Stored state and Receipts).
///
/// Each list in a `ConversationPast` begins with its oldest entry. If a list becomes too long, its oldest
/// entries are removed. Entries are never removed because of their age. A `ConversationPast` may contain only
/// new entries until the method `insert(older:)` adds the stored entries. The sent messages may be changed
/// only after `insert(older:)` was called.
package struct ConversationPast: ~Copyable {
    package static let maximumSkippedKeys = 1024
    package static let maximumRetiredChains = 64
    /// Maximum number of message keys that are stored for decrypting messages again.
    package static let maximumKeysToReadAgain = 8192

    package private(set) var retired: [RetiredChain] = []
    package private(set) var skipped: [KeptKey] = []
    /// Keys of messages that a process decrypted, but may not have written before it died.
    package private(set) var again: [KeptKey] = []
    /// Position from which on all skipped keys are still stored. Skipped keys before this position may have
    /// been removed, because their number is limited.
    private var complete = KeyPosition()
    /// The sent messages that the contact may not have read.
    package var sent = SentMessages() { didSet { isChanged = true } }
    /// True if this value has changed and must be stored.
    package private(set) var isChanged = false

    package init() {}

    /// Parses the stored form:
    ///
    ///     bytes     content
    ///     1         number of retired chains
    ///     40 each   retired chains
    ///     2         number of skipped keys
    ///     73 each   skipped keys (`KeptKey`)
    ///     2         number of keys of messages that may not have been written
    ///     73 each   keys of messages that may not have been written (`KeptKey`)
    ///     8         the position from which on all skipped keys are stored
    ///               `SentMessages`
    package init(from record: inout SecretReader) throws(InvalidRecord) {
        for _ in 0..<(try record.byte()) {
            retired.append(RetiredChain(try Chain(from: &record)))
        }
        for _ in 0..<(try record.integer() as UInt16) { skipped.append(try KeptKey(from: &record)) }
        for _ in 0..<(try record.integer() as UInt16) { again.append(try KeptKey(from: &record)) }
        complete = try KeyPosition(from: &record)
        sent = try SentMessages(from: &record)
    }

    package borrowing func write(to record: inout SecretWriter) {
        record.put(UInt8(clamping: retired.count))
        for retired in retired { retired.chain.write(to: &record) }
        for keys in [skipped, again] {
            record.put(UInt16(clamping: keys.count))
            for key in keys { key.write(to: &record) }
        }
        complete.write(to: &record)
        sent.write(to: &record)
    }

    /// Number of bytes in the stored form.
    package var size: Int {
        5 + retired.count * Chain.size + (skipped.count + again.count) * KeptKey.size
            + KeyPosition.size + sent.size
    }
    /// Approximate number of bytes that this value takes in memory.
    package var memory: Int {
        retired.reduce((skipped.count + again.count) * KeptKey.memory) { $0 + $1.memory }
            + sent.size
    }
    package var isEmpty: Bool {
        retired.isEmpty && skipped.isEmpty && again.isEmpty && complete == KeyPosition()
            && sent.conversations.isEmpty
    }
    /// Number of skipped keys whose messages are missing.
    package var missing: Int { skipped.count { $0.isMissing } }

    /// Inserts the stored entries before the new entries. If a list then has too many entries, removes the
    /// oldest entries of the list.
    package mutating func insert(older: consuming ConversationPast) {
        older.retired += retired
        older.skipped += skipped
        older.again += again
        older.complete = max(older.complete, complete)
        older.isChanged = isChanged
        self = older
        trim()
    }

    private mutating func trim() {
        let removed = skipped.prefix(max(0, skipped.count - Self.maximumSkippedKeys))
        for position in removed.map({ $0.position }) {
            complete = max(complete, KeyPosition(chain: position.chain, key: position.key &+ 1))
        }
        skipped.removeFirst(removed.count)
        again.removeFirst(max(0, again.count - Self.maximumKeysToReadAgain))
        retired.removeFirst(max(0, retired.count - Self.maximumRetiredChains))
    }

    // MARK: Receiving

    /// Tries to decrypt a message with the keys of messages that may not have been written
    /// (smsenc-protocol(7), Stored state). The method `insert(older:)` must have been called before.
    ///
    /// - Returns: the same as `Conversation.receiveNext`.
    package mutating func receiveAgain(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received? {
        for index in again.indices where again[index].spent.opensAgain(&symbols, &cipher) {
            isChanged = true
            let kept = again.remove(at: index)
            return (kept.spent, ReceivedInfo(arrival: .again, wasInReceipt: kept.isInReceipt))
        }
        return nil
    }

    /// Tries to decrypt a message with the skipped message keys, newest first (smsenc-protocol(7), Receiving,
    /// step 3). The method `insert(older:)` must have been called before. If the sender most likely discarded
    /// the keys directly before the matching key, marks the discarded keys as not missing.
    ///
    /// - Returns: the same as `Conversation.receiveNext`.
    package mutating func receiveSkipped(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received? {
        for index in skipped.indices.reversed()
        where skipped[index].spent.key.decrypt(&symbols, &cipher) {
            isChanged = true
            let kept = skipped.remove(at: index)
            var info = ReceivedInfo(arrival: .late, wasInReceipt: kept.isInReceipt)
            info.found = setDiscarded(
                in: 0..<index, before: kept.position, for: symbols.span, &cipher)
            if kept.isMissing { info.found.append(kept.position) }
            Conversation.blankNextKey(&symbols)
            return (kept.spent, info)
        }
        return nil
    }

    /// Tries to decrypt a message with the retired chains, newest first (smsenc-protocol(7), Receiving, step
    /// 2). The method `insert(older:)` must have been called before.
    ///
    /// - Returns: the same as `Conversation.receiveNext`.
    package mutating func receiveRetired(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received? {
        for retired in retired.reversed() {
            for index in 0..<Conversation.retiredWindow {
                guard let key = retired.search.open(index, &symbols, &cipher) else { continue }
                isChanged = true
                var info = ReceivedInfo(arrival: .late)
                info.missing = skip(
                    retired.search.skipped(before: key), before: key.position,
                    for: symbols.span, &cipher)
                retired.chain = retired.search.advance(past: key)
                Conversation.blankNextKey(&symbols)
                return (key, info)
            }
        }
        return nil
    }

    /// Adds keys to the skipped keys.
    ///
    /// A key that the sender discarded has not encrypted any message, so no message is missing. To find
    /// discarded keys, this function encrypts the decrypted frame again with the keys directly before its
    /// message key. If the ciphertext would not survive copying (`Ciphertext.survivesCopying`), the sender
    /// most likely discarded the key.
    ///
    /// - Parameters:
    ///   - keys: the keys directly before the message key.
    ///   - end: the position of the message key.
    ///   - frame: the decrypted message, 160 symbols.
    /// - Returns: the positions of the missing messages (smsenc-protocol(7), Missing messages).
    mutating func skip(
        _ keys: [SpentKey], before end: KeyPosition, for frame: Span<UInt8>, _ cipher: inout Cipher
    ) -> [KeyPosition] {
        guard !keys.isEmpty else { return [] }
        isChanged = true
        let new = skipped.count..<(skipped.count + keys.count)
        skipped += keys.map { KeptKey($0, isMissing: true) }
        _ = setDiscarded(in: new, before: end, for: frame, &cipher)
        defer { trim() }
        return skipped[new].filter { $0.isMissing }.map { $0.position }
    }

    /// Finds skipped keys that the sender most likely discarded, and marks these keys as not missing.
    /// Examines the skipped keys from newest to oldest, beginning with the key directly before `end`. The
    /// search stops at the first key that the sender did not discard.
    ///
    /// - Parameter indices: the indices in `skipped` of the keys to examine.
    /// - Returns: the positions of the keys that had been marked as missing until now.
    private mutating func setDiscarded(
        in indices: Range<Int>, before end: KeyPosition, for frame: Span<UInt8>,
        _ cipher: inout Cipher
    ) -> [KeyPosition] {
        var (found, next) = ([] as [KeyPosition], end)
        for index in indices.reversed() {
            let kept = skipped[index]
            guard kept.position.isDirectlyBefore(next),
                kept.spent.key.isUnusable(for: frame, &cipher)
            else { break }
            next = kept.position
            if kept.isMissing { found.append(next) }
            skipped[index].isMissing = false
        }
        return found
    }

    /// Adds a receiving chain to the retired chains.
    mutating func retire(_ chain: consuming Chain) {
        retired.append(RetiredChain(chain))
        isChanged = true
        trim()
    }

    /// Stores the key of a decrypted message whose frame only a newer version of the tools can decode. The
    /// stored key is not marked as missing.
    package mutating func keep(_ key: SpentKey) {
        isChanged = true
        skipped.append(KeptKey(key, isMissing: false))
        trim()
    }

    /// Stores the key of a message that a process decrypted, but may not have written before it died.
    package mutating func readAgain(_ key: SpentKey) {
        isChanged = true
        again.append(KeptKey(key, isMissing: false))
        trim()
    }

    // MARK: Receipts

    /// Returns a complete receipt, which describes the receiving chain and the retired chains. If skipped
    /// keys of a chain were removed, omits all older chains.
    ///
    /// - Parameters:
    ///   - receiving: the receiving chain.
    ///   - unwritten: positions of the messages that processes have decrypted but not written yet.
    package borrowing func receipt(
        _ receiving: borrowing Chain, unwritten: [KeyPosition]
    ) -> Receipt {
        let positions = Set(unwritten + (skipped + again).map { $0.position }).sorted()
        var runs: [KeyRun] = []
        for position in positions where complete <= position { runs.append(position) }
        let ends = [receiving.position] + retired.reversed().map { $0.chain.position }
        let chains = ends.prefix { complete.chain <= $0.chain }.map { (end) in
            Receipt.Chain(
                number: end.chain, from: end.chain == complete.chain ? complete.key : 0,
                next: end.key, skipped: runs.filter { $0.chain == end.chain }.map { $0.keys })
        }
        return Receipt(chains: chains)
    }

    /// Stores for each kept key whether `receipt` lists it. Call this method before the receipt is sent.
    package mutating func mark(listedIn receipt: Receipt) {
        isChanged = true
        for index in skipped.indices { skipped[index].mark(listedIn: receipt) }
        for index in again.indices { again[index].mark(listedIn: receipt) }
    }

    /// Ends a conversation. Erases everything except the list of sent messages.
    ///
    /// - Parameter name: the name of the sending direction.
    package mutating func end(_ name: DirectionName, _ recent: inout RecentlySent) {
        var sent = sent
        sent.insert(&recent, in: name)
        self = ConversationPast()
        self.sent = sent
    }
}

/// A receiving chain that was replaced by a newer chain. A retired chain can still decrypt messages that
/// arrive late.
package final class RetiredChain {
    package fileprivate(set) var chain: Chain
    /// The state of the search for a key in the retired chain, which the keyring does not store.
    fileprivate var search: KeySearch

    fileprivate var memory: Int { 256 + search.memory }

    fileprivate init(_ chain: consuming Chain) {
        search = KeySearch(chain.fork())
        self.chain = chain
    }
}

/// A message key in a `ConversationPast`. The stored form of a `KeptKey` consists of the key (72 bytes) and
/// the flags (1 byte). In the flags, 1 means that the message is missing, and 2 means that the last receipt
/// listed the key.
package struct KeptKey {
    static let size = SpentKey.size + 1
    /// Approximate number of bytes that a key takes in memory.
    fileprivate static let memory = 160

    package let spent: SpentKey
    /// True if the message of this key is missing. The message is not missing if, for example, the sender
    /// most likely discarded the key.
    package fileprivate(set) var isMissing: Bool
    /// True if the user's last receipt to the contact listed the message of this key as not read.
    fileprivate var isInReceipt = false

    package var position: KeyPosition { spent.position }

    fileprivate init(_ spent: SpentKey, isMissing: Bool) {
        (self.spent, self.isMissing) = (spent, isMissing)
    }

    fileprivate init(from record: inout SecretReader) throws(InvalidRecord) {
        spent = try SpentKey(from: &record)
        let flags = try record.byte()
        (isMissing, isInReceipt) = (flags & 1 != 0, flags & 2 != 0)
    }

    fileprivate func write(to record: inout SecretWriter) {
        spent.write(to: &record)
        record.put((isMissing ? 1 : 0) + (isInReceipt ? 2 : 0) as UInt8)
    }

    fileprivate mutating func mark(listedIn receipt: Receipt) {
        isInReceipt = receipt.lists(position)
    }
}
