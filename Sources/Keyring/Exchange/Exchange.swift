internal import Crypto
package import Protocol
internal import System

/// One commit's worth of enciphering or deciphering, contact by contact: each link is opened once, and
/// closed behind its messages, so that one of them is in memory at a time (PROTOCOL.md, section 7).
package final class Exchange {
    /// Message keys of a contact that are committed and not yet written, at most; those thrown away
    /// included. A crash so stays within the contact's window of 128.
    package static let longestFlight = 100

    let rows: LinkRows
    private let now: Int64
    /// What other processes have in flight, read when a frame is enciphered.
    private var flights: Flights?
    /// What was done, in the order of closing.
    var uses = OwnedArray<LinkUse>()
    /// Links that were closed ahead of the commit; see `Keyring.prepare`.
    private var prepared: [Link] = []
    var isAhead = false

    init(_ keyring: Keyring, _ keys: Keyring.Keys) {
        rows = LinkRows(keyring, keys)
        now = keyring.clocks.wall()
    }

    /// A contact's link, to be closed before the commit; nil where the contact is gone. Each contact's
    /// is opened once in an exchange.
    package func open(_ contact: Int64) throws(KeyringError) -> Link? { try rows.link(contact) }

    /// What became of a frame.
    package enum Sending: Equatable {
        case enciphered
        /// The keys that may be in flight are used up: commit, write, and go on.
        case flightFull
        /// Other processes have all keys in flight: wait until they have written.
        case flightElsewhere
        /// There are no keys for this contact, whose state is given.
        case notReady(Link.State)
    }

    /// Enciphers a frame for a contact, in place.
    package func encipher(
        _ symbols: inout MutableSpan<UInt8>, with link: Link, _ bench: inout Workbench
    ) throws(KeyringError) -> Sending {
        guard link.hasConversation else { return .notReady(link.state) }
        let room = try room(of: link)
        guard link.taken < room else { return room == 0 ? .flightElsewhere : .flightFull }
        let sent = try link.send(&symbols, limit: room - link.taken, &bench)
        guard sent else { return .flightFull }
        link.counts.sent += 1
        link.counts.unanswered &+= 1
        link.counts.lastUse = now
        return .enciphered
    }

    /// When a message came.
    package enum Arrival: Equatable, Sendable {
        case inOrder
        /// Others that were sent after it came first.
        case late
        /// It was read before, by a process that died while writing it.
        case again
    }

    /// What became of a ciphertext.
    package enum Receiving: Equatable {
        case read(Arrival)
        /// No key fits; nothing has changed.
        case refused
        case notReady(Link.State)
    }

    /// Deciphers a ciphertext of a contact, in place.
    package func decipher(
        _ symbols: inout MutableSpan<UInt8>, with link: Link, window: Int,
        _ bench: inout Workbench
    ) throws(KeyringError) -> Receiving {
        guard link.hasConversation else { return .notReady(link.state) }
        var arrival = Arrival.inOrder
        if try !link.receiveNext(&symbols, window: window, at: now, &bench) {
            try rows.load(link)
            let again = link.archive.unwritten.count
            guard try link.receiveLate(&symbols, at: now, &bench) else {
                return .refused
            }
            arrival = link.archive.unwritten.count < again ? .again : .late
        }
        link.counts.received += 1
        link.counts.unanswered = 0
        link.counts.lastUse = now
        link.isChanged = true
        return .read(arrival)
    }

    /// True when a link holds so many keys, of messages lost or late, that it is time to commit.
    package func isFull(_ link: Link) -> Bool { link.archive.kept.count >= Self.mostKeptKeys }
    private static let mostKeptKeys = 8192

    /// Writes what has changed in a link, once: it is not used after that.
    package func close(_ link: Link) throws(KeyringError) {
        guard link.isChanged || link.taken > 0 else { return }
        if isAhead { return prepared.append(link) }
        try rows.save(link, at: now)
        try rows.save(stateOf: link)
        uses.append(LinkUse(of: link))
    }

    /// Writes what was prepared; false when somebody else has changed what it is built on.
    func savePrepared() throws(KeyringError) -> Bool {
        isAhead = false
        let flights = try Flights(rows)
        self.flights = flights
        for link in prepared {
            guard link.taken <= flights.room(for: link.contact),
                try rows.version(of: link.contact) == link.version
            else { return false }
            try close(link)
        }
        prepared = []
        return true
    }

    /// Writes what is in flight now; true when anything has changed.
    func finish() throws(KeyringError) -> Bool {
        if let flights { try flights.take(uses) }
        return !uses.isEmpty
    }

    /// Records that everything in flight is out.
    func land() throws(KeyringError) {
        try Flights(rows).land(uses)
    }

    /// True when processes that have died left keys in flight, which those of this exchange bring
    /// their contacts past.
    var passesGaps: Bool { flights?.hasGaps ?? false }

    private func room(of link: Link) throws(KeyringError) -> Int {
        if let known = link.room { return known }
        if flights == nil { flights = try Flights(rows) }
        let room = flights?.room(for: link.contact) ?? 0
        link.room = room
        return room
    }
}
