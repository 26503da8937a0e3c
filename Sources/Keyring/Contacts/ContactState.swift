internal import Crypto
package import Protocol

/// A contact's conversation, with counts, times and settings. The past (`ConversationPast`) is stored in
/// another record, because it is not needed for messages that arrive in order.
///
///     offset  bytes  content
///     0       5      flags, each 0 or 1: verified, verified or lost before, restored, lost, receipts on
///     5       10     user's sync key until the contact's sync key is entered, or zeros
///     15      32     secret key of the user's offer until the contact's offer is entered, or zeros
///     47      181    conversation (`Conversation`), or zeros
///     228     1      1 if the codes belong to offers, otherwise 0
///     229     16     the user's verification code
///     245     16     the contact's verification code
///     261     8      number of messages sent
///     269     8      number of messages received
///     277     4      number of messages sent after the last message that the contact is known to have read
///     281     8      time when a message was last encrypted or decrypted, in seconds since 1970; 0 if there
///                    was no message yet, -1 if the clock was certainly wrong
///     289     8      time when a message from the contact was last decrypted
///     297     8      time of the last synchronisation
///     305     2      number of skipped keys whose messages are missing
///     307     2      number of keys in `ConversationPast.again`
///     309     256    hashes of the most recently decrypted messages (`ReadMessages`)
///     565     29     messages that wait for a receipt (`WaitingReceipt`)
///     594     8      number of sent messages that the contact has read, according to receipts
///     602            positions of the most recently sent messages (`RecentlySent`)
package final class ContactState {
    /// Approximate number of bytes that a state takes in memory.
    static let memory = 2560

    package let contact: ContactID
    /// The ring of the contact.
    let ring: Ring
    /// The user's own sync key, which is erased when the contact's sync key is entered.
    var ownKey: SyncKey?
    /// The secret key of the user's own offer, which is erased when the contact's offer is entered.
    var ownOffer: SecretBytes?
    var conversation: Conversation?
    package internal(set) var codes = VerificationCodes(kind: .keys, yours: 0, theirs: 0)
    var isVerified = false
    var isRestored = false
    /// True after `resync --lost`, until the user and the contact synchronise again.
    var isLost = false
    /// True if the contact was verified or lost before. If the contact is not verified now, another person
    /// may be impersonating the contact.
    var wasVerifiedOrLost = false
    /// Number of messages sent.
    package internal(set) var sent: UInt64 = 0
    /// Number of messages received.
    package internal(set) var received: UInt64 = 0
    /// The number of messages sent after the last message that the contact is known to have read.
    package internal(set) var unconfirmed: UInt32 = 0
    /// The time when a message was last encrypted or decrypted, in seconds since 1970. The value is 0 if there
    /// was no message yet, and -1 if the clock was certainly wrong.
    package internal(set) var lastUse: Int64 = 0
    /// The time when a message from the contact was last decrypted, in the format of `lastUse`.
    package internal(set) var lastHeard: Int64 = 0
    /// The time of the last synchronisation, in the format of `lastUse`.
    package internal(set) var lastSynchronisation: Int64 = 0
    /// True if smsenc-pad sends receipts to the contact.
    package internal(set) var getsReceipts = false
    /// Number of skipped keys whose messages are missing.
    package internal(set) var missing = 0
    /// Number of keys in `ConversationPast.again`.
    var keysToReadAgain = 0
    var readMessages = ReadMessages()
    /// The messages that wait for a receipt to the contact.
    var waiting = WaitingReceipt()
    /// Number of sent messages that the contact has read, according to the contact's receipts.
    package internal(set) var read: UInt64 = 0
    var recentlySent = RecentlySent()

    init(contact: ContactID, in ring: Ring) {
        self.contact = contact
        self.ring = ring
    }

    convenience init(
        contact: ContactID, in ring: Ring, from record: inout SecretReader
    ) throws(InvalidRecord) {
        self.init(contact: contact, in: ring)
        isVerified = try record.bool()
        wasVerifiedOrLost = try record.bool()
        isRestored = try record.bool()
        isLost = try record.bool()
        getsReceipts = try record.bool()
        if try !record.skipZeros(SyncKey.length) {
            ownKey = SyncKey(stored: try record.secret(SyncKey.length))
        }
        if try !record.skipZeros(X25519.size) { ownOffer = try record.secret(X25519.size) }
        if try !record.skipZeros(Conversation.recordSize) {
            conversation = try Conversation(from: &record)
        }
        codes = VerificationCodes(
            kind: try record.bool() ? .offers : .keys, yours: try record.integer(),
            theirs: try record.integer())
        sent = try record.integer()
        received = try record.integer()
        unconfirmed = try record.integer()
        lastUse = try record.integer()
        lastHeard = try record.integer()
        lastSynchronisation = try record.integer()
        missing = Int(try record.integer() as UInt16)
        keysToReadAgain = Int(try record.integer() as UInt16)
        readMessages = try ReadMessages(from: &record)
        waiting = try WaitingReceipt(from: &record)
        read = try record.integer()
        recentlySent = try RecentlySent(from: &record)
    }

    func write(to record: inout SecretWriter) {
        record.put(isVerified)
        record.put(wasVerifiedOrLost)
        record.put(isRestored)
        record.put(isLost)
        record.put(getsReceipts)
        if ownKey?.bytes.withSpan({ record.put($0) }) == nil { record.skip(SyncKey.length) }
        if ownOffer?.withSpan({ record.put($0) }) == nil { record.skip(X25519.size) }
        if conversation?.write(to: &record) == nil { record.skip(Conversation.recordSize) }
        record.put(codes.kind == .offers)
        record.put(codes.yours)
        record.put(codes.theirs)
        record.put(sent)
        record.put(received)
        record.put(unconfirmed)
        record.put(lastUse)
        record.put(lastHeard)
        record.put(lastSynchronisation)
        record.put(UInt16(clamping: missing))
        record.put(UInt16(clamping: keysToReadAgain))
        readMessages.write(to: &record)
        waiting.write(to: &record)
        record.put(read)
        recentlySent.write(to: &record)
    }

    /// Whether messages can be exchanged with a contact, and whether the codes were compared.
    package enum Status: String, CaseIterable, Sendable {
        /// The user and the contact have not synchronised, and the user's key or offer was not shown or sent
        /// yet.
        case initial = "none"
        /// The user's key or offer was shown or sent, but the contact's key or offer has not been entered.
        case waiting
        /// The user and the contact have synchronised, but the codes were not compared.
        case unverified
        /// The same as `unverified`, but the contact was verified or lost before.
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

    /// The method by which two people synchronise.
    package enum Method: String, Sendable {
        case syncKey = "sync-key"
        case offer
        case nothing = "-"
    }

    package var hasConversation: Bool { conversation != nil }

    /// Name of the sending direction, or nil if there is no conversation.
    var sendingName: DirectionName? { conversation?.sending.name }

    /// The receiving direction, or nil if there is no conversation.
    var receiving: ReceivingDirection? {
        (conversation?.receiving.name).map { ReceivingDirection(of: contact, $0) }
    }

    /// The user's pending offer to the contact, or nil if there is none.
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
        missing = 0
        keysToReadAgain = 0
        waiting = WaitingReceipt()
        recentlySent = RecentlySent()
    }

    /// Returns true if no message from the contact was decrypted for the given number of seconds. Before the
    /// first message, the time of the last synchronisation is used. If the time is in the future, returns
    /// false.
    package func isSilent(for seconds: Int64, at now: Int64) -> Bool {
        let last = lastHeard == 0 ? lastSynchronisation : lastHeard
        return now >= last && now - last >= seconds
    }

    /// Returns true if a message that contains only a receipt is due.
    package func needsReceiptAlone(at now: Int64) -> Bool {
        getsReceipts && hasConversation && waiting.isDue(at: now)
    }

    package var status: Status {
        if hasConversation {
            return isVerified ? .verified : wasVerifiedOrLost ? .changed : .unverified
        }
        if isLost { return .lost }
        if isRestored { return .restored }
        return pending == .nothing ? .initial : .waiting
    }

    /// The method by which the user and the contact have synchronised.
    package var method: Method {
        guard hasConversation else { return .nothing }
        return codes.kind == .offers ? .offer : .syncKey
    }

    /// The kind of the user's pending key. If both an offer and a sync key are pending, the kind is `offer`.
    package var pending: Method {
        if ownOffer != nil { return .offer }
        return ownKey != nil ? .syncKey : .nothing
    }
}
