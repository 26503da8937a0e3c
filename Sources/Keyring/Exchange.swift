internal import Primitives
package import Protocol

/// One commit's worth of enciphering or deciphering: the links it touches, and the state to go back
/// to where output fails (PROTOCOL.md, section 7).
package final class Exchange {
    /// Message keys of a contact that are committed and not yet written, at most; those thrown away
    /// included. A crash so stays within the contact's window of 128.
    package static let longestFlight = 100

    let rows: LinkRows
    private let now: Int64
    /// What other processes have in flight, read when a frame is enciphered.
    private var flights: Flights?
    private var links: [Int64: Link] = [:]

    init(_ keyring: Keyring, _ keys: Keyring.Keys) {
        rows = LinkRows(keyring, keys)
        now = keyring.clocks.wall()
    }

    /// What became of a frame.
    package enum Sending: Equatable {
        case enciphered
        /// The keys that may be in flight are used up: commit, write, and go on.
        case flightFull
        /// Other processes have all keys in flight: wait until they have written.
        case flightElsewhere
        /// There are no keys for this contact, whose state is given.
        case notReady(Link.State)
        case gone
    }

    /// Enciphers a frame for a contact, in place.
    package func encipher(
        _ symbols: inout MutableSpan<UInt8>, for contact: Int64, _ bench: inout Workbench
    ) throws(KeyringError) -> Sending {
        guard let link = try link(contact) else { return .gone }
        guard link.conversation != nil else { return .notReady(link.state) }
        let room = try room(for: contact)
        guard link.keysTaken < room else { return room == 0 ? .flightElsewhere : .flightFull }
        let sent = try link.send(&symbols, limit: room - link.keysTaken, &bench)
        guard sent else { return .flightFull }
        link.sent += 1
        link.unanswered &+= 1
        link.lastUse = now
        return .enciphered
    }

    /// Kept keys in memory, of all contacts.
    private var keptKeys = 0
    private static let mostKeptKeys = 8192

    /// True when so many keys are held, of messages lost or late, that it is time to commit.
    package var isFull: Bool { keptKeys >= Self.mostKeptKeys }

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
        case gone
    }

    /// Deciphers a ciphertext of a contact, in place.
    package func decipher(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64, window: Int,
        _ bench: inout Workbench
    ) throws(KeyringError) -> Receiving {
        guard let link = try link(contact) else { return .gone }
        guard link.conversation != nil else { return .notReady(link.state) }
        let keptBefore = link.archive.kept.count
        defer { keptKeys += max(0, link.archive.kept.count - keptBefore) }
        var arrival = Arrival.inOrder
        if try !link.receiveNext(&symbols, window: window, at: now, &bench) {
            try rows.load(link)
            let again = link.archive.unwritten.count
            guard try link.receiveLate(&symbols, at: now, &bench) else {
                return .refused
            }
            arrival = link.archive.unwritten.count < again ? .again : .late
        }
        link.received += 1
        link.unanswered = 0
        link.lastUse = now
        link.isChanged = true
        return .read(arrival)
    }

    /// Messages sent to a contact since the last answer.
    package func unanswered(_ contact: Int64) -> UInt32 { links[contact]?.unanswered ?? 0 }

    /// True for a contact in step by offers whose codes were not compared.
    package func isUnverified(_ contact: Int64) -> Bool {
        guard let link = links[contact] else { return false }
        return link.hasConversation && link.codes.kind == .offers && !link.isVerified
    }

    /// Message keys of a contact taken so far in this exchange.
    package func keysTaken(_ contact: Int64) -> Int { links[contact]?.keysTaken ?? 0 }

    /// Writes what has changed; true when anything has.
    func save() throws(KeyringError) -> Bool {
        var isChanged = false
        if let flights { try flights.take(inFlight) }
        // In the order of the rows, so that each page of the table is touched once.
        let changed = links.values.filter { $0.isChanged || $0.keysTaken > 0 }
        for link in changed.sorted(by: { $0.contact < $1.contact }) {
            try rows.save(link, at: now)
            try rows.save(stateOf: link)
            isChanged = true
        }
        return isChanged
    }

    /// Records that everything in flight is out.
    func land() throws(KeyringError) {
        try Flights(rows).land(inFlight.keys)
    }

    /// Message keys taken from each contact.
    private var inFlight: [Int64: Int] {
        var taken: [Int64: Int] = [:]
        for link in links.values where link.keysTaken > 0 { taken[link.contact] = link.keysTaken }
        return taken
    }

    private func room(for contact: Int64) throws(KeyringError) -> Int {
        if let flights { return flights.room(for: contact) }
        let read = try Flights(rows)
        flights = read
        return read.room(for: contact)
    }

    private func link(_ contact: Int64) throws(KeyringError) -> Link? {
        if let known = links[contact] { return known }
        guard let link = try rows.link(contact) else { return nil }
        links[contact] = link
        return link
    }

    func known(_ contact: Int64) -> Link? { links[contact] }
}
