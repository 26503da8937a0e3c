package import Crypto

/// A run of consecutive message keys of one chain.
package struct KeyRun: Equatable, Sendable {
    /// Number of bytes in a stored run.
    package static let size = 12

    /// Number of the chain.
    package let chain: UInt32
    /// Numbers of the keys in this run, which contains at least one key.
    package fileprivate(set) var keys: Range<UInt32>

    package init(chain: UInt32, keys: Range<UInt32>) { (self.chain, self.keys) = (chain, keys) }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        chain = try record.integer()
        let (start, end): (UInt32, UInt32) = (try record.integer(), try record.integer())
        guard start < end else { throw InvalidRecord() }
        keys = start..<end
    }

    package func write(to record: inout SecretWriter) {
        record.put(chain)
        record.put(keys.lowerBound)
        record.put(keys.upperBound)
    }

    package func contains(_ position: KeyPosition) -> Bool {
        position.chain == chain && keys.contains(position.key)
    }

    /// Returns the keys of this run that do not belong to another run, as at most two runs.
    package func removing(_ other: KeyRun) -> [KeyRun] {
        guard other.chain == chain, keys.overlaps(other.keys) else { return [self] }
        return [
            keys.lowerBound..<max(keys.lowerBound, other.keys.lowerBound),
            min(keys.upperBound, other.keys.upperBound)..<keys.upperBound,
        ].filter { !$0.isEmpty }.map { KeyRun(chain: chain, keys: $0) }
    }
}

extension [KeyRun] {
    /// Appends a position. If the position directly follows the last run, extends this run.
    package mutating func append(_ position: KeyPosition) {
        let (end, overflow) = position.key.addingReportingOverflow(1)
        guard !overflow else { return }
        if let last = last, last.chain == position.chain, last.keys.upperBound == position.key {
            self[count - 1].keys = last.keys.lowerBound..<end
        } else {
            append(KeyRun(chain: position.chain, keys: position.key..<end))
        }
    }
}

/// The positions of the messages that were sent most recently. The positions of older messages are stored in
/// the list `SentMessages` of the contact's `ConversationPast`. Because older positions are stored
/// separately, a message can be sent without loading the `ConversationPast`.
///
/// The stored form consists of the number of runs (1 byte), the runs, and zeros if there are fewer than 32 runs.
package struct RecentlySent {
    /// If there are more runs than this number, all runs are moved to `SentMessages` when a batch is
    /// committed.
    private static let manyRuns = 16
    /// Number of runs for which the stored form has room. Unused room is filled with zeros, so the size does
    /// not reveal the number of runs.
    private static let storedRuns = 32

    /// The runs, oldest first.
    fileprivate(set) var runs: [KeyRun] = []

    package init() {}

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        for _ in 0..<(try record.byte()) { runs.append(try KeyRun(from: &record)) }
        try record.skip(max(0, Self.storedRuns - runs.count) * KeyRun.size)
    }

    package func write(to record: inout SecretWriter) {
        record.put(UInt8(runs.count))
        for run in runs { run.write(to: &record) }
        record.skip(max(0, Self.storedRuns - runs.count) * KeyRun.size)
    }

    /// True if the runs should be moved to `SentMessages`.
    package var isLong: Bool { runs.count > Self.manyRuns }

    /// Inserts the position of the newest message.
    package mutating func insert(_ position: KeyPosition) { runs.append(position) }

    /// Removes messages whose ciphertexts were not written.
    package mutating func remove(_ keys: KeyRun) { runs = runs.flatMap { $0.removing(keys) } }
}

