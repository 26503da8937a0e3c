import Keyring

/// Tries every short history of two people: every action that changes something, in every order. States with
/// the same fingerprint are visited once.
struct Histories {
    private typealias History = [(who: Persona, deed: Deed)]

    /// A history and the state it leads to.
    private struct Situation {
        let history: History
        let scene: Scene
        let machines: [Machine.State]
    }

    private let world: World
    private let start: Situation
    private var met: Set<Fingerprint> = []
    /// States from which recovery was tried already, not counting messages in transit.
    private var mended: Set<Fingerprint> = []
    /// Number of new states for each history length.
    private(set) var counts: [Int] = []
    private var steps = 0

    private static let people = [Persona(person: 0), Persona(person: 1)]

    /// - Parameter beginning: actions at the start of all histories.
    init(after beginning: [(who: Int, deed: Deed)] = []) throws {
        world = try World(
            identities: [1, 1], climates: Climates(seed: 1, areCalm: true), seed: 1,
            isThorough: true)
        for (who, deed) in [(0, .reopen), (1, .reopen)] + beginning {
            try world.perform(Self.step(Persona(person: who), deed, who, world.scene))
        }
        start = Situation(
            history: [], scene: world.scene, machines: world.machines.map { $0.state() })
    }

    private static func step(_ who: Persona, _ deed: Deed, _ salt: Int, _ scene: Scene) -> Step {
        Step(
            time: scene.now + 60, who: who, with: people.filter { $0 != who }, deed: deed,
            salt: UInt64(salt))
    }

    /// Tries all histories of up to `depth` steps. After histories of up to `mending` steps, also checks that
    /// following the tools' advice brings both people back in sync.
    mutating func run(depth: Int, mending: Int) throws {
        var situations = [start]
        met.insert(Fingerprint(start.scene))
        counts = [1]
        try mend(start)
        for length in 1...depth {
            var next: [Situation] = []
            var count = 0
            for situation in situations {
                for (who, deed) in Self.changes(situation.scene) {
                    try put(situation)
                    try perform(who, deed, situation.history)
                    guard met.insert(Fingerprint(world.scene)).inserted else { continue }
                    count += 1
                    guard length < depth || length <= mending else { continue }
                    let new = Situation(
                        history: situation.history + [(who, deed)], scene: world.scene,
                        machines: world.machines.map { $0.state() })
                    if length < depth { next.append(new) }
                    if length <= mending { try mend(new) }
                }
            }
            situations = next
            counts.append(count)
        }
    }

    private mutating func perform(_ who: Persona, _ deed: Deed, _ history: History) throws {
        steps += 1
        do {
            try world.perform(Self.step(who, deed, steps, world.scene))
        } catch let violation as Violation {
            let steps = (history + [(who, deed)]).map {
                "    \(Self.step($0.who, $0.deed, 0, world.scene))"
            }
            throw Violation(
                violation.rule, "\(violation.what), after\n\(steps.joined(separator: "\n"))")
        }
    }

    private func put(_ situation: Situation) throws {
        world.scene = situation.scene
        for (machine, state) in zip(world.machines, situation.machines) { try machine.put(state) }
    }

    /// Checks that following the tools' advice brings both people back in sync from this state.
    private mutating func mend(_ situation: Situation) throws {
        var scene = situation.scene
        scene.post = [:]
        guard mended.insert(Fingerprint(scene)).inserted else { return }
        try put(situation)
        try perform(Self.people[0], .mend, situation.history)
    }

    /// Returns all actions that change something in this state.
    private static func changes(_ scene: Scene) -> [(Persona, Deed)] {
        zip(people, people.reversed()).flatMap { who, peer in
            changes(of: who, peer, scene).map { (who, $0) }
        }
    }

    private static func changes(
        of who: Persona, _ peer: Persona, _ scene: Scene
    ) -> [Deed] {
        var deeds: [Deed] = []
        let post = scene.post[who] ?? []
        if !post.isEmpty { deeds += [.lose, .read(Deed.Reading(most: 1))] }
        guard let contact = scene[who, peer] else { return deeds + [.add(numbered: false)] }
        let somebody = scene.people[who.person]
        let isNew = { (secret: Secret?) in
            secret.map {
                !somebody.keyring.used.contains(.init(secret: $0.serial, isOwn: false))
            } ?? false
        }
        deeds += [.remove, .resync(new: contact.ownKey != nil)]
        deeds.append(.offer(new: contact.ownOffer != nil))
        if contact.pending != .nothing { deeds.append(.cancel) }
        if contact.ownKey != nil, isNew(somebody.told[peer]?.keys.last) {
            deeds.append(.sync(.last))
        }
        if isNew(somebody.told[peer]?.offers.last) { deeds.append(.accept(.last, anyway: true)) }
        if !contact.isLost { deeds.append(.lost) }
        if !contact.isRestored || contact.ownKey != nil || contact.ownOffer != nil {
            deeds.append(.adoptRestored)
        }
        guard let talk = contact.talk else { return deeds }
        if scene[peer, who]?.talk?.agreement === talk.agreement, !contact.isVerified {
            deeds.append(.verify(.right))
        }
        deeds += [.write(Deed.Writing()), .write(Deed.Writing(ending: .died(out: 0)))]
        if post.contains(where: { $0.sms.isPad }) {
            deeds.append(.read(Deed.Reading(most: 1, ending: .died(out: 1))))
        }
        return deeds
    }
}

extension Histories: CustomStringConvertible {
    var description: String {
        let all = counts.reduce(0, +)
        return "\(all) situations, by steps \(counts); \(steps) steps; "
            + "in step again from \(mended.count)"
    }
}

extension SMS {
    fileprivate var isPad: Bool { if case .pad = content { true } else { false } }
}
