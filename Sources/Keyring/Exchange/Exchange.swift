internal import Crypto
internal import Protocol
internal import System

/// Messages that share one commit (smsenc(7), State on disk). It goes one way:
///
///     Exchange    keys are taken, within a transaction; dropped, nothing has happened
///     Committed   they are durable and counted; output may go out
///
/// Records are handed in in their own order, until one is `full`: keys in flight, searching, or memory
/// have come to their limit, and it is time to commit.
package struct Exchange: ~Copyable {
    /// Message keys of a contact that are committed and not yet written, at most; those thrown away
    /// included. A crash so stays within the contact's window of 128.
    package static let longestFlight = 100
    /// Links open at once: 1.4 KB each.
    fileprivate static let mostLinks = 1250
    /// Pads made while others wait for this commit: a tenth of a second.
    fileprivate static let mostPads = 200_000
    /// Keys of messages passed over that are in memory: 150 bytes each.
    fileprivate static let mostSkipped = 16_384

    private let work: Work
    private let pending: Commit

    fileprivate init(_ work: Work, _ pending: consuming Commit) {
        self.work = work
        self.pending = pending
    }

    /// How a contact stands after a message, as far as the user should know.
    package struct Standing: Sendable {
        /// In step by offers, and codes not compared.
        package let isUnverified: Bool
        /// Messages sent since the contact last answered.
        package let unanswered: UInt32

        fileprivate init(_ link: Link) {
            (isUnverified, unanswered) = (link.isUnverified, link.unanswered)
        }
    }

    /// When a message came.
    package enum Arrival: Equatable, Sendable {
        case inOrder
        /// Others that were sent after it came first.
        case late
        /// It was read before, by a process that died while writing it.
        case again
    }

    /// What became of a message.
    package enum Outcome: Sendable {
        /// It was enciphered, or deciphered, and then it came so.
        case done(Standing, Arrival?)
        /// Commit, write, and go on with this message; where it is the first, others have all keys that
        /// may be in flight: wait until they have written.
        case full
        /// No key fits; nothing has changed.
        case refused
        /// There are no keys for this contact, whose state is given.
        case notReady(Link.State)
        /// The contact is no longer there.
        case gone
    }

    /// Enciphers a frame for a contact.
    ///
    /// - Parameter symbols: 160, a frame; a ciphertext afterwards, where it was enciphered.
    /// - Throws: `damaged`, `failed` and their like; then nothing of this exchange stands.
    package borrowing func encipher(
        _ symbols: inout MutableSpan<UInt8>, for contact: Int64
    ) throws(KeyringError) -> Outcome {
        guard work.hasRoom(for: contact) else { return .full }
        guard let open = try work.open(contact) else { return .gone }
        guard open.link.hasConversation else { return .notReady(open.link.state) }
        let room = try work.room(of: open)
        guard open.keysTaken < room else { return .full }
        guard try open.send(&symbols, room: room, at: work.now, &work.cipher) else { return .full }
        work.messages.append((contact, open.keysTaken))
        return .done(Standing(open.link), nil)
    }

    /// Deciphers a ciphertext of a contact.
    ///
    /// - Parameters:
    ///   - symbols: 160, a ciphertext; a frame afterwards, where it was read.
    ///   - window: message keys searched ahead.
    /// - Throws: as `encipher`.
    package borrowing func decipher(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64, window: Int
    ) throws(KeyringError) -> Outcome {
        guard work.hasRoom(for: contact) else { return .full }
        guard let open = try work.open(contact) else { return .gone }
        guard open.link.hasConversation else { return .notReady(open.link.state) }
        let before = open.skipped.kept.count
        let arrival = try open.receive(
            &symbols, window: window, at: work.now, &work.cipher, load: work.skippedRows.load)
        work.skippedCount += open.skipped.kept.count - before
        guard let arrival else { return .refused }
        work.messages.append((contact, 0))
        return .done(Standing(open.link), arrival)
    }

    /// Makes everything durable and notes the count outside. When that fails nothing has happened, or is
    /// taken back.
    ///
    /// - Throws: `full`, `failed`, `noNote` and their like.
    package consuming func commit() throws(KeyringError) -> Committed {
        let changed = work.links.values.filter(\.isChanged)
            .sorted { $0.link.contact < $1.link.contact }
        let committed = Committed(work, pending.keyring)
        guard !changed.isEmpty else { return committed }
        for open in changed {
            try work.skippedRows.save(open, at: work.now)
            try work.rows.save(stateOf: open.link)
        }
        try work.inFlight?.take(changed)
        let keyring = pending.keyring
        let count = try pending.makeDurable()
        do throws(KeyringError) {
            try keyring.note(count)
        } catch {
            // Nothing is out. Where this fails as well, keys are lost that nobody has seen.
            try? committed.finish(out: 0)
            throw error
        }
        return committed
    }
}

/// What an exchange has in hand, and still has when it is committed.
final class Work {
    let rows: LinkRows
    let skippedRows: SkippedKeyRows
    let now: Int64
    var cipher: Cipher
    /// By contact.
    var links: [Int64: OpenLink] = [:]
    /// Message by message: whose it is, and how many keys were taken from that contact's chain up to it.
    var messages: [(contact: Int64, keysTaken: Int)] = []
    /// What other processes have in flight; nil before a frame was enciphered.
    var inFlight: KeysInFlight?
    /// Keys of messages passed over that are in memory.
    var skippedCount = 0

