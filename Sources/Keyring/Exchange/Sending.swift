internal import Crypto
internal import Protocol
internal import System

/// Messages on their way out that share one commit (smsenc(7), State on disk). It goes one way:
///
///     pass      keys are taken, within a transaction; dropped, nothing has happened
///     commit    they are durable and counted; output may go out
///     finish    what is out is no longer in flight
///
/// Records are handed in in their own order, until one is `full`: keys in flight, or memory, have come to
/// their limit, and it is time to commit.
package struct Sending: ~Copyable {
    /// Message keys of a contact that are committed and not yet written, at most; those thrown away
    /// included. A crash so stays within the contact's window of 128.
    package static let longestFlight = 100

    private let transaction: Transaction
    private var cipher = Cipher()
    private var links = Links<SendingLink>()
    /// Message by message: whose it is, and how many keys were taken from that contact's chain up to it.
    private(set) var messages: [(contact: Int64, keysTaken: Int)] = []
    private let flights: Flights

    /// Begins to encipher. Others wait for the commit, so nothing may wait within.
    ///
    /// - Throws: `moved` or `behind` for a copied keyring; `busy`.
    package init(with keyring: Keyring) throws(KeyringError) {
        let transaction = try Transaction(keyring, for: .change)
        flights = try Flights(in: transaction)
        self.transaction = transaction
    }

    /// Enciphers a frame for a contact.
    ///
    /// - Parameter symbols: 160, a frame; a ciphertext afterwards, where it was enciphered.
    /// - Throws: `damaged`, `failed` and their like; then nothing of this exchange stands.
    package mutating func pass(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> Passed {
        guard links.hasRoom(for: contact) else { return .not(.full) }
        guard let open = try links.open(contact, in: transaction) else { return .not(.gone) }
        guard open.link.hasConversation else { return .not(.notReady(Standing(open.link))) }
        let room = flights.room(for: contact)
        guard open.keysTaken < room,
            try open.send(&symbols, room: room, at: transaction.timeOfUse, &cipher)
        else {
            return .not(.full)
        }
        messages.append((contact, open.keysTaken))
        return .done(Standing(open.link, isSent: true), nil)
    }

    /// Makes everything durable and notes the count outside. When that fails nothing has happened, or is
    /// taken back.
    ///
    /// - Throws: `full`, `failed`, `noNote` and their like.
    package mutating func commit() throws(KeyringError) {
        var taken: [Int64: Int] = [:]
        for (contact, open) in links.all where open.keysTaken > 0 {
            try transaction.put(open.link)
            taken[contact] = open.keysTaken
        }
        guard !taken.isEmpty else { return transaction.end() }
        try transaction.put(taken, inFlightOf: transaction.keyring.mark.text)
        do throws(KeyringError) {
            try transaction.commit()
        } catch {
            // Nothing is out. Where this fails as well, keys are lost that nobody has seen.
            if transaction.isDurable { try? takeBack(to: 0) }
            throw error
        }
    }

    /// Ends the exchange. Of frames that are not out the keys go back to the chain, unless another process
    /// has moved it meanwhile: then they are lost messages to the contact.
    ///
    /// - Parameter count: messages, in their order, of which a byte may have left; nil for all.
    /// - Throws: `full`, `failed` and their like. The output is not affected.
    package consuming func finish(out count: Int? = nil) throws(KeyringError) {
        if let count, count < messages.count { return try takeBack(to: count) }
        guard transaction.isDurable else { return }
        let passed = Set(messages.map { $0.contact })
        try transaction.keyring.commit(for: .tidying) { (transaction) throws(KeyringError) in
            try Flights(in: transaction).land(in: transaction, passed)
        }
    }

    private mutating func takeBack(to count: Int) throws(KeyringError) {
        let (out, back) = (messages[..<count], messages[count...])
        let transaction = try Transaction(self.transaction.keyring, for: .change)
        transaction.isNeeded = false
        try Flights(in: transaction).land(in: transaction, Set(out.map { $0.contact }))
        for (contact, open) in links.all {
            let stays = out.last { $0.contact == contact }?.keysTaken ?? 0
            guard stays < open.keysTaken, let start = open.chain(after: stays, &cipher),
                let end = open.chain(after: open.keysTaken, &cipher),
                let present = try transaction.link(contact),
                present.conversation?.sending.chain.stands(where: end) == true
            else { continue }
            present.returnSending(to: start, messages: back.count { $0.contact == contact })
            try transaction.put(present)
            transaction.isNeeded = true
        }
        try transaction.commit()
    }
}

extension Transaction {
    /// The time at which a message is sent or received, for people; `SkippedKeys.untimed` if the clock cannot be
    /// right.
    var timeOfUse: Int64 { keyring.clocks.wallSinceRelease ?? SkippedKeys.untimed }

    /// What would become of a message to a contact, in this state of the keyring.
    package func outlook(for contact: Int64) throws(KeyringError) -> Passed {
        guard let link = try link(contact) else { return .not(.gone) }
        let standing = Standing(link)
        return link.hasConversation ? .done(standing, nil) : .not(.notReady(standing))
    }
}

/// A link with what was taken from it so far.
private final class SendingLink: OpenLink {
    let link: Link
    /// Message keys taken from the sending chain, those thrown away included.
    private(set) var keysTaken = 0
    /// The sending chain after the mixing of the next key, before the first key was taken; nil before.
    private var chainAtStart: ChainKey?

    init(_ link: Link) { self.link = link }

    /// Enciphers a frame; false when all keys that there was room for were thrown away.
    ///
    /// - Precondition: there is a conversation, and room.
    func send(
        _ symbols: inout MutableSpan<UInt8>, room: Int, at now: Int64, _ cipher: inout Cipher
    ) throws(KeyringError) -> Bool {
        if keysTaken == 0 {
            // Before the first key: what is taken back goes back to here, and the mixing stays.
            link.conversation?.mixPending(&cipher)
            chainAtStart = link.conversation?.sending.chain.fork()
        }
        let limit = room - keysTaken
        let sent = try cryptography(link.conversation?.send(&symbols, limit: limit, &cipher))
        guard let sent else { return false }
        keysTaken += sent.keys
        guard sent.isWritten else { return false }
        link.sent += 1
        link.unconfirmed &+= 1
        link.lastUse = now
        return true
    }

    /// The sending chain after the first `keys` keys that were taken.
    func chain(after keys: Int, _ cipher: inout Cipher) -> ChainKey? {
        guard var chain = chainAtStart?.fork() else { return nil }
        chain.skip(keys, &cipher)
        return chain
    }
}

extension Link {
    /// Takes keys and messages back.
    fileprivate func returnSending(to chain: consuming ChainKey, messages: Int) {
        conversation?.sending.chain = chain
        sent -= min(sent, UInt64(messages))
        // One may have been proved read in between, which set this count to zero.
        unconfirmed -= min(unconfirmed, UInt32(messages))
    }
}
