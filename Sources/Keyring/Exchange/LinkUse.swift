internal import Crypto
internal import Protocol

/// What one exchange has done with a link, until its output is out.
struct LinkUse: ~Copyable {
    let contact: Int64
    /// Message keys taken from the sending chain.
    var keysTaken: Int { Int(taken) }
    private let taken: Int32
    /// The sending chain behind the mixing of the next key, before the first of them.
    let chainAtStart: ChainKey?
    /// Where the keys of the messages deciphered stand in `unwritten`, and how many they are.
    var spent: (number: Int64, count: Int)? { count > 0 ? (number, Int(count)) : nil }
    private let number: Int64
    private let count: Int32

    init(of link: Link) {
        contact = link.contact
        taken = Int32(link.taken)
        chainAtStart = link.chainAtStart.take()
        number = link.spentNumber ?? 0
        count = Int32(link.spentNumber == nil ? 0 : link.spent.count)
    }

    /// The sending chain behind so many message keys; nil when fewer were taken, or as many.
    borrowing func chain(behind keys: Int, _ bench: inout Workbench) -> ChainKey? {
        keys < keysTaken ? chain(after: keys, &bench) : nil
    }

    /// The sending chain as the exchange left it.
    borrowing func chainAtEnd(_ bench: inout Workbench) -> ChainKey? {
        chain(after: keysTaken, &bench)
    }

    private borrowing func chain(after keys: Int, _ bench: inout Workbench) -> ChainKey? {
        switch chainAtStart {
        case .none: return nil
        case .some(let start):
            var chain = start.fork()
            chain.skip(keys, &bench)
            return chain
        }
    }
}