    init(_ rows: LinkRows, _ cipher: consuming Cipher) {
        self.rows = rows
        skippedRows = SkippedKeyRows(rows)
        now = rows.clocks.wall()
        self.cipher = cipher
    }

    func hasRoom(for contact: Int64) -> Bool {
        (links.count < Exchange.mostLinks || links[contact] != nil)
            && cipher.pads < Exchange.mostPads && skippedCount < Exchange.mostSkipped
    }

    /// A contact's link; nil where the contact is gone.
    func open(_ contact: Int64) throws(KeyringError) -> OpenLink? {
        if let open = links[contact] { return open }
        guard let link = try rows.link(contact) else { return nil }
        let open = OpenLink(link)
        links[contact] = open
        return open
    }

    /// Whose the first messages are.
    func contacts(ofFirst count: Int) -> Set<Int64> { Set(messages[..<count].map(\.contact)) }

    /// Message keys of a contact that may be in flight.
    func room(of open: OpenLink) throws(KeyringError) -> Int {
        if let known = open.room { return known }
        let inFlight: KeysInFlight
        if let known = self.inFlight { inFlight = known } else { inFlight = try KeysInFlight(rows) }
        self.inFlight = inFlight
        let room = inFlight.room(for: open.link.contact)
        open.room = room
        return room
    }
}

/// Messages that are committed and whose output is under way.
package struct Committed: ~Copyable {
    let work: Work
    private let keyring: Keyring

    fileprivate init(_ work: Work, _ keyring: Keyring) {
        self.work = work
        self.keyring = keyring
    }

    /// Ends the exchange: what is out is no longer in flight, and no longer to be read again. Of frames
    /// that are not out the keys go back to the chain, unless another process has moved it meanwhile:
    /// then they are lost messages to the contact.
    ///
    /// - Parameter count: messages, in their order, of which a byte may have left where they were
    ///   enciphered, or that are certainly out where they were deciphered; nil for all.
    /// - Throws: `full`, `failed` and their like. The output is not affected.
    package consuming func finish(out count: Int? = nil) throws(KeyringError) {
        let count = count ?? work.messages.count
        if work.inFlight != nil, count < work.messages.count { return try takeBack(to: count) }
        guard work.links.values.contains(where: \.isChanged) else { return }
        let work = work
        try keyring.tidyUp { (rows) throws(KeyringError) in
            if work.inFlight != nil { try KeysInFlight(rows).land(work.contacts(ofFirst: count)) }
            try Self.dropWritten(work, count, rows)
        }
    }

    /// Takes the keys of the first `count` messages off the lists of those that are not yet written.
    private static func dropWritten(
        _ work: Work, _ count: Int, _ rows: LinkRows
    ) throws(KeyringError) {
        let skippedRows = SkippedKeyRows(rows)
        var written: [Int64: Int] = [:]
        for message in work.messages[..<count] { written[message.contact, default: 0] += 1 }
        for (contact, open) in work.links {
            guard let number = open.spentNumber else { continue }
            try skippedRows.dropWritten(
                contact, number, written: written[contact] ?? 0, of: open.spent.count)
        }
    }

    private func takeBack(to count: Int) throws(KeyringError) {
        var sent: [Int64: Int] = [:]
        var kept: [Int64: (keys: Int, messages: Int)] = [:]
        for (index, message) in work.messages.enumerated() {
            sent[message.contact, default: 0] += 1
            if index < count {
                kept[message.contact] = (message.keysTaken, sent[message.contact] ?? 0)
            }
        }
        let (work, keyring) = (work, keyring)
        try keyring.commit { (keys, commit) throws(KeyringError) in
            commit.isNeeded = false
            let rows = LinkRows(keyring, keys, commit.ledger)
            try KeysInFlight(rows).land(work.contacts(ofFirst: count))
            for (contact, open) in work.links {
                let stays = kept[contact] ?? (0, 0)
                guard stays.keys < open.keysTaken,
                    let start = open.chain(after: stays.keys, &work.cipher),
                    let end = open.chain(after: open.keysTaken, &work.cipher),
                    let present = try rows.link(contact), present.sends(from: end)
                else { continue }
                present.returnSending(to: start, messages: (sent[contact] ?? 0) - stays.messages)
                try rows.save(stateOf: present)
                commit.isNeeded = true
            }
        }
    }
}

extension Keyring {
    /// Begins an exchange. Others wait for its commit, so nothing may wait within.
    ///
    /// - Throws: `moved` or `behind` for a copied keyring; `busy`.
    package func beginExchange() throws(KeyringError) -> Exchange {
        let pending = try beginCommit(isUse: true)
        let cipher = try cryptography { () throws(CryptoError) in try Cipher() }
        let rows = LinkRows(self, try unlocked(), pending.ledger)
        return Exchange(Work(rows, cipher), pending)
    }
}

extension Link {
    /// True when the sending chain is where another is.
    fileprivate func sends(from chain: borrowing ChainKey) -> Bool {
        switch conversation {
        case .none: false
        case .some(let conversation): conversation.sending.chain.bytes == chain.bytes
        }
    }

    /// Takes keys and messages back.
    fileprivate func returnSending(to chain: consuming ChainKey, messages: Int) {
        conversation?.sending.chain = chain
        counts.sent -= min(counts.sent, UInt64(messages))
        // The contact may have answered in between, which set this count to zero.
        counts.unanswered -= min(counts.unanswered, UInt32(messages))
    }
}
