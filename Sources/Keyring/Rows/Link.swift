internal import Crypto
package import Protocol

/// What is shared with one contact: the conversation, what is kept of it, and counts.
///
/// Stored sealed under the ring's key, always as many bytes:
///
///     offset  bytes  what
///     0       1      1: conversation; 2: own sync key out; 4: verified; 8: restored; 16: agreed by
///                    offers; 32: own offer out; 64: lost; 128: receipts on
///     1       10     own sync key, not answered yet
///     11      32     secret key of the own offer, not answered yet
///     43      149    conversation (`Conversation`)
///     192     16     verification code, yours
///     208     16     verification code, theirs
///     224     8      messages sent
///     232     8      messages received
///     240     4      messages sent since one was proved read (`unconfirmed`)
///     244     8      when a message was last encrypted or decrypted, in seconds since 1970; 0 for never, -1 if the
///                    clock could not be right
///     252     2      kept keys
///     254     2      retired chains
///     256     8      the number that the next kept key or retired chain takes
///     264     8      when the oldest kept key or retired chain was added; 0 for none, -1 if one has no time
///     272     32     sum of the kept keys' and retired chains' rows (`RowSum`)
///     304     2      kept keys of messages that are missing
///     306     8      the number of the receiving chain
///     314     8      the session that last kept this chain for reading again (`RereadKey.tag`); 0 for none
///     322     256    the last messages read (`ReadMessages`)
///     578     8      when a message of the contact was last decrypted, as at 244
///     586     8      when the two last synchronised, as at 244
package final class Link {
    private static let size = 322 + ReadMessages.size + 16

    package let contact: Int64
    /// The contact's.
    let ring: Ring
    /// Counts the times that the record was written.
    var version: Int64 = 0
    /// The same of the contact's card, to which the record is tied.
    var cardVersion: Int64 = 0
    /// What the row counts for as it stands; nil where there is none yet, or it is not known.
    var weight: RowSum?
    /// One's own sync key while the contact's has not been entered.
    var ownKey: SyncKey?
    /// The secret key of one's own offer while the contact's has not been entered.
    var ownOffer: SecretBytes?
    var conversation: Conversation?
    package internal(set) var codes = VerificationCodes(kind: .keys, yours: 0, theirs: 0)
    var isVerified = false
    var isRestored = false
    /// True from `resync --lost` until the two synchronise again.
    var isLost = false
    /// Messages sent and received, and those sent since one was proved read.
    package internal(set) var sent: UInt64 = 0
    package internal(set) var received: UInt64 = 0
    package internal(set) var unconfirmed: UInt32 = 0
    /// When a message was last encrypted or decrypted. This and the next two are in seconds since 1970; 0 for never,
    /// `SkippedKeys.untimed` if the clock could not be right.
    package internal(set) var lastUse: Int64 = 0
    /// When a message of the contact was last decrypted.
    package internal(set) var lastHeard: Int64 = 0
    package internal(set) var lastSynchronisation: Int64 = 0
    /// True if the contact gets receipts, which scripts send.
    package internal(set) var getsReceipts = false
    /// What the rows beside this record hold.
    var skipped = Skipped()
    var readMessages = ReadMessages()

    /// What is kept for messages that were passed over; the keys have rows of their own.
    struct Skipped {
        private(set) var kept = 0
        private(set) var retired = 0
        /// The number that the next kept key or retired chain takes.
        var nextNumber: Int64 = 0
        /// When the oldest of them was appended, in seconds since 1970; `SkippedKeys.untimed` if one has no
        /// time, the largest number if there is none.
        var oldest = Int64.max
        /// Of their rows.
        private var sum = RowSum()
        /// Kept keys of messages that have not come.
        var missing = 0
        /// The number of the receiving chain, which it keeps when it is retired.
        var chain: Int64
        /// The session that last kept this chain for reading again: its next messages need no look at the rows.
        var keeper: UInt64 = 0

        init(nextNumber: Int64 = 0) {
            self.nextNumber = nextNumber
            chain = nextNumber
        }

        /// The keys to which a search adds; those that are stored are not loaded yet.
        var keys: SkippedKeys { SkippedKeys(nextNumber: nextNumber, chain: chain) }

        /// Counts one of their rows.
        mutating func count(_ kind: RowKind, _ old: RowSum?, _ new: RowSum?) {
            let rows = Int(sum.replace(old, with: new))
            if kind == .kept { kept += rows } else { retired += rows }
        }

        /// True where rows are those that are counted here.
        func isHeld(by rows: Skipped) -> Bool {
            kept == rows.kept && retired == rows.retired && sum == rows.sum
        }

        fileprivate init(from record: inout SecretReader) throws(Broken) {
            kept = Int(try record.integer() as UInt16)
            retired = Int(try record.integer() as UInt16)
            nextNumber = try record.integer()
            let oldest: Int64 = try record.integer()
            self.oldest = oldest == 0 ? .max : oldest
            sum = try RowSum(from: &record)
            missing = Int(try record.integer() as UInt16)
            chain = try record.integer()
            keeper = try record.integer()
        }

        fileprivate func write(to record: inout SecretWriter) {
            record.put(UInt16(clamping: kept))
            record.put(UInt16(clamping: retired))
            record.put(nextNumber)
            record.put(oldest == .max ? 0 : oldest)
            sum.write(to: &record)
            record.put(UInt16(clamping: missing))
            record.put(chain)
            record.put(keeper)
        }
    }

    init(contact: Int64, in ring: Ring) {
        self.contact = contact
        self.ring = ring
    }

    /// Opens a contact's state.
    ///
    /// - Throws: `damaged`, where it is another identity's as well.
    init(_ state: StoredRow, weighing weight: RowSum?, _ ring: Ring) throws(KeyringError) {
        contact = state.row.id
        self.ring = ring
        version = state.row.version
        cardVersion = state.row.number
        self.weight = weight
        try state.read(ring.sealer, decode)
    }

    private func decode(_ record: inout SecretReader) throws(Broken) {
        let flags = try record.byte()
        // Few have either out, and all contacts pass here.
        if flags & 2 != 0 {
            ownKey = try SyncKey(stored: try record.secret(SyncKey.length))
        } else {
            try record.skip(SyncKey.length)
        }
        if flags & 32 != 0 {
            ownOffer = try record.secret(X25519.size)
        } else {
            try record.skip(X25519.size)
        }
        if flags & 1 != 0 {
            conversation = try Conversation(from: &record)
        } else {
            try record.skip(Conversation.recordSize)
        }
        isVerified = flags & 4 != 0
        isRestored = flags & 8 != 0
        isLost = flags & 64 != 0
        getsReceipts = flags & 128 != 0
        codes = VerificationCodes(
            kind: flags & 16 != 0 ? .offers : .keys, yours: try record.integer(),
            theirs: try record.integer())
        sent = try record.integer()
        received = try record.integer()
        unconfirmed = try record.integer()
        lastUse = try record.integer()
        skipped = try Skipped(from: &record)
        readMessages = try ReadMessages(from: &record)
        lastHeard = try record.integer()
        lastSynchronisation = try record.integer()
    }

    /// The record as it is stored.
    func encoded() -> SecretBytes {
        var record = SecretWriter(capacity: Self.size)
        var flags: UInt8 = 0
        if conversation != nil { flags |= 1 }
        if ownKey != nil { flags |= 2 }
        if isVerified { flags |= 4 }
        if isRestored { flags |= 8 }
        if codes.kind == .offers { flags |= 16 }
        if ownOffer != nil { flags |= 32 }
        if isLost { flags |= 64 }
        if getsReceipts { flags |= 128 }
        record.put(flags)
        if ownKey?.bytes.withSpan({ record.put($0) }) == nil { record.skip(SyncKey.length) }
        if ownOffer?.withSpan({ record.put($0) }) == nil { record.skip(X25519.size) }
        if conversation?.write(to: &record) == nil { record.skip(Conversation.recordSize) }
        record.put(codes.yours)
        record.put(codes.theirs)
        record.put(sent)
        record.put(received)
        record.put(unconfirmed)
        record.put(lastUse)
        skipped.write(to: &record)
        readMessages.write(to: &record)
        record.put(lastHeard)
        record.put(lastSynchronisation)
        return record.finish()
    }

    /// Whether messages can be exchanged with a contact, and whether codes were compared.
    package enum State: String, CaseIterable, Sendable {
        /// No keys exchanged yet, nothing sent or shown.
        case initial = "none"
        /// Your key or offer is out, the contact's has not been entered.
        case waiting
        /// Synchronised, codes not compared.
        case unverified
        /// Synchronised, codes compared.
        case verified
        /// Chains erased by `resync --lost`, until the two synchronise again.
        case lost
        /// Chains erased because the keyring was restored, until the two synchronise again.
        case restored
    }

    /// What two people synchronise by.
    package enum Method: String, Sendable {
        case syncKey = "sync-key"
        case offer
        case nothing = "-"
    }

    package var hasConversation: Bool { conversation != nil }

    /// True if the contact has not been heard from for so many seconds. Before the first message, the time since the two
    /// synchronised counts. A time in the future counts as now.
    package func isSilent(for seconds: Int64, at now: Int64) -> Bool {
        let last = lastHeard == 0 ? lastSynchronisation : lastHeard
        return now >= last && now - last >= seconds
    }

    /// Messages that have not come, as far as the keys tell.
    package var missing: Int { skipped.missing }

    package var state: State {
        if hasConversation { return isVerified ? .verified : .unverified }
        if isLost { return .lost }
        if isRestored { return .restored }
        return pending == .nothing ? .initial : .waiting
    }

    /// What the conversation was synchronised by.
    package var method: Method {
        guard hasConversation else { return .nothing }
        return codes.kind == .offers ? .offer : .syncKey
    }

    /// What is out to the contact and unanswered: the offer, if a sync key is out as well.
    package var pending: Method {
        if ownOffer != nil { return .offer }
        return ownKey != nil ? .syncKey : .nothing
    }
}
