internal import Crypto
internal import System

/// Message keys that are committed and whose ciphertexts are not written yet, of all processes.
///
/// A row for each process that is writing, sealed: for each contact its id (8) and how many (4).
/// What a process left that has died may be lost; it counts until a later message to that contact
/// is out, which brings the contact past the gap.
struct KeysInFlight {
    private let rows: LinkRows
    /// What other processes have in flight, by contact.
    private var alive: [Int64: Int] = [:]
    private var dead: [Int64: Int] = [:]
    /// The rows of processes that have died.
    private var left: [String: [Int64: Int]] = [:]

    /// Reads what other processes have in flight.
    init(_ rows: LinkRows) throws(KeyringError) {
        self.rows = rows
        let found = try rows.database.statement("SELECT process, record FROM flights")
        while try found.step() {
            let process = found.text(0)
            guard process != rows.mark.text else { continue }
            let flights = try Self.read(found, process, rows)
            if ProcessMark(text: process).isAlive(rows.clocks) {
                alive.merge(flights, uniquingKeysWith: +)
            } else {
                dead.merge(flights, uniquingKeysWith: +)
                left[process] = flights
            }
        }
    }

    /// Message keys of a contact that this process may have in flight; 0 while others have them all.
    /// After a crash there is always one, or nobody could write to the contact any more.
    func room(for contact: Int64) -> Int {
        let others = alive[contact] ?? 0
        let room = Exchange.longestFlight - others - (dead[contact] ?? 0)
        return others > 0 ? max(0, room) : max(1, room)
    }

    /// Records what this process has in flight, instead of what it had.
    func take(_ links: some Collection<OpenLink>) throws(KeyringError) {
        let flights = links.map { ($0.link.contact, $0.keysTaken) }
        try write(Dictionary(uniqueKeysWithValues: flights), of: rows.mark.text)
    }

    /// This process has nothing in flight any more.
    ///
    /// - Parameter passed: contacts to whom a message went out, which brings them past the gaps that dead
    ///   processes left; asked for only where there are any.
    func land(_ passed: @autoclosure () -> Set<Int64>) throws(KeyringError) {
        try write([:], of: rows.mark.text)
        guard !left.isEmpty else { return }
        let passed = passed()
        for (process, flights) in left where flights.keys.contains(where: passed.contains) {
            try write(flights.filter { !passed.contains($0.key) }, of: process)
        }
    }

    private func write(
        _ flights: [Int64: Int], of process: String
    ) throws(KeyringError) {
        let old = try rows.database.statement("SELECT record FROM flights WHERE process = ?")
            .bind(process).first { $0.share(0, Place(flightsOf: process), rows.hash) }
        if let old { rows.ledger.transit.drop(old) }
        guard !flights.isEmpty else {
            return try rows.database.statement("DELETE FROM flights WHERE process = ?")
                .bind(process).run()
        }
        var record = SecretWriter(capacity: 12 * flights.count)
        for (contact, keys) in flights {
            record.put(contact)
            record.put(UInt32(clamping: keys))
        }
        let sealed = try rows.keys.vault.sealer.seal(record.finish(), at: Place(flightsOf: process))
        rows.ledger.transit.put(rows.hash.share(Place(flightsOf: process), sealed))
        try rows.database.statement("REPLACE INTO flights (process, record) VALUES (?, ?)")
            .bind(process).bind(sealed).run()
    }

    private static func read(
        _ row: Statement, _ process: String, _ rows: LinkRows
    ) throws(KeyringError) -> [Int64: Int] {
        var record = SecretReader(
            try row.opened(1, rows.keys.vault.sealer, at: Place(flightsOf: process)))
        var flights: [Int64: Int] = [:]
        while record.remaining > 0 {
            try cryptography { () throws(CryptoError) in
                let contact: Int64 = try record.integer()
                let keys: UInt32 = try record.integer()
                flights[contact, default: 0] += Int(keys)
            }
        }
        return flights
    }
}
