/// Where a message stands: the how-manieth chain of its direction, and which key of it.
struct Mark: Hashable {
    let chain: Int
    let key: Int
}

/// What of one direction can be read, told from the limits alone, without any key (smsenc(7),
/// Next keys).
struct Model {
    /// The chain that is being read, and its next key.
    private var chain = 0
    private var next = 0
    /// The next key of each chain retired, oldest first.
    private var retired: [(chain: Int, next: Int)] = []
    /// Keys passed over, first appended first.
    private var kept: [Mark] = []

    private static let window = 128
    private static let retiredWindow = 16
    private static let keptLimit = 1024
    private static let retiredLimit = 64

    enum Reading: Equatable {
        case inTurn
        case late
        case refused
    }

    /// How a message reads that arrives now. `hasOffer`: a next key is out, which the sender may
    /// have used.
    mutating func receive(_ mark: Mark, hasOffer: Bool) -> Reading {
        if mark.chain == chain, (next..<(next + Self.window)).contains(mark.key) {
            pass(from: next, to: mark)
            next = mark.key + 1
            return .inTurn
        }
        if mark.chain == chain + 1, hasOffer, mark.key < Self.window {
            retired.append((chain, next))
            if retired.count > Self.retiredLimit { retired.removeFirst() }
            pass(from: 0, to: mark)
            (chain, next) = (mark.chain, mark.key + 1)
            return .inTurn
        }
        if let index = retired.firstIndex(where: { $0.chain == mark.chain }),
            (retired[index].next..<(retired[index].next + Self.retiredWindow)).contains(mark.key)
        {
            pass(from: retired[index].next, to: mark)
            retired[index].next = mark.key + 1
            return .late
        }
        if let index = kept.firstIndex(of: mark) {
            kept.remove(at: index)
            return .late
        }
        return .refused
    }

    private mutating func pass(from first: Int, to mark: Mark) {
        for key in first..<mark.key { kept.append(Mark(chain: mark.chain, key: key)) }
        kept.removeFirst(max(0, kept.count - Self.keptLimit))
    }

    var chainsRetired: Int { retired.count }
    var keysKept: Int { kept.count }
}
