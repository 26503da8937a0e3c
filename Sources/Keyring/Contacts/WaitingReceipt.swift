internal import Crypto

/// The messages from a contact for which no receipt was sent yet (smsenc-protocol(7), Sending a receipt).
/// Only their number is stored, together with the data that determine when a receipt is due.
///
///     offset  bytes  content
///     0       4      number of messages with text that were read since the last receipt
///     4       8      time when the first of them was read, in the format of `ContactState.lastUse`
///     12      8      number of the commit with the last receipt, or 0
///     20      8      time when a message last arrived again after it was read, or 0
///     28      1      1 if a receipt is due at once, otherwise 0
struct WaitingReceipt {
    private(set) var messages: UInt32 = 0
    private var oldest: Int64 = 0
    private(set) var lastReceipt: UInt64 = 0
    private var lastRepetition: Int64 = 0
    private(set) var isDueAtOnce = false

    init() {}

    init(from record: inout SecretReader) throws(InvalidRecord) {
        messages = try record.integer()
        oldest = try record.integer()
        lastReceipt = try record.integer()
        lastRepetition = try record.integer()
        isDueAtOnce = try record.bool()
    }

    func write(to record: inout SecretWriter) {
        record.put(messages)
        record.put(oldest)
        record.put(lastReceipt)
        record.put(lastRepetition)
        record.put(isDueAtOnce)
    }

    /// Counts a message with text.
    ///
    /// - Parameter wasInReceipt: true if the last receipt listed the message as not read.
    mutating func count(at now: Int64, wasInReceipt: Bool) {
        if messages == 0 { oldest = now }
        messages = messages == .max ? .max : messages + 1
        if wasInReceipt { isDueAtOnce = true }
    }

    /// Makes a receipt due at once. This function is called when a message arrives again after it was read.
    /// Changes nothing and returns false if a receipt is already due at once, or was repeated within the last
    /// two days.
    mutating func repeatReceipt(at now: Int64) -> Bool {
        guard !isDueAtOnce, Self.days(since: lastRepetition, now) >= 2 else { return false }
        lastRepetition = now
        isDueAtOnce = true
        return true
    }

    /// Returns true if a receipt should be put into the next message.
    ///
    /// - Parameter unwritten: number of waiting messages that other processes have not written yet. A receipt
    ///   must not list unwritten messages as read.
    func wantsReceipt(unwritten: Int) -> Bool { isDueAtOnce || messages > unwritten }

    /// Returns true if a message that contains only a receipt is due.
    func isDue(at now: Int64) -> Bool {
        if isDueAtOnce { return true }
        guard messages > 0 else { return false }
        let days = Self.days(since: oldest, now)
        return days >= 4 || days >= 2 && messages >= 10 || messages >= 100
    }

    /// Records that a message contains a receipt. Returns the `WaitingReceipt` from before this call, without
    /// the unwritten messages. If the message is not sent, pass this value to `merge`.
    mutating func send(in commit: UInt64, unwritten: Int, at now: Int64) -> WaitingReceipt {
        var before = self
        let rest = min(messages, UInt32(clamping: unwritten))
        before.messages -= rest
        (messages, oldest, lastReceipt, isDueAtOnce) = (rest, rest > 0 ? now : 0, commit, false)
        return before
    }

    /// Adds the messages that waited for an earlier receipt, which was possibly not sent. Does nothing if a
    /// later receipt was sent.
    mutating func merge(_ before: WaitingReceipt, ofReceiptIn commit: UInt64) {
        guard lastReceipt == commit else { return }
        if before.messages > 0 {
            oldest = messages == 0 ? before.oldest : min(oldest, before.oldest)
            messages += min(before.messages, .max - messages)
        }
        isDueAtOnce = isDueAtOnce || before.isDueAtOnce
    }

    /// Returns the number of days since a time. If the time is in the future or before 1970, returns the
    /// maximum.
    private static func days(since time: Int64, _ now: Int64) -> Int64 {
        time < 0 || now < time ? .max : (now - time) / 86_400
    }
}
