import CEntropy
import Foundation
import Keyring
import Protocol
import Support
import TestPeople
import System

/// People, their machines, and the network between them. A step is done with the real keyring and on the model
/// of it; then all that must hold is looked at.
///
///     Step, Story       what is done, and who thinks of doing it
///     Truth             keys, agreements, SMS as they are, whoever knows of them
///     ContactModel ...  what a keyring holds of that, as the manual says
///     Machine, Runs     the real keyring on a file system in memory; runs of smsenc-pad, two at once too
///     World+...         each step on both; Network between them; Adversary
///     Order, Holdings, Secrecy, Letters, Mending      what must hold
///     Shrinking         the shortest history that ends as badly
///     Histories         every short one
final class World {
    var scene: Scene
    var machines: [Machine]
    let climates: Climates
    let hash = Derivation()
    var cipher: Cipher
    var letters = Letters()
    var adversary = Adversary()
    var tally = Tally()
    /// What the tools said last, where somebody goes by it.
    var said: [String] = []
    var isListening = false
    /// True to compare all that a keyring holds after each step, not after some.
    let isThorough: Bool
    private var agreements: [[Int]: Agreement] = [:]
    private var serials = 0
    private let seed: UInt64
    private let folder: String

    /// What was done, and how often.
    struct Tally {
        var steps = 0
        var sent = 0
        var read = 0
        var refused = 0
        var compared = 0
        var mended = 0
        var opened = 0
        var joined = 0
        /// Of what was sent, read and refused, in its order.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func digest(_ bytes: [UInt8]) {
            for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }

    /// 2026-01-01.
    static let beginning: Int64 = 1_830_297_600

    /// - Parameter identities: how many each person has.
    init(identities: [Int], climates: Climates, seed: UInt64, isThorough: Bool = false) throws {
        self.climates = climates
        self.isThorough = isThorough
        cipher = Cipher()
        folder = try makeTemporaryFolder(inMemory: true).path
        let folder = folder
        machines = identities.indices.map { Machine("\(Persona(person: $0))", in: folder) }
        scene = Scene(
            now: Self.beginning,
            people: identities.map { Scene.Somebody(keyring: KeyringModel(identities: $0)) })
        self.seed = seed
    }

    deinit {
        machines = []
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Makes a keyring where there is none yet, always the same.
    private func prepare(_ person: Int) throws {
        guard !machines[person].hasKeyring else { return }
        entropy_begin(seed &+ UInt64(person))
        machines[person].set(scene.now)
        try makeKeyring(of: person)
    }

    func makeKeyring(of person: Int) throws {
        let identities = scene.people[person].keyring.rings.count
        try machines[person].makeKeyring()
        for identity in 1..<max(1, identities) {
            try machines[person].keyring().addIdentity(
                KeyringModel.name(identity), KeyringModel.kind(identity))
        }
        scene.people[person].keyring = KeyringModel(identities: identities)
        try keepTime(of: person)
    }

    func serial() -> Int {
        serials += 1
        return serials
    }

    /// What two secrets lead to; the same for both sides.
    func agreement(_ own: Secret, _ theirs: Secret) throws -> Agreement {
        let pair = [own.serial, theirs.serial].sorted()
        if let known = agreements[pair] { return known }
        let made = try Agreement(own, theirs, begun: serial(), hash)
        agreements[pair] = made
        return made
    }

    /// Seconds since 1970 by a person's clock.
    func clock(of person: Int) -> Int64 { scene.now + scene.people[person].clockIsAhead }

    /// The same if their keyring believes it.
    func believedClock(of person: Int) -> Int64? {
        var time = scene.people[person].keyring.time
        return time.now(clock(of: person), boot: machines[person].boot)
    }

    /// A commit that changes nothing but what the keyring knows of time; false for a keyring that was copied.
    @discardableResult
    func keepTime(of person: Int) throws -> Bool {
        do {
            try machines[person].keepTime()
        } catch KeyringError.copy {
            return false
        }
        scene.people[person].keyring.keepTime(clock(of: person), boot: machines[person].boot)
        return true
    }

    /// Does a step.
    ///
    /// - Throws: `Violation`, where something does not hold that must.
    func perform(_ step: Step) throws {
        scene.now = max(scene.now, step.time)
        defer { entropy_end() }
        for person in [step.who] + step.with { try prepare(person.person) }
        entropy_begin(step.salt)
        var chance = Generator(seed: ~step.salt)
        machines[step.who.person].set(clock(of: step.who.person))
        tally.steps += 1
        do {
            if machines[step.who.person].isOpen { try keepTime(of: step.who.person) }
            try perform(step.deed, step.who, step.with, &chance)
        } catch let fault as KeyringError {
            throw Violation(.commands, "unexpectedly \(fault)")
        }
    }

    private func perform(
        _ deed: Deed, _ who: Persona, _ with: [Persona], _ chance: inout Generator
    ) throws {
        let peer = with.first
        switch deed {
        case .write(let writing): try write(writing, from: who, to: with, &chance)
        case .read(let reading): try read(reading, by: who, from: with, &chance)
        case .copied: try copied(who.person)
        case .forge(let forgery): if let peer { try forge(forgery, as: who, to: peer, &chance) }
        case .mend: if let peer { try mend(who, peer) }
        case .again:
            let read = peer.flatMap { scene.recent[who]?[$0] } ?? []
            // One of the last, or about the last that is on record as read.
            let places = [chance.number(below: 8), ContactModel.mostRead - chance.number(below: 2)]
            let place = min(chance.pick(places), read.count - 1)
            if place >= 0 { deliver(read[place], at: scene.now) }
        case .lose: if !(scene.post[who] ?? []).isEmpty { scene.post[who]?.removeFirst() }
        case .reopen, .restart, .turnClock, .export, .copyFile, .putBack, .move, .loseMachine,
            .adoptRestored, .renewIdentity, .passwd:
            try handle(deed, of: who)
        default: if let peer { try command(deed, who, peer, &chance) }
        }
        if deed.isOfAll {
            try compareAll(of: who.person)
        } else if isThorough || chance.once(in: 16) {
            for peer in with { try compare(who, with: peer) }
            try compareRows(of: who.person)
        }
    }

    /// Does something with another process, while what one has begun is under way.
    func beside(
        _ deeds: [Deed], _ who: Persona, _ with: [Persona], _ chance: inout Generator
    ) throws {
        guard !deeds.isEmpty else { return }
        try machines[who.person].beside {
            for deed in deeds { try perform(deed, who, with, &chance) }
        }
    }
}
