import Protocol

/// The complete state of the simulation, except the files of the computers. It is a value type, so that a
/// search can return to an earlier state.
struct WorldState {
    /// Correct time in seconds since 1970.
    var now: Int64
    var people: [PersonState]
    /// SMS in transit or waiting to be read, by the identity of the recipient.
    var post: [Persona: [Delivery]] = [:]
    /// SMS that the network holds back until their keys are about to be displaced by newer keys.
    var held: [Persona: [SMS]] = [:]
    /// Positions of all SMS that were written, by the name of their direction.
    var handedOut: [DirectionName: Set<KeyPosition>] = [:]
    /// SMS that each identity read most recently, by sender, newest first.
    var recent: [Persona: [Persona: [SMS]]] = [:]
    /// Names of the sessions that read SMS, by serial number.
    var sessions: [Int: String] = [:]
    /// Number of times that each SMS was printed, by serial number.
    var printed: [Int: Int] = [:]
    /// Times at which somebody should read messages, because SMS that were held back arrive.
    var alarms: [(time: Int64, who: Persona)] = []

    /// A person's model of the keyring, and received secrets.
    struct PersonState {
        var keyring: KeyringModel
        /// Sync keys and offers received from contacts, newest last.
        var received: [Persona: ReceivedSecrets] = [:]
        var backup: Backup?
        var copy: FileCopy?
        /// Serial numbers of the times when the adversary copied the keyring.
        var copied: [Int] = []
    }

    struct ReceivedSecrets {
        var keys: [Secret] = []
        var offers: [Secret] = []

        static let most = 3
    }

    struct Backup {
        let lines: [[UInt8]]
        let keyring: KeyringModel
        let password: Int
        let fileKeys: [String]
    }

    struct FileCopy {
        let file: [UInt8]
        let keyring: KeyringModel
        /// Count of commits, by which an older copy is recognised.
        let commits: UInt64
        let password: Int
        /// Number of the computer on which the copy was made.
        let machine: Int
    }

    struct Delivery {
        let number: Int
        let sms: SMS
        /// Symbols of the SMS when it arrives. They differ from the symbols that were sent if the SMS was
        /// altered.
        let symbols: [UInt8]
        /// Sender that the SMS appears to have.
        let from: Persona
        let arrival: Int64

        var isAltered: Bool { symbols != sms.symbols }
    }

    subscript(who: Persona, peer: Persona) -> ContactModel? {
        get { people[who.person].keyring.rings[who.identity][peer] }
        set { people[who.person].keyring.rings[who.identity][peer] = newValue }
    }

    mutating func note(_ sms: SMS, readBy who: Persona) {
        let before = recent[who]?[sms.sender] ?? []
        recent[who, default: [:]][sms.sender] = [sms] + before.prefix(ContactModel.mostRead)
    }

    mutating func tell(_ who: Persona, _ secret: Secret) {
        let maker = secret.maker
        var received = people[who.person].received[maker] ?? ReceivedSecrets()
        if secret.kind == .key {
            received.keys = Array(
                (received.keys.filter { $0 !== secret } + [secret]).suffix(ReceivedSecrets.most))
        } else {
            received.offers = Array(
                (received.offers.filter { $0 !== secret } + [secret]).suffix(ReceivedSecrets.most))
        }
        people[who.person].received[maker] = received
    }
}
