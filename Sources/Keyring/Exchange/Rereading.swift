internal import Protocol
internal import System

/// Messages that are read again on request, with what the open session keeps (`Transaction.keep`).
///
/// All of it is looking: there is no commit, so that no chain, next key, count or kept key can change, and each
/// message can be read again as often as somebody asks.
package struct Rereading: ~Copyable {
    private let transaction: Transaction
    private let key: RereadKey
    /// Message keys searched ahead for messages that were not read yet.
    private let window: Int
    private var cipher = Cipher()
    private var links = Links<RereadingLink>()

    /// Begins to read again.
    ///
    /// - Throws: `needed` without a session, `keepsNothing`; `behind`; `damaged` if what is kept is not what was
    ///   written.
    package init(
        with keyring: Keyring, searching window: Int
    ) throws(KeyringError) {
        let key = try keyring.rereadKey()
        let transaction = try keyring.beginReading()
        try transaction.verify()
        try Verification(transaction).reread()
        (self.key, self.transaction, self.window) = (key, transaction, window)
    }

    /// Decrypts a message of a contact again.
    ///
    /// - Parameter symbols: 160, a ciphertext; a frame afterwards, if it was read again.
    package mutating func pass(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> Passed {
        guard links.hasRoom(for: contact) else { return .not(.full) }
        guard let open = try links.open(contact, in: transaction) else { return .not(.gone) }
        let link = open.live.link
        guard link.hasConversation else { return .not(.notReady(Standing(link))) }
        let tag = link.ring.readMessageHash.tag(of: symbols.span)
        let isNew = try open.live.receive(
            &symbols, window: window, at: nil, in: transaction, &cipher)
        guard isNew == nil else {
            // The search has moved on what is in memory, which is thrown away.
            links.close(contact)
            return .not(.new)
        }
        if open.kept == nil { open.kept = try transaction.loadReread(of: link, under: key) }
        guard open.reread(&symbols, &cipher) else {
            return .not(link.readMessages.contains(tag) ? .readElsewhere : .noKey)
        }
        return .done(Standing(link), Coming(arrival: .reread))
    }

    /// Ends the looking.
    package mutating func commit() throws(KeyringError) { transaction.end() }
    package consuming func finish(out count: Int? = nil) throws(KeyringError) {}
}

/// A link with what the session keeps of it.
private final class RereadingLink: OpenLink {
    let live: ReceivingLink
    var kept: (chains: [ReadChain], messages: [KeptKey])?

    init(_ link: Link) { live = ReceivingLink(link) }

    /// Tries what the session keeps: newest chain first, each up to where it stands now.
    func reread(_ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher) -> Bool {
        guard let kept else { return false }
        for chain in kept.chains.reversed() {
            if chain.number == live.link.skipped.chain {
                let found = live.link.conversation?.rereads(&symbols, with: chain, &cipher)
                if found == true { return true }
            } else if let end = live.skipped.retired.first(where: { $0.number == chain.number }) {
                if chain.opens(&symbols, upTo: end.chain, &cipher) { return true }
            }
        }
        return kept.messages.contains { $0.key.opensAgain(&symbols, &cipher) }
    }
}
