internal import Crypto
package import Protocol

/// A contact's stored state: the conversation, counts, and the sums of the contact's skipped keys and retired
/// chains.
///
/// The state is sealed under the ring's key and always has the same length:
///
///     offset  bytes  what
///     0       1      flags; 1: conversation; 2: own sync key; 4: verified; 8: restored; 16: synchronised
///                    by offers; 32: own offer; 64: lost; 128: receipts on
///     1       10     own sync key until the contact's sync key is entered, or zeros
///     11      32     secret key of the own offer until the contact's offer is entered, or zeros
///     43      149    conversation (`Conversation`)
///     192     16     verification code, yours
///     208     16     verification code, theirs
///     224     8      messages sent
///     232     8      messages received
///     240     4      messages sent after the last message known to have been read (`unconfirmed`)
///     244     8      time when a message was last encrypted or decrypted, in seconds since 1970; 0
///                    for never, -1 if the clock could not be right
///     252     2      number of skipped keys
///     254     2      number of retired chains
///     256     8      the number that the next skipped key or retired chain receives
///     264     8      the earliest time of skipped keys and retired chains; 0 for none, -1 if one has no time
///     272     32     sum of the rows of skipped keys and retired chains (`MultisetHash`)
///     304     2      number of skipped keys whose messages are missing
///     306     8      the number of the receiving chain
///     314     8      the session that last stored this chain for rereading (`RereadKey.tag`); 0 for none
///     322     256    tags of the last messages decrypted (`ReadMessages`)
///     578     8      time when a message from the contact was last decrypted, as at 244
///     586     8      time of the last synchronisation, as at 244
///     594     1      more flags; 1: verified or lost before
package final class ContactState {
    private static let size = 322 + ReadMessages.size + 17

    package let contact: Int64
    /// The ring of the contact.
    let ring: Ring
    /// The number of times that the record was written.
    var version: Int64 = 0
    /// The number of times that the contact's card was written. The record of the state is bound to this
    /// version.
    var cardVersion: Int64 = 0
    /// The hash of the row in the sum over contacts, or nil if the row is new or its hash is not known.
    var rowHash: MultisetHash?
    /// The user's own sync key, until the contact's sync key is entered.
    var ownKey: SyncKey?
    /// The secret key of the user's own offer, until the contact's offer is entered.
    var ownOffer: SecretBytes?
    var conversation: Conversation?
    package internal(set) var codes = VerificationCodes(kind: .keys, yours: 0, theirs: 0)
    var isVerified = false
    var isRestored = false
    /// True after `resync --lost`, until the user and the contact synchronise again.
    var isLost = false
    /// True if the contact was verified or lost before. If the contact is not verified now, someone may have
    /// replaced the contact.
    var wasVerifiedOrLost = false
    /// The number of messages sent.
    package internal(set) var sent: UInt64 = 0
    /// The number of messages received.
    package internal(set) var received: UInt64 = 0
    /// The number of messages sent after the last message that the contact is known to have read.
    package internal(set) var unconfirmed: UInt32 = 0
    /// The time when a message was last encrypted or decrypted, in seconds since 1970. The value is 0 if no
    /// message was encrypted or decrypted yet, and `SkippedKeys.untimed` if the clock was wrong.
    package internal(set) var lastUse: Int64 = 0
    /// The time when a message from the contact was last decrypted, in the format of `lastUse`.
    package internal(set) var lastHeard: Int64 = 0
    /// The time of the last synchronisation, in the format of `lastUse`.
    package internal(set) var lastSynchronisation: Int64 = 0
    /// True if the scripts send receipts to the contact.
    package internal(set) var getsReceipts = false
    /// Counts of the contact's skipped keys and retired chains, and the sum of their rows.
    var skipped = SkippedKeyTotals()
    var readMessages = ReadMessages()

    /// Counts of a contact's skipped keys and retired chains, and the sum of their rows.
    struct SkippedKeyTotals {
        var keyCount = 0
        private(set) var chainCount = 0
        /// The number that the next skipped key or retired chain receives.
        var nextNumber: Int64 = 0
        /// The earliest time of the skipped keys and retired chains, in seconds since 1970. The value is
        /// `SkippedKeys.untimed` if a key or chain has no time, and the largest number if there are no keys
        /// or chains.
        var oldest = Int64.max
        /// Sum of the hashes of the rows.
        private var sum = MultisetHash()
        /// Number of skipped keys whose messages are missing.
        var missing = 0
        /// The number of the receiving chain, which the chain keeps when it is retired.
        var chain: Int64
        /// The tag of the session that last stored this chain for rereading (`RereadKey.tag`). If the tag is
        /// that of the open session, the row already exists and need not be looked up.
        var rereadTag: UInt64 = 0

        init(nextNumber: Int64 = 0) {
            self.nextNumber = nextNumber
            chain = nextNumber
        }

        /// A list to which a search can add keys. The list does not contain the stored keys, which are loaded
        /// only if they are needed.
        var unloaded: SkippedKeys { SkippedKeys(nextNumber: nextNumber, chain: chain) }

        /// Updates the sum of the rows, and the count of chains. `old` is nil for a new row, and `new` is nil
        /// for a deleted row.
        mutating func count(_ kind: RowKind, _ old: MultisetHash?, _ new: MultisetHash?) {
            let rows = Int(sum.replace(old, with: new))
            if kind == .retiredChain { chainCount += rows }
        }

        /// Returns true if the count of chains and the sum are equal to those in `rows`, which were computed
        /// while the rows were read.
        func matches(_ rows: SkippedKeyTotals) -> Bool {
            chainCount == rows.chainCount && sum == rows.sum
        }

        fileprivate init(from record: inout SecretReader) throws(InvalidRecord) {
            keyCount = Int(try record.integer() as UInt16)
            chainCount = Int(try record.integer() as UInt16)
            nextNumber = try record.integer()
            let oldest: Int64 = try record.integer()
            self.oldest = oldest == 0 ? .max : oldest
            sum = try MultisetHash(from: &record)
            missing = Int(try record.integer() as UInt16)
            chain = try record.integer()
            rereadTag = try record.integer()
        }

        fileprivate func write(to record: inout SecretWriter) {
            record.put(UInt16(clamping: keyCount))
            record.put(UInt16(clamping: chainCount))
            record.put(nextNumber)
            record.put(oldest == .max ? 0 : oldest)
            sum.write(to: &record)
            record.put(UInt16(clamping: missing))
            record.put(chain)
            record.put(rereadTag)
        }
    }

    init(contact: Int64, in ring: Ring) {
        self.contact = contact
        self.ring = ring
    }

    /// Opens a contact's state.
    ///
    /// - Throws: `damaged` if the state was altered or belongs to another identity.
    init(_ stored: StoredRow, hash: MultisetHash?, _ ring: Ring) throws(KeyringError) {
        contact = stored.row.id
        self.ring = ring
        version = stored.row.version
        cardVersion = stored.row.number
        rowHash = hash
        try stored.read(ring.sealingKey, decode)
    }

    private func decode(_ record: inout SecretReader) throws(InvalidRecord) {
        let flags = try record.byte()
        // Skipping absent keys saves time, because all contacts are decoded here and few have such a key.
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
        skipped = try SkippedKeyTotals(from: &record)
        readMessages = try ReadMessages(from: &record)
        lastHeard = try record.integer()
        lastSynchronisation = try record.integer()
        wasVerifiedOrLost = try record.byte() & 1 != 0
    }

    /// Returns the record to store.
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
        record.put(UInt8(wasVerifiedOrLost ? 1 : 0))
        return record.finish()
    }

    /// The status of a contact, which shows whether messages can be exchanged and whether the codes were
    /// compared.
    package enum Status: String, CaseIterable, Sendable {
        /// No keys were exchanged yet, and no key or offer was shown or sent.
        case initial = "none"
        /// The user's key or offer was shown or sent, but the contact's key or offer has not been entered.
        case waiting
        /// The user and the contact have synchronised, but the codes were not compared.
        case unverified
        /// The user and the contact have synchronised, but the codes were not compared, and the contact was
        /// verified or lost before.
        case changed
        /// The user and the contact have synchronised, and the codes were compared.
        case verified
        /// The chains were erased by `resync --lost`, and the user and the contact have not synchronised
        /// again yet.
        case lost
        /// The chains were erased because the keyring was restored, and the user and the contact have not
        /// synchronised again yet.
        case restored
    }

    /// The means by which two people synchronise.
    package enum Method: String, Sendable {
        case syncKey = "sync-key"
        case offer
        case nothing = "-"
    }

    package var hasConversation: Bool { conversation != nil }

    /// The user's unanswered offer to the contact, or nil if there is none.
    var offer: Offer? {
        switch ownOffer {
        case .none: nil
        case .some(let secret): Offer(publicKey: X25519.publicKey(of: secret))
        }
    }

    /// Erases the conversation and the user's own sync key and offer from the state. The user and the contact
    /// must then synchronise again.
    func eraseConversation() {
        conversation = nil
        ownKey = nil
        ownOffer = nil
        isVerified = false
        unconfirmed = 0
        skipped = SkippedKeyTotals(nextNumber: skipped.nextNumber)
    }

    /// Returns true if no message from the contact was decrypted for the given number of seconds. Before the
    /// first message, the time of the last synchronisation is used. A time in the future is treated as the
    /// present.
    package func isSilent(for seconds: Int64, at now: Int64) -> Bool {
        let last = lastHeard == 0 ? lastSynchronisation : lastHeard
        return now >= last && now - last >= seconds
    }

    /// Number of missing messages, as determined from the skipped keys.
    package var missing: Int { skipped.missing }

    package var status: Status {
        if hasConversation {
            return isVerified ? .verified : wasVerifiedOrLost ? .changed : .unverified
        }
        if isLost { return .lost }
        if isRestored { return .restored }
        return pending == .nothing ? .initial : .waiting
    }

    /// The means by which the conversation was synchronised.
    package var method: Method {
        guard hasConversation else { return .nothing }
        return codes.kind == .offers ? .offer : .syncKey
    }

    /// The unanswered offer or sync key of the user, with which a synchronisation is pending. The value is
    /// `offer` if both exist.
    package var pending: Method {
        if ownOffer != nil { return .offer }
        return ownKey != nil ? .syncKey : .nothing
    }
}
