/// What somebody does at some time. A history is a list of these and nothing else: what happens by chance within
/// one follows from its salt, so that steps can be left out of a history and the others stay what they were.
struct Step {
    /// Seconds since 1970, by a clock that is right.
    let time: Int64
    let who: Persona
    /// Whom it is about.
    var with: [Persona] = []
    let deed: Deed
    let salt: UInt64
}

enum Deed: Equatable {
    // What smsenc-keyring does.
    case add(numbered: Bool)
    case remove
    case rename
    case resync(new: Bool)
    case cancel
    case lost
    case sync(Choice)
    case offer(new: Bool)
    case accept(Choice, anyway: Bool)
    case verify(Hearing)
    case renewIdentity
    case passwd
    // What smsenc-pad does.
    case write(Writing)
    case read(Reading)
    // What happens to machines.
    case reopen
    case restart
    case turnClock(Int64)
    case export
    case copyFile
    case putBack
    case move
    case loseMachine
    case adoptRestored
    /// The network loses what has come first, or delivers once more what was read before.
    case lose
    case again
    // Both do what the tools say until they are in step.
    case mend
    // What somebody on the way does.
    case copied
    case forge(Forgery)

    /// Which of the keys or offers that were given.
    enum Choice: CaseIterable { case last, earlier, own, anothers }

    /// What is heard of the contact's code.
    enum Hearing: CaseIterable { case right, wrong, own }

    struct Writing: Equatable {
        var messages = 1
        var kind = Kind.short
        var ending = Ending.whole
        /// Of the SMS that get out, only the last so many arrive.
        var arriving: Int?
        /// Of those only one arrives, the first that is so many keys ahead of what was read.
        var distance: Int?
        /// What another process does when keys are taken, and nothing is out.
        var meanwhile: [Deed] = []

        enum Kind: CaseIterable { case short, foreign, long }
    }

    struct Reading: Equatable {
        var most = Int.max
        var order = Order.asCame
        var searchesFar = false
        var ending = Ending.whole
        /// What another process does when this is durable, and nothing is out.
        var meanwhile: [Deed] = []

        enum Order: CaseIterable { case asCame, backwards, shuffled }
    }

    /// How a run of smsenc-pad ends: all of its output is out, or so many records of it.
    enum Ending: Equatable {
        case whole
        /// The reader went away, or the disk was full.
        case failed(out: Int)
        /// The process was killed, or the power failed.
        case died(out: Int)
    }

    enum Forgery: CaseIterable {
        /// With a key that he has: the next, one further on, one that only a far search finds, an old one.
        case next, ahead, farAhead, old
        /// What was sent before comes once more: to whom it was for, to another, to its sender.
        case repeated, misdirected, reflected
        /// Symbols at random; two SMS cut and joined; an offer of his own.
        case noise, spliced, offer
    }
}

extension Deed {
    /// True where all contacts of somebody are another thing afterwards.
    var isOfAll: Bool {
        switch self {
        case .putBack, .move, .loseMachine, .adoptRestored, .renewIdentity, .passwd, .export: true
        default: false
        }
    }
}

/// A history in words of the tools.
extension Step: CustomStringConvertible {
    var description: String {
        "\(who): \(deed.words(who, with))"
    }
}

extension Deed {
    fileprivate func words(_ who: Persona, _ with: [Persona]) -> String {
        let names = with.map(\.description).joined(separator: ", ")
        let keyring = "smsenc-keyring"
        let words: String =
            switch self {
            case .add(let numbered):
                "\(keyring) add \(names)\(numbered ? " --number \(with.first?.number ?? "")" : "")"
            case .remove: "\(keyring) remove \(names)"
            case .rename: "\(keyring) edit \(names) --name ANOTHER"
            case .resync(let new): "\(keyring) resync \(names)\(new ? " --new" : "")"
            case .cancel: "\(keyring) resync \(names) --cancel"
            case .lost: "\(keyring) resync --lost \(names)"
            case .sync(let choice): "\(keyring) sync \(names) <\(choice.words(of: "key", names))"
            case .offer(let new): "\(keyring) offer \(names)\(new ? " --new" : "")"
            case .accept(let choice, let anyway):
                "\(keyring) accept \(names)\(anyway ? " --yes" : "") <\(choice.words(of: "offer", names))"
            case .verify(.right): "\(keyring) verify \(names), the code that \(names) reads out"
            case .verify(.wrong): "\(keyring) verify \(names), a wrong code"
            case .verify(.own): "\(keyring) verify \(names), the own code"
            case .renewIdentity: "\(keyring) identity remove \(who), and identity add"
            case .passwd: "\(keyring) passwd"
            case .write(let writing): "smsenc-pad, to \(names): \(writing)"
            case .read(let reading): "smsenc-pad -d, of \(names): \(reading)"
            case .reopen: "\(keyring) unlock"
            case .restart: "restarts the machine; \(keyring) unlock"
            case .turnClock(let seconds): "turns the clock by \(seconds) s"
            case .export: "\(keyring) export"
            case .copyFile: "copies the keyring's file"
            case .putBack: "puts the copy back; \(keyring) adopt --restored"
            case .move: "moves to another machine; \(keyring) adopt --moved"
            case .loseMachine: "loses the machine; \(keyring) import"
            case .adoptRestored: "\(keyring) adopt --restored"
            case .lose: "the first SMS to \(who) is lost"
            case .again: "an SMS of \(names) that \(who) has read comes once more"
            case .mend: "with \(names): both do what the tools say until they are in step"
            case .copied: "the adversary copies the open keyring"
            case .forge(let forgery): "the adversary sends to \(names), as \(who): \(forgery)"
            }
        return meanwhile.reduce(words) { "\($0); meanwhile \($1.words(who, with))" }
    }

    private var meanwhile: [Deed] {
        switch self {
        case .write(let writing): writing.meanwhile
        case .read(let reading): reading.meanwhile
        default: []
        }
    }
}

extension Deed.Choice {
    fileprivate func words(of kind: String, _ name: String) -> String {
        switch self {
        case .last: "the last \(kind) of \(name)"
        case .earlier: "an earlier \(kind) of \(name)"
        case .own: "the own \(kind)"
        case .anothers: "another's \(kind)"
        }
    }
}

extension Deed.Writing: CustomStringConvertible {
    var description: String {
        let count = messages == 1 ? "1 message" : "\(messages) messages"
        let parts = kind == .short ? "" : kind == .long ? " in parts" : " in other letters"
        let end = arriving.map { ", of which the last \($0) arrive" } ?? ""
        let far = distance.map { ", of which the first arrives that is \($0) keys ahead" } ?? ""
        return count + parts + end + far + ending.words
    }
}

extension Deed.Reading: CustomStringConvertible {
    var description: String {
        let count = most == .max ? "all that came" : "the first \(most) that came"
        let far = searchesFar ? ", --far" : ""
        return (order == .asCame ? count : "\(count), \(order)") + far + ending.words
    }
}

extension Deed.Ending {
    fileprivate var words: String {
        switch self {
        case .whole: ""
        case .failed(let out): "; the output fails after \(out)"
        case .died(let out): "; it is killed when \(out) are out"
        }
    }
}