/// The messages to a contact that the contact may not have read, grouped by conversation (smsenc-protocol(7),
/// Receipts). In each conversation, the contact has read all other messages between `from` and `end`.
///
/// The stored form begins with the number of conversations (2 bytes). Each conversation follows:
///
///     bytes     content
///     8         name of the direction
///     8         `from`
///     8         `end`
///     2         number of runs
///     20 each   runs: keys (12), `missingSince` (8)
package struct SentMessages {
    /// Maximum number of runs in all conversations together. If there are too many runs, the oldest runs are
    /// removed.
    private static let maximumRuns = 1024
    /// Maximum number of conversations. If there are too many conversations, the oldest conversations are
    /// removed.
    private static let maximumConversations = 64

    /// Consecutive messages of one chain that have the same `missingSince`.
    struct Run {
        fileprivate(set) var keys: KeyRun
        /// Arrival time of the latest receipt that lists these messages as missing, or 0 if no receipt does.
        fileprivate(set) var missingSince: Int64
    }

    struct Conversation {
        let name: DirectionName
        /// Position before which nothing is known about sent messages.
        fileprivate(set) var from = KeyPosition()
        /// The position after the last message that was inserted.
        fileprivate(set) var end = KeyPosition()
        fileprivate(set) var runs: [Run] = []
    }

    /// The conversations, oldest first.
    private(set) var conversations: [Conversation] = []

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        for _ in 0..<(try record.integer() as UInt16) {
            var conversation = Conversation(name: try DirectionName(from: &record))
            conversation.from = try KeyPosition(from: &record)
            conversation.end = try KeyPosition(from: &record)
            for _ in 0..<(try record.integer() as UInt16) {
                conversation.runs.append(
                    Run(keys: try KeyRun(from: &record), missingSince: try record.integer()))
            }
            conversations.append(conversation)
        }
    }

    func write(to record: inout SecretWriter) {
        record.put(UInt16(conversations.count))
        for conversation in conversations {
            conversation.name.write(to: &record)
            conversation.from.write(to: &record)
            conversation.end.write(to: &record)
            record.put(UInt16(conversation.runs.count))
            for run in conversation.runs {
                run.keys.write(to: &record)
                record.put(run.missingSince)
            }
        }
    }

    /// Number of bytes in the stored form.
    var size: Int { conversations.reduce(2) { $0 + 26 + 20 * $1.runs.count } }

    /// Returns whether the contact has read a message from the user, as far as receipts show. Call `insert`
    /// first.
    ///
    /// - Parameter current: name of the current sending direction, or nil if there is no conversation.
    package func state(of position: Position, current: DirectionName?) -> SentState {
        let isCurrent = position.direction == current
        let otherwise = isCurrent ? SentState.unknown : .ended
        guard let known = conversations.last(where: { $0.name == position.direction }) else {
            return otherwise
        }
        let message = position.keyPosition
        if let run = known.runs.first(where: { $0.keys.contains(message) }) {
            return isCurrent && run.missingSince != 0
                ? .missing(since: run.missingSince) : otherwise
        }
        return known.from <= message && message < known.end ? .read : otherwise
    }

    /// Number of messages of a conversation that the contact's receipts list as missing.
    package func missing(in name: DirectionName) -> Int {
        let runs = conversations.last { $0.name == name }?.runs ?? []
        return runs.reduce(0) { $0 + ($1.missingSince != 0 ? $1.keys.keys.count : 0) }
    }

    /// Moves the recently sent messages of the conversation `name` to this list.
    package mutating func insert(_ recent: inout RecentlySent, in name: DirectionName) {
        guard !recent.runs.isEmpty else { return }
        change(name) { (conversation) in
            for keys in recent.runs {
                conversation.runs.append(Run(keys: keys, missingSince: 0))
                conversation.end = KeyPosition(chain: keys.chain, key: keys.keys.upperBound)
            }
        }
        recent = RecentlySent()
        trim()
    }

    /// Removes messages of the conversation `name` that were encrypted, but not written. If `name` is not the
    /// name of the newest conversation, removes nothing.
    package mutating func remove(_ keys: KeyRun, in name: DirectionName) {
        guard conversations.last?.name == name else { return }
        change(name) { (conversation) in
            conversation.runs = conversation.runs.flatMap { run in
                run.keys.removing(keys).map { Run(keys: $0, missingSince: run.missingSince) }
            }
        }
    }

    private mutating func change(_ name: DirectionName, _ body: (inout Conversation) -> Void) {
        if conversations.last?.name != name { conversations.append(Conversation(name: name)) }
        body(&conversations[conversations.count - 1])
    }

    private mutating func trim() {
        conversations.removeFirst(max(0, conversations.count - Self.maximumConversations))
        var excess = conversations.reduce(-Self.maximumRuns) { $0 + $1.runs.count }
        for index in conversations.indices where excess > 0 {
            let removed = conversations[index].runs.prefix(excess)
            guard let last = removed.last?.keys else { continue }
            conversations[index].from = KeyPosition(chain: last.chain, key: last.keys.upperBound)
            conversations[index].runs.removeFirst(removed.count)
            excess -= removed.count
        }
    }

    /// Updates the messages sent in the conversation `name` according to a receipt from the contact. Call
    /// `insert` first. Large numbers in the receipt do not make this method slower.
    ///
    /// - Parameter time: the time when the receipt arrived. The arrival time must not be 0.
    /// - Returns: the number of messages that are now known to be read.
    package mutating func learn(
        from receipt: Receipt, in name: DirectionName, at time: Int64
    ) -> Int {
        var read = 0
        change(name) { (conversation) in
            conversation.runs = conversation.runs.flatMap { (run) -> [Run] in
                guard let chain = receipt.chains.first(where: { $0.number == run.keys.chain })
                else {
                    return [run]
                }
                let isNewest = chain.number == receipt.chains[0].number
                let parts = run.keys.keys.split(by: chain, isNewest: isNewest)
                read += run.keys.keys.count - parts.reduce(0) { $0 + $1.keys.count }
                return parts.map { (keys, isMissing) in
                    Run(
                        keys: KeyRun(chain: chain.number, keys: keys),
                        missingSince: isMissing ? time : run.missingSince)
                }
            }
        }
        trim()
        return read
    }
}

extension Range<UInt32> {
    /// Returns the parts of this range of messages that a receipt does not list as read. For each part,
    /// `isMissing` is true if the receipt lists the messages of the part as missing.
    fileprivate func split(
        by chain: Receipt.Chain, isNewest: Bool
    ) -> [(keys: Range<UInt32>, isMissing: Bool)] {
        let below = (keys: clamped(to: 0..<chain.from), isMissing: false)
        let beyond = (keys: clamped(to: chain.next..<UInt32.max), isMissing: !isNewest)
        let skipped = chain.skipped.map { (keys: clamped(to: $0), isMissing: true) }
        return ([below] + skipped + [beyond]).filter { !$0.keys.isEmpty }
    }
}

/// Whether the contact has read a message from the user, as far as receipts show.
package enum SentState: Equatable, Sendable {
    case read
    /// A receipt stated that the contact had not read this message. The value `since` is the arrival time of
    /// the latest receipt that listed the message as not read.
    case missing(since: Int64)
    /// The message belongs to an earlier conversation, and no receipt stated that it was read. Receipts never
    /// describe messages of earlier conversations.
    case ended
    case unknown
}
