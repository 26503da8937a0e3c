import CEntropy
import Foundation
import Keyring
import Protocol
import Support
import TestPeople
import System

/// Simulates people, their computers, and the network between them. Each step is executed with the real
/// keyring and with a model of it. Then the rules in `Violation` are checked.
///
/// Files of this folder:
///
///     Step, StepGenerator             actions, and the random choice of the next one
///     ReferenceProtocol               keys, agreements, chains and SMS, derived independently
///     ContactModel, KeyringModel      what a keyring should store according to the manual
///     Machine, Machine+Runs           the real keyring on a file system in memory, and runs of smsenc-pad
///     World+*, Network, Adversary     the execution of steps
///     KeyringComparison, DeliveryGuarantee, Adversary, ReassemblyCheck, Advice       the checks
///     HistoryShrinker                 finds a short history that violates the same rule
///     ExhaustiveSearch                tries all short histories of two people
final class World {
    var state: WorldState
    var machines: [Machine]
    let network: Network
    let hash = Derivation()
    var cipher: Cipher
    var reassemblyCheck = ReassemblyCheck()
    var adversary = Adversary()
    var statistics = Statistics()
    /// Most recent messages of the tools, while somebody listens to their advice.
    var said: [String] = []
    var isListening = false
    /// True to compare the whole keyring with the model after every step. Otherwise, this is done only
    /// after some steps.
    let isThorough: Bool
    private var agreements: [[Int]: Agreement] = [:]
    private var serials = 0
    private let seed: UInt64
    private let folder: String

    /// Statistics of the simulation.
    struct Statistics {
        var steps = 0
        var sent = 0
        var read = 0
        var reread = 0
        var refused = 0
        var compared = 0
        var recovered = 0
        var opened = 0
        var joined = 0
        /// Hash of everything that was sent, read and refused, in order.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func digest(_ bytes: [UInt8]) {
            for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }

    /// Start of the simulation, 2028-01-01.
    static let beginning: Int64 = 1_830_297_600

    /// Creates a world.
    ///
    /// - Parameter identities: the number of identities of each person.
    init(identities: [Int], network: Network, seed: UInt64, isThorough: Bool = false) throws {
        self.network = network
        self.isThorough = isThorough
        cipher = Cipher()
        folder = try makeTemporaryFolder(inMemory: true).path
        let folder = folder
        machines = identities.indices.map { Machine("\(Persona(person: $0))", in: folder) }
        state = WorldState(
            now: Self.beginning,
            people: identities.map { count in
                let ids = [Int64](repeating: 0, count: count)
                return WorldState.PersonState(keyring: KeyringModel(identities: ids))
            })
        self.seed = seed
    }

    deinit {
        machines = []
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Creates a person's keyring if it does not exist. The seed determines the keys.
    private func prepare(_ person: Int) throws {
        guard !machines[person].hasKeyring else { return }
        entropy_begin(seed &+ UInt64(person))
        machines[person].set(state.now)
        try makeKeyring(of: person)
    }

    func makeKeyring(of person: Int) throws {
        let identities = state.people[person].keyring.rings.count
        try machines[person].makeKeyring()
        for identity in 1..<max(1, identities) {
            try machines[person].keyring().addIdentity(
                KeyringModel.name(identity), KeyringModel.kind(identity))
        }
        let ids = try (0..<identities).map { try id(ofIdentity: $0, of: person) }
        state.people[person].keyring = KeyringModel(identities: ids)
    }

    /// Returns the id of an identity in the keyring.
    func id(ofIdentity identity: Int, of person: Int) throws -> Int64 {
        let name = KeyringModel.name(identity)
        guard
            let found = try machines[person].keyring().identities().first(where: { $0.name == name }
            )
        else { throw Violation(.holdings, "there is no identity \(name)") }
        return found.id
    }

    func serial() -> Int {
        serials += 1
        return serials
    }

    /// Returns the agreement of two secrets. Both sides obtain the same object.
    func agreement(_ own: Secret, _ theirs: Secret) throws -> Agreement {
        let pair = [own.serial, theirs.serial].sorted()
        if let known = agreements[pair] { return known }
        let made = try Agreement(own, theirs, begun: serial(), hash)
        agreements[pair] = made
        return made
    }

    /// Executes a step and checks the rules.
    ///
    /// - Throws: `Violation`.
    func perform(_ step: Step) throws {
        state.now = max(state.now, step.time)
        defer { entropy_end() }
        for person in [step.who] + step.with { try prepare(person.person) }
        entropy_begin(step.salt)
        var chance = Generator(seed: ~step.salt)
        machines[step.who.person].set(state.now)
        statistics.steps += 1
        do {
            try perform(step.action, step.who, step.with, &chance)
        } catch let fault as KeyringError {
            throw Violation(.commands, "unexpectedly \(fault)")
        }
    }

    private func perform(
        _ action: Action, _ who: Persona, _ with: [Persona], _ chance: inout Generator
    ) throws {
        let peer = with.first
        switch action {
        case .write(let writing): try write(writing, from: who, to: with, &chance)
        case .read(let reading): try read(reading, by: who, from: with, &chance)
        case .copyKeyring: try stealKeyring(who.person)
        case .forge(let forgery): if let peer { try forge(forgery, as: who, to: peer, &chance) }
        case .followAdvice: if let peer { try recover(who, peer) }
        case .redeliver:
            let read = peer.flatMap { state.recent[who]?[$0] } ?? []
            // Choose one of the most recent SMS, or an SMS near the end of the list of SMS that were read
            // before.
            let places = [chance.number(below: 8), ContactModel.mostRead - chance.number(below: 2)]
            let place = min(chance.pick(places), read.count - 1)
            if place >= 0 { deliver(read[place], at: state.now) }
        case .loseSMS: if !(state.post[who] ?? []).isEmpty { state.post[who]?.removeFirst() }
        case .reopen, .restart, .export, .copyFile, .putBack, .move, .loseMachine,
            .adoptRestored, .renewIdentity, .passwd:
            try handle(action, of: who)
        default: if let peer { try command(action, who, peer, &chance) }
        }
        if action.isOfAll {
            try compareAll(of: who.person)
        } else if isThorough || chance.once(in: 16) {
            for peer in with { try compare(who, with: peer) }
            try compareRecords(of: who.person)
        }
    }

    /// Performs actions as another process, while a run is in the middle of its work.
    func asOtherProcess(
        _ actions: [Action], _ who: Persona, _ with: [Persona], _ chance: inout Generator
    ) throws {
        guard !actions.isEmpty else { return }
        try machines[who.person].asOtherProcess {
            for action in actions { try perform(action, who, with, &chance) }
        }
    }
}
