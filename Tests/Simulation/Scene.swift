/// All that changes as a history goes on, but for the files of the machines: a value, so that one can come back
/// to it.
struct Scene {
    /// By a clock that is right, in seconds since 1970.
    var now: Int64
    var people: [Somebody]
    /// SMS that are on their way or have come, by whom they are delivered to.
    var post: [Persona: [Delivery]] = [:]
    /// SMS that the network keeps until their keys are about to go.
    var held: [Persona: [Held]] = [:]
    /// What each read of another last, newest first.
    var recent: [Persona: [Persona: [SMS]]] = [:]
    /// How often an SMS was printed, by serial.
    var printed: [Int: Int] = [:]
    /// When somebody has reason to read.
    var alarms: [(time: Int64, who: Persona)] = []

    /// A person: what they have, and what they know.
    struct Somebody {
        var keyring: KeyringModel
        /// How much their clock is ahead, and since when.
        var clockIsAhead: Int64 = 0
        var clockTurned: Int64 = 0
        /// What contacts gave them, newest last.
        var told: [Persona: Told] = [:]
        var backup: Backup?
        var copy: FileCopy?
        /// When the adversary copied their keyring.
        var copied: [Int] = []
    }

    struct Told {
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
        let password: Int
        /// On which machine it was made.
        let machine: Int
    }

    struct Delivery {
        let number: Int
        let sms: SMS
        /// As it arrives; another than was sent where it was altered.
        let symbols: [UInt8]
        /// Whose number it seems to come from.
        let from: Persona
        let arrival: Int64

        var isAltered: Bool { symbols != sms.symbols }
    }

    struct Held {
        let sms: SMS
        /// Seconds after its key has been kept for 30 days; nil for the moment when too many others are kept.
        let delay: Int64?
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
        var told = people[who.person].told[maker] ?? Told()
        if secret.kind == .key {
            told.keys = Array((told.keys.filter { $0 !== secret } + [secret]).suffix(Told.most))
        } else {
            told.offers = Array((told.offers.filter { $0 !== secret } + [secret]).suffix(Told.most))
        }
        people[who.person].told[maker] = told
    }
}
