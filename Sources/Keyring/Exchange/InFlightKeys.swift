/// The keys in flight of other processes: message keys that were committed, but whose ciphertexts have not
/// been written yet.
///
/// The ciphertexts of a process that died may be lost. The keys of such a process count until a later
/// message to that contact is written, because this message moves the contact's receiving chain past the
/// lost keys.
struct InFlightKeys {
    /// The number of keys that running processes have in flight, by contact.
    private(set) var ofLiveProcesses: [Int64: Int] = [:]
    private(set) var ofDeadProcesses: [(process: String, keys: [Int64: Int])] = []

    /// Adds the keys of a process.
    mutating func add(_ keys: [Int64: Int], of process: String, isAlive: Bool) {
        if isAlive {
            for (contact, count) in keys { ofLiveProcesses[contact, default: 0] += count }
        } else {
            ofDeadProcesses.append((process, keys))
        }
    }

    /// Returns the number of message keys of a contact that this process may have in flight.
    ///
    /// The result is 0 if other processes already use all keys that may be in flight. If only dead
    /// processes hold keys, the result is at least 1, so that messages can still be sent to the contact.
    func room(for contact: Int64) -> Int {
        let live = ofLiveProcesses[contact] ?? 0
        let dead = ofDeadProcesses.reduce(0) { $0 + ($1.keys[contact] ?? 0) }
        let room = Sending.maximumKeysInFlight - live - dead
        return live > 0 ? max(0, room) : max(1, room)
    }
}
