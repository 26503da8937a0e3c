/// Decides which messages of a conversation must be readable, from the order of reading alone. The limits are
/// those that the manual promises, independent of chains and keys.
struct DeliveryGuarantee {
    /// Positions of the messages that were read, in ascending order.
    private var read: [Int] = []

    /// Number of consecutive keys that may be lost. The manual promises more than 120 messages.
    private static let mostLost = 120
    /// Number of consecutive keys before a late message that may be lost, after its sender went on to another
    /// chain.
    private static let mostLostBeforeLate = 15
    /// Number of later messages that may overtake a message, each of which may begin a new chain, and the
    /// number of their keys.
    private static let mostOvertaking = 60
    private static let mostKeysOvertaking = 900
    /// In seconds.
    private static let oldest: Int64 = 29 * 86_400

    mutating func note(_ position: Int) {
        let place = read.lastIndex { $0 < position }.map { $0 + 1 } ?? 0
        read.insert(position, at: place)
        if read.count > 2 * Self.mostOvertaking { read.removeFirst(Self.mostOvertaking) }
    }

    /// Returns true if an unaltered message must be readable when it arrives for the first time, `age`
    /// seconds after it was sent.
    func promises(_ position: Int, age: Int64) -> Bool {
        let last = read.last ?? 0
        if position > last { return position - last <= Self.mostLost }
        let before = read.last { $0 < position }
        guard let before = before ?? (read.count < Self.mostOvertaking ? 0 : nil) else {
            return false
        }
        let overtaking = read.count { $0 > position }
        return position - before <= Self.mostLostBeforeLate && overtaking <= Self.mostOvertaking
            && last - position <= Self.mostKeysOvertaking && age <= Self.oldest
    }
}
