/// In which order the messages of a conversation were read, and which therefore had to be: said by hand, from
/// what the manual promises, and without any chain or key.
struct Order {
    /// Where those that were read stand among all keys that their sender took; the last of them.
    private var read: [Int] = []

    /// Keys in a row that may be lost: the manual says more than 120 messages.
    private static let mostLost = 120
    /// Keys in a row before a late message that may be lost, when its sender has gone on to other chains.
    private static let mostLostBeforeLate = 15
    /// Messages that may overtake one, each of which may begin a chain; and the keys of those.
    private static let mostOvertaking = 60
    private static let mostKeysOvertaking = 900
    /// Seconds.
    private static let oldest: Int64 = 29 * 86_400

    mutating func note(_ position: Int) {
        let place = read.lastIndex { $0 < position }.map { $0 + 1 } ?? 0
        read.insert(position, at: place)
        if read.count > 2 * Self.mostOvertaking { read.removeFirst(Self.mostOvertaking) }
    }

    /// True for a message that comes for the first time, unaltered, so many seconds after it was sent.
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
