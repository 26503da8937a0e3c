internal import Crypto
internal import System

/// The keys in flight of other processes: message keys that are committed while their ciphertexts are not
/// written yet.
///
/// There is one sealed row for each process that is writing. It has for each contact its id (8 bytes) and the
/// number of keys (4 bytes). The ciphertexts of a process that died may be lost. Its keys count until a later
/// message to that contact is written, since that message moves the contact's chain past the gap.
struct InFlightKeys {
    /// Number of keys by contact.
    private var keysOfLiveProcesses: [Int64: Int] = [:]
    private var keysOfDeadProcesses: [Int64: Int] = [:]
    /// The rows of dead processes.
    private var rowsOfDeadProcesses: [String: [Int64: Int]] = [:]

    /// Reads the rows of other processes.
    init(in store: KeyringStore) throws(KeyringError) {
        let (mark, clocks) = (store.keyring.file.mark, store.keyring.clocks)
        let cursor = try store.rows(.flights)
        while let stored = try cursor.next() {
            let process = stored.row.process
            guard process != mark.text else { continue }
            let flights = try Self.read(stored, store.keys.vault)
            if ProcessIdentity(text: process).isAlive(clocks) {
                for (contact, keys) in flights { keysOfLiveProcesses[contact, default: 0] += keys }
            } else {
                for (contact, keys) in flights { keysOfDeadProcesses[contact, default: 0] += keys }
                rowsOfDeadProcesses[process] = flights
            }
        }
    }

    /// Returns the number of message keys of a contact that this process may have in flight.
    ///
    /// The result is 0 while other processes have all keys that may be in flight. If only dead processes hold
    /// keys, the result is at least 1, so that messages can still be sent to the contact.
    func room(for contact: Int64) -> Int {
        let others = keysOfLiveProcesses[contact] ?? 0
        let room = Sending.longestFlight - others - (keysOfDeadProcesses[contact] ?? 0)
        return others > 0 ? max(0, room) : max(1, room)
    }

    /// Records that this process has no keys in flight any more.
    ///
    /// - Parameter passed: contacts to whom a message was written. Keys that dead processes had in flight for
    ///   these contacts no longer count. The closure is evaluated only if there are any.
    func clearInFlight(
        in store: KeyringStore, _ passed: @autoclosure () -> Set<Int64>
    ) throws(KeyringError) {
        try store.put([:], inFlightOf: store.keyring.file.mark.text)
        guard !rowsOfDeadProcesses.isEmpty else { return }
        let passed = passed()
        for (process, flights) in rowsOfDeadProcesses
        where flights.keys.contains(where: { passed.contains($0) }) {
            try store.put(
                flights.filter { !passed.contains($0.key) }, inFlightOf: process)
        }
    }

    /// Reads the row of a process.
    static func read(
        _ stored: StoredRow, _ vault: borrowing MasterKeys
    ) throws(KeyringError) -> [Int64: Int] {
        try stored.read(vault.sealer) { (record) throws(InvalidRecord) in
            var flights: [Int64: Int] = [:]
            while record.remaining > 0 {
                let contact: Int64 = try record.integer()
                flights[contact, default: 0] += Int(clamping: try record.integer() as UInt32)
            }
            return flights
        }
    }
}

extension KeyringStore {
    /// Replaces the row of a process.
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
