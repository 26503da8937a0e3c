import Keyring

/// Tries every short history of two people, which consists of every action that changes something, in
/// every order. States with the same fingerprint are visited only once.
struct ExhaustiveSearch {
    private typealias History = [(who: Persona, action: Action)]

    /// A history, and the state to which it leads.
    private struct Situation {
        let history: History
        let state: WorldState
        let machines: [Machine.State]
    }

    private let world: World
    private let start: Situation
    private var met: Set<StateFingerprint> = []
    /// States from which recovery has already been tried, without the messages in transit.
    private var recovered: Set<StateFingerprint> = []
    /// Number of new states for each length of the history.
    private(set) var counts: [Int] = []
    private var steps = 0

    private static let people = [Persona(person: 0), Persona(person: 1)]

    /// Starts a search.
    ///
    /// - Parameter beginning: actions with which all histories begin.
    init(after beginning: [(who: Int, action: Action)] = []) throws {
        world = try World(
            identities: [1, 1], network: Network(seed: 1, isPerfect: true), seed: 1,
            isThorough: true)
        for (who, action) in [(0, .reopen), (1, .reopen)] + beginning {
            try world.perform(Self.step(Persona(person: who), action, who, world.state))
        }
        start = Situation(
            history: [], state: world.state, machines: world.machines.map { $0.state() })
    }

    private static func step(_ who: Persona, _ action: Action, _ salt: Int, _ state: WorldState)
        -> Step
    {
        Step(
            time: state.now + 60, who: who, with: people.filter { $0 != who }, action: action,
            salt: UInt64(salt))
    }

    /// Tries all histories of up to `depth` steps. After each history of up to `recoveryDepth` steps, also
    /// checks that both people can read each other's messages again if they follow the advice of the
    /// tools.
    mutating func run(depth: Int, recoveryDepth: Int) throws {
        var situations = [start]
        met.insert(StateFingerprint(start.state))
        counts = [1]
        try recover(start)
        for length in 1...depth {
            var next: [Situation] = []
            var count = 0
            for situation in situations {
                for (who, action) in Self.changes(situation.state) {
                    try put(situation)
                    try perform(who, action, situation.history)
                    guard met.insert(StateFingerprint(world.state)).inserted else { continue }
                    count += 1
                    guard length < depth || length <= recoveryDepth else { continue }
                    let new = Situation(
                        history: situation.history + [(who, action)], state: world.state,
                        machines: world.machines.map { $0.state() })
                    if length < depth { next.append(new) }
                    if length <= recoveryDepth { try recover(new) }
                }
            }
            situations = next
            counts.append(count)
        }
    }

    private mutating func perform(_ who: Persona, _ action: Action, _ history: History) throws {
        steps += 1
        do {
            try world.perform(Self.step(who, action, steps, world.state))
        } catch let violation as Violation {
            let steps = (history + [(who, action)]).map {
                "    \(Self.step($0.who, $0.action, 0, world.state))"
            }
            throw Violation(
                violation.rule, "\(violation.what), after\n\(steps.joined(separator: "\n"))")
        }
    }

    private func put(_ situation: Situation) throws {
        world.state = situation.state
        for (machine, state) in zip(world.machines, situation.machines) { try machine.put(state) }
    }

    /// Checks that both people can read each other's messages again if they follow the advice of the tools
    /// from this state.
    private mutating func recover(_ situation: Situation) throws {
        var state = situation.state
        state.post = [:]
        guard recovered.insert(StateFingerprint(state)).inserted else { return }
        try put(situation)
        try perform(Self.people[0], .followAdvice, situation.history)
    }

    /// Returns all actions that change something in this state.
    private static func changes(_ state: WorldState) -> [(Persona, Action)] {
        zip(people, people.reversed()).flatMap { who, peer in
            changes(of: who, peer, state).map { (who, $0) }
        }
    }

    private static func changes(
        of who: Persona, _ peer: Persona, _ state: WorldState
    ) -> [Action] {
        var actions: [Action] = []
        let post = state.post[who] ?? []
        if !post.isEmpty { actions += [.loseSMS, .read(Action.Reading(most: 1))] }
        guard let contact = state[who, peer] else { return actions + [.add(numbered: false)] }
        let person = state.people[who.person]
        let isNew = { (secret: Secret?) in
            secret.map {
                !person.keyring.used.contains(.init(secret: $0.serial, isOwn: false))
            } ?? false
        }
        actions += [.remove, .resync(new: contact.ownKey != nil)]
        actions.append(.offer(new: contact.ownOffer != nil))
        if contact.pending != .nothing { actions.append(.cancel) }
        if contact.ownKey != nil, isNew(person.received[peer]?.keys.last) {
            actions.append(.sync(.last))
        }
        if isNew(person.received[peer]?.offers.last) {
            actions.append(.accept(.last, force: true))
        }
        if !contact.isLost { actions.append(.markLost) }
        if !contact.isRestored || contact.ownKey != nil || contact.ownOffer != nil {
            actions.append(.adoptRestored)
        }
        guard let ratchet = contact.ratchet else { return actions }
        if state[peer, who]?.ratchet?.agreement === ratchet.agreement, !contact.isVerified {
            actions.append(.verify(.right))
        }
        actions += [.write(Action.Writing()), .write(Action.Writing(ending: .died(out: 0)))]
        if post.contains(where: { $0.sms.isPad }) {
            actions.append(.read(Action.Reading(most: 1, ending: .died(out: 1))))
        }
        return actions
    }
}

extension ExhaustiveSearch: CustomStringConvertible {
    var description: String {
        let all = counts.reduce(0, +)
        return "\(all) situations, by steps \(counts); \(steps) steps; "
            + "in step again from \(recovered.count)"
    }
}

extension SMS {
    fileprivate var isPad: Bool { if case .pad = content { true } else { false } }
}
