internal import Crypto
internal import System

/// Message keys that are committed and whose ciphertexts are not written yet, of all processes but this.
///
/// A row for each process that is writing, sealed: for each contact its id (8) and how many (4).
/// What a process left that has died may be lost; it counts until a later message to that contact
/// is out, which brings the contact past the gap.
struct Flights {
    /// By contact.
    private var alive: [Int64: Int] = [:]
    private var dead: [Int64: Int] = [:]
    /// The rows of processes that have died.
    private var left: [String: [Int64: Int]] = [:]

    /// Reads what other processes have in flight.
    init(in transaction: Transaction) throws(KeyringError) {
        let (mark, clocks) = (transaction.keyring.mark, transaction.keyring.clocks)
        let cursor = try transaction.rows(.flights)
        while let stored = try cursor.next() {
            let process = stored.row.process
            guard process != mark.text else { continue }
            let flights = try Self.read(stored, transaction.keys.vault)
            if ProcessMark(text: process).isAlive(clocks) {
                for (contact, keys) in flights { alive[contact, default: 0] += keys }
            } else {
                for (contact, keys) in flights { dead[contact, default: 0] += keys }
                left[process] = flights
            }
        }
    }

    /// Message keys of a contact that this process may have in flight; 0 while others have them all. At least
    /// 1 where only dead processes hold keys: else that contact could never be written to again.
    func room(for contact: Int64) -> Int {
        let others = alive[contact] ?? 0
        let room = Sending.longestFlight - others - (dead[contact] ?? 0)
        return others > 0 ? max(0, room) : max(1, room)
    }

    /// Records that this process has nothing in flight any more.
    ///
    /// - Parameter passed: contacts to whom a message went out, which brings them past the gaps that dead
    ///   processes left; asked for only where there are any.
    func land(
        in transaction: Transaction, _ passed: @autoclosure () -> Set<Int64>
    ) throws(KeyringError) {
        try transaction.put([:], inFlightOf: transaction.keyring.mark.text)
        guard !left.isEmpty else { return }
        let passed = passed()
        for (process, flights) in left where flights.keys.contains(where: { passed.contains($0) }) {
            try transaction.put(
                flights.filter { !passed.contains($0.key) }, inFlightOf: process)
        }
    }

    /// What a process has in flight, by its row.
    static func read(
        _ stored: StoredRow, _ vault: borrowing Vault
    ) throws(KeyringError) -> [Int64: Int] {
        try stored.read(vault.sealer) { (record) throws(Broken) in
            var flights: [Int64: Int] = [:]
            while record.remaining > 0 {
                let contact: Int64 = try record.integer()
                flights[contact, default: 0] += Int(clamping: try record.integer() as UInt32)
            }
            return flights
        }
    }
}

extension Transaction {
    /// Records what a process has in flight, instead of what it had.
    func put(_ flights: [Int64: Int], inFlightOf process: String) throws(KeyringError) {
        let row = Row.flights(of: process)
        guard !flights.isEmpty else { return try drop(row) }
        var record = SecretWriter(capacity: 12 * flights.count)
        for (contact, keys) in flights {
            record.put(contact)
            record.put(UInt32(clamping: keys))
        }
        try put(record.finish(), as: row, under: keys.vault.sealer)
    }
}
