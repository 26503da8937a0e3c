/// Decides from the order of reading alone which messages of a conversation must be readable. The limits
/// are the limits that the manual promises, independently of chains and keys.
struct DeliveryGuarantee {
    /// Positions of the messages that were read, in ascending order.
    private var read: [Int] = []

    /// Number of consecutive keys that may be lost. The manual promises that more than 120 messages may be
    /// lost.
    private static let mostLost = 120
    /// Number of consecutive keys that may be lost before a late message, after its sender has begun
    /// another chain.
    private static let mostLostBeforeLate = 15
    /// Number of later messages that may overtake a message, and the number of their keys. Each of these
    /// messages may begin a new chain.
    private static let mostOvertaking = 60
    private static let mostKeysOvertaking = 900

    mutating func note(_ position: Int) {
        let place = read.lastIndex { $0 < position }.map { $0 + 1 } ?? 0
        read.insert(position, at: place)
        if read.count > 2 * Self.mostOvertaking { read.removeFirst(Self.mostOvertaking) }
    }

    /// Returns true if an unaltered message must be readable when it first arrives.
    func promises(_ position: Int) -> Bool {
        let last = read.last ?? 0
        if position > last { return position - last <= Self.mostLost }
        let before = read.last { $0 < position }
        guard let before = before ?? (read.count < Self.mostOvertaking ? 0 : nil) else {
            return false
        }
        let overtaking = read.count { $0 > position }
        return position - before <= Self.mostLostBeforeLate && overtaking <= Self.mostOvertaking
            && last - position <= Self.mostKeysOvertaking
    }
}
