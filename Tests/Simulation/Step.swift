/// An action at a certain time. A history is a list of steps. The random choices within a step depend only
/// on its salt, so omitting one step does not change the other steps.
struct Step {
    /// Correct time in seconds since 1970.
    let time: Int64
    let who: Persona
    /// Contacts that are involved in the action.
    var with: [Persona] = []
    let action: Action
    let salt: UInt64
}

enum Action: Equatable {
    // These are runs of smsenc-keyring.
    case add(numbered: Bool)
    case remove
    case rename
    case resync(new: Bool)
    case cancel
    case markLost
    case sync(SecretChoice)
    case offer(new: Bool)
    case accept(SecretChoice, force: Bool)
    case verify(HeardCode)
    case renewIdentity
    case passwd
    // These are runs of smsenc-pad.
    case write(Writing)
    case read(Reading)
    // These actions change the computer or the files on it.
    case reopen
    case restart
    case export
    case copyFile
    case putBack
    case move
    case loseMachine
    case adoptRestored
    /// The network loses the first waiting SMS, or delivers an SMS again that has already been read.
    case loseSMS
    case redeliver
    // Both people follow the advice of the tools until they can read each other's messages again.
    case followAdvice
    // These are actions of the adversary.
    case copyKeyring
    case forge(Forgery)

    /// The received key or offer that is entered.
    enum SecretChoice: CaseIterable { case last, earlier, own, anothers }

    /// The verification code that the contact reads out.
    enum HeardCode: CaseIterable { case right, wrong, own }

    struct Writing: Equatable {
        var messages = 1
        var kind = Kind.short
        var ending = RunEnding.whole
        /// If set, only this number of the written SMS arrive. They are the last ones.
        var arriving: Int?
        /// If set, only one of these SMS arrives. It is the first SMS whose key is this far ahead of the
        /// recipient's chain.
        var distance: Int?
        /// Actions of another process after the keys are committed and before any output is written.
        var meanwhile: [Action] = []

        enum Kind: CaseIterable { case short, foreign, long }
    }

    struct Reading: Equatable {
        var most = Int.max
        var order = Order.asCame
        var searchesFar = false
        var ending = RunEnding.whole
        /// Actions of another process after the commit and before any output is written.
        var meanwhile: [Action] = []

        enum Order: CaseIterable { case asCame, backwards, shuffled }
    }

    /// The end of a run of smsenc-pad, which is either after all of its output or after some records.
    enum RunEnding: Equatable {
        case whole
        /// Writing failed, because the reader exited or the disk was full.
        case failed(out: Int)
        /// The process was killed or the power failed.
        case died(out: Int)
    }

    enum Forgery: CaseIterable {
        /// The message is encrypted with a stolen key: the next key, a later key, a key that only a far
        /// search finds, or an old key.
        case next, ahead, farAhead, old
        /// An SMS that was sent before is delivered again to its recipient, to somebody else, or to its
        /// sender.
        case repeated, misdirected, reflected
        /// The forgery consists of random symbols, two SMS spliced together, or an offer of the adversary.
        case noise, spliced, offer
    }
}

extension Action {
    /// True if the action affects all contacts of the person.
    var isOfAll: Bool {
        switch self {
        case .putBack, .move, .loseMachine, .adoptRestored, .renewIdentity, .passwd, .export: true
        default: false
        }
    }
}

/// Prints steps as commands of the tools.
extension Step: CustomStringConvertible {
    var description: String {
        "\(who): \(action.words(who, with))"
    }
}

extension Action {
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
            case .markLost: "\(keyring) resync --lost \(names)"
            case .sync(let choice): "\(keyring) sync \(names) <\(choice.words(of: "key", names))"
            case .offer(let new): "\(keyring) offer \(names)\(new ? " --new" : "")"
            case .accept(let choice, let force):
                "\(keyring) accept \(names)\(force ? " --yes" : "") <\(choice.words(of: "offer", names))"
            case .verify(.right): "\(keyring) verify \(names), the code that \(names) reads out"
            case .verify(.wrong): "\(keyring) verify \(names), a wrong code"
            case .verify(.own): "\(keyring) verify \(names), the own code"
            case .renewIdentity: "\(keyring) identity remove \(who), and identity add"
            case .passwd: "\(keyring) passwd"
            case .write(let writing): "smsenc-pad, to \(names): \(writing)"
            case .read(let reading): "smsenc-pad -d, of \(names): \(reading)"
            case .reopen: "\(keyring) unlock"
            case .restart: "restarts the machine; \(keyring) unlock"
            case .export: "\(keyring) export"
            case .copyFile: "copies the keyring's file"
            case .putBack: "puts the copy back; \(keyring) adopt --restored"
            case .move: "moves to another machine; \(keyring) adopt --moved"
            case .loseMachine: "loses the machine; \(keyring) import"
            case .adoptRestored: "\(keyring) adopt --restored"
            case .loseSMS: "the first SMS to \(who) is lost"
            case .redeliver: "an SMS of \(names) that \(who) has read comes once more"
            case .followAdvice: "with \(names): both do what the tools say until they are in sync"
            case .copyKeyring: "the adversary copies the open keyring"
            case .forge(let forgery): "the adversary sends to \(names), as \(who): \(forgery)"
            }
        return meanwhile.reduce(words) { "\($0); meanwhile \($1.words(who, with))" }
    }

    private var meanwhile: [Action] {
        switch self {
        case .write(let writing): writing.meanwhile
        case .read(let reading): reading.meanwhile
        default: []
        }
    }
}

extension Action.SecretChoice {
    fileprivate func words(of kind: String, _ name: String) -> String {
        switch self {
        case .last: "the last \(kind) of \(name)"
        case .earlier: "an earlier \(kind) of \(name)"
        case .own: "the own \(kind)"
        case .anothers: "another's \(kind)"
        }
    }
}

extension Action.Writing: CustomStringConvertible {
    var description: String {
        let count = messages == 1 ? "1 message" : "\(messages) messages"
        let parts = kind == .short ? "" : kind == .long ? " in parts" : " in other reassemblyCheck"
        let end = arriving.map { ", of which the last \($0) arrive" } ?? ""
        let far = distance.map { ", of which the first arrives that is \($0) keys ahead" } ?? ""
        return count + parts + end + far + ending.words
    }
}

extension Action.Reading: CustomStringConvertible {
    var description: String {
        let count = most == .max ? "all that came" : "the first \(most) that came"
        let far = searchesFar ? ", --far" : ""
        return (order == .asCame ? count : "\(count), \(order)") + far + ending.words
    }
}

extension Action.RunEnding {
    fileprivate var words: String {
        switch self {
        case .whole: ""
        case .failed(let out): "; the output fails after \(out)"
        case .died(let out): "; it is killed when \(out) are out"
        }
    }
}
