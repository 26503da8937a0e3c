import Support

/// Generates the random steps of a simulation from a seed. The choices depend on the current state, so
/// that limits are sometimes reached without being exceeded.
struct StepGenerator {
    private var chance: Generator
    /// Pairs of identities that write to each other.
    private var friends: [(Persona, Persona)] = []
    /// Steps that follow next, one after the other.
    private var plan: [(who: Persona, with: [Persona], action: Action)] = []
    private var alarms: [(time: Int64, who: Persona)] = []
    private var alarmsSeen = 0
    private let meanPause: Int

    init(seed: UInt64, identities: [Int]) {
        chance = Generator(seed: seed &* 3)
        let stepsInADay = chance.pick([6, 6, 2, 1])
        meanPause = 86_400 / (stepsInADay * identities.count)
        for one in identities.indices {
            for other in identities.indices.dropFirst(one + 1) {
                let isNext = other == one + 1
                guard isNext || chance.number(below: identities.count) < 5 else { continue }
                for _ in 0...(chance.once(in: 3) ? 1 : 0) {
                    friends.append(
                        (
                            Persona(person: one, identity: pick(identities[one])),
                            Persona(person: other, identity: pick(identities[other]))
                        ))
                }
            }
        }
    }

    /// Chooses an identity, which in most cases is the first.
    private mutating func pick(_ count: Int) -> Int {
        chance.once(in: 3) ? chance.number(below: count) : 0
    }

    mutating func next(_ state: WorldState) -> Step {
        let salt = chance.next()
        if !plan.isEmpty {
            let (who, with, action) = plan.removeFirst()
            let time = state.now + Int64(1 + chance.number(below: 60))
            return Step(time: time, who: who, with: with, action: action, salt: salt)
        }
        let time = state.now + Int64(chance.number(below: 2 * meanPause) + 1)
        if let alarm = nextAlarm(of: state, before: time) {
            let peers = contacts(of: alarm.who, state)
            let action = Action.read(Action.Reading())
            return Step(time: alarm.time, who: alarm.who, with: peers, action: action, salt: salt)
        }
        let pair = chance.pick(friends)
        let (who, peer) = chance.once(in: 2) ? pair : (pair.1, pair.0)
        var step = (who: who, with: [peer], action: Action.reopen)
        guard let contact = state[who, peer] else {
            let action = Action.add(numbered: chance.once(in: 3))
            return Step(time: time, who: who, with: [peer], action: action, salt: salt)
        }
        let isInStep =
            contact.ratchet != nil
            && state[peer, who]?.ratchet?.agreement === contact.ratchet?.agreement
        step.action =
            isInStep ? actionInSync(who, peer, state, &step.with) : actionOutOfSync(who, peer)
        return Step(time: time, who: step.who, with: step.with, action: step.action, salt: salt)
    }

    private func contacts(of who: Persona, _ state: WorldState) -> [Persona] {
        state.people[who.person].keyring.rings[who.identity].contacts.map(\.peer)
    }

    private mutating func nextAlarm(
        of state: WorldState, before time: Int64
    ) -> (time: Int64, who: Persona)? {
        alarms += state.alarms[alarmsSeen...]
        alarmsSeen = state.alarms.count
        let places = alarms.indices.filter { alarms[$0].time < time }
        guard let place = places.min(by: { alarms[$0].time < alarms[$1].time }) else { return nil }
        return alarms.remove(at: place)
    }

    /// Chooses an action for two people who can read each other's messages.
    private mutating func actionInSync(
        _ who: Persona, _ peer: Persona, _ state: WorldState, _ with: inout [Persona]
    ) -> Action {
        let others = contacts(of: who, state)
        switch chance.number(below: 100) {
        case ..<38:
            if chance.once(in: 8) { with = Array(others.prefix(3)) }
            return .write(addingInterference(writing()))
        case ..<74:
            if chance.once(in: 4) { with = others }
            return .read(addingInterference(reading()))
        case ..<77: return .verify(chance.pick([.right, .right, .right, .wrong, .own]))
        case ..<81: return planSequence(for: who, peer)
        case ..<84: return aboutKeys()
        case ..<87: return .write(addingInterference(broken(writing())))
        case ..<91: return .read(addingInterference(broken(reading())))
        case ..<95: return chance.once(in: 4) ? .copyKeyring : forging(as: who, to: peer)
        case ..<96: return .redeliver
        default: return aboutTheMachine(of: who, peer)
        }
    }

    private mutating func actionOutOfSync(_ who: Persona, _ peer: Persona) -> Action {
        switch chance.number(below: 100) {
        case ..<25: .followAdvice
        case ..<70: aboutKeys()
        case ..<76: .write(Action.Writing())
        case ..<92: .read(reading())
        case ..<96: .verify(chance.pick(Action.HeardCode.allCases))
        default: aboutTheMachine(of: who, peer)
        }
    }

    private mutating func aboutKeys() -> Action {
        let choices: [Action.SecretChoice] = [
            .last, .last, .last, .last, .earlier, .own, .anothers,
        ]
        return switch chance.number(below: 13) {
        case 12: .markLost
        case ..<2: .resync(new: chance.once(in: 3))
        case ..<5: .sync(chance.pick(choices))
        case ..<7: .offer(new: chance.once(in: 3))
        case ..<10: .accept(chance.pick(choices), force: chance.once(in: 2))
        case 10: .cancel
        default: .followAdvice
        }
    }

    private mutating func aboutTheMachine(of who: Persona, _ peer: Persona) -> Action {
        switch chance.number(below: 23) {
        case ..<7: return .reopen
        case ..<10: return .restart
        case ..<13: return .export
        case ..<16: return .copyFile
        case ..<18: return .rename
        case 18:
            if chance.once(in: 3) { return .putBack }
            // The keyring must recognise SMS that were read before the rollback.
            plan += [(who, [peer], .write(Action.Writing())), (who, [peer], .putBack)]
            plan += [(who, [peer], .followAdvice), (who, [peer], .redeliver)]
            plan.append((who, [peer], .read(Action.Reading())))
            return .copyFile
        case 19: return .move
        case 20:
            if chance.once(in: 3) { return .loseMachine }
            // The keyring must recognise keys and offers that were entered before the restore.
            plan += [(who, [peer], .loseMachine), (who, [peer], .resync(new: true))]
            plan += [(who, [peer], .sync(.last)), (who, [peer], .accept(.last, force: true))]
            plan.append((who, [peer], .followAdvice))
            return .export
        case 21: return chance.once(in: 2) ? .renewIdentity : .passwd
        default: return .remove
        }
    }

    private mutating func writing() -> Action.Writing {
        var writing = Action.Writing()
        writing.messages = chance.pick([1, 1, 1, 1, 2, 2, 3, 5, 8, 12, 20])
        writing.kind = chance.pick([.short, .short, .short, .short, .foreign, .long])
        if writing.kind == .long { writing.messages = min(3, writing.messages) }
        if chance.once(in: 60) {
            // These numbers are near the number of consecutive messages that may be lost, or that may be
            // in flight at once.
            writing = Action.Writing(messages: chance.pick([9, 17, 99, 101, 122, 130, 132, 134]))
            if writing.messages < 128 {
                writing.arriving = chance.pick([1, 2, 3])
            } else {
                writing.distance = chance.pick([126, 127, 127, 128])
            }
        }
        return writing
    }

    private mutating func reading() -> Action.Reading {
        var reading = Action.Reading()
        if chance.once(in: 4) { reading.most = 1 + chance.number(below: 8) }
        reading.order = chance.pick([.asCame, .asCame, .asCame, .backwards, .shuffled])
        reading.searchesFar = chance.once(in: 40)
        return reading
    }

    private mutating func broken(_ writing: Action.Writing) -> Action.Writing {
        var writing = writing
        writing.ending = ending(of: writing.messages)
        return writing
    }

    private mutating func broken(_ reading: Action.Reading) -> Action.Reading {
        var reading = reading
        reading.ending = ending(of: 6)
        return reading
    }

    private mutating func addingInterference(_ writing: Action.Writing) -> Action.Writing {
        var writing = writing
        writing.meanwhile = meanwhile(writing.ending)
        return writing
    }

    private mutating func addingInterference(_ reading: Action.Reading) -> Action.Reading {
        var reading = reading
        reading.meanwhile = meanwhile(reading.ending)
        return reading
    }

    /// Chooses what another process does during a run. In many cases it does nothing, but less often if
    /// the run ends early.
    private mutating func meanwhile(_ ending: Action.RunEnding) -> [Action] {
        guard chance.once(in: ending == .whole ? 12 : 3) else { return [] }
        let writing = Action.write(Action.Writing(messages: chance.pick([1, 2, 5])))
        let reading = Action.read(self.reading())
        return chance.pick([
            [writing], [writing], [reading], [reading, writing], [writing, reading], [.rename],
            [.remove, .add(numbered: false)], [.resync(new: true)], [.sync(.last)],
            [.offer(new: true)], [.accept(.last, force: true)],
        ])
    }

    private mutating func ending(of messages: Int) -> Action.RunEnding {
        let out = chance.number(below: messages + 1)
        return chance.once(in: 2) ? .failed(out: out) : .died(out: out)
    }

    private mutating func forging(as who: Persona, to peer: Persona) -> Action {
        let forgery = chance.pick(Action.Forgery.allCases + [.farAhead])
        let reading = Action.Reading(searchesFar: forgery == .farAhead)
        switch forgery {
        case .ahead, .farAhead: plan.append((peer, [who], .read(reading)))
        case .offer:
            plan += [(peer, [who], .read(reading)), (peer, [who], .accept(.last, force: false))]
        default: break
        }
        return .forge(forgery)
    }

    /// Chooses something that takes several steps. It can be a dialogue, messages of which nearly all are
    /// lost, two people who start a new synchronisation at the same time, or messages after a gap left by
    /// a killed run.
    private mutating func planSequence(for who: Persona, _ peer: Persona) -> Action {
        let read = Action.read(Action.Reading())
        switch chance.number(below: 9) {
        case ..<4:
            let isCertain = chance.once(in: 2)
            for _ in 0..<chance.pick([2, 4, 8, 8, 70]) {
                let writing = Action.write(Action.Writing(arriving: isCertain ? 1 : nil))
                plan += [(who, [peer], writing), (peer, [who], read)]
                plan += [(peer, [who], writing), (who, [peer], read)]
            }
        case ..<6:
            for _ in 0..<chance.pick([1, 1, 1, 9]) {
                let flood = Action.Writing(messages: 118 + chance.number(below: 4), arriving: 1)
                plan += [(who, [peer], .write(flood)), (peer, [who], read)]
            }
        case 6:
            let (mine, theirs): (Action, Action) = chance.pick([
                (.resync(new: true), .offer(new: true)), (.resync(new: true), .resync(new: true)),
                (.offer(new: true), .offer(new: true)),
            ])
            plan += [(who, [peer], mine), (peer, [who], theirs), (who, [peer], read)]
            plan += [(peer, [who], read), (who, [peer], .sync(.last))]
            plan += [(peer, [who], .accept(.last, force: true)), (peer, [who], .sync(.last))]
        case 7:
            let killed = Action.Writing(messages: chance.pick([40, 70, 97]), ending: .died(out: 0))
            let burst = Action.Writing(messages: chance.pick([2, 65]), arriving: 1)
            plan += [(who, [peer], .write(killed)), (who, [peer], .write(burst))]
            plan += [(peer, [who], read)]
        default:
            // Several messages of a chain are read after replies have begun a new chain.
            plan += [(who, [peer], .write(Action.Writing(messages: 20)))]
            plan += [(peer, [who], .read(Action.Reading(most: 1)))]
            plan += [(peer, [who], .write(Action.Writing(arriving: 1))), (who, [peer], read)]
            plan += [(who, [peer], .write(Action.Writing(arriving: 1)))]
            plan += [(peer, [who], .read(Action.Reading(order: .backwards)))]
        }
        return .read(Action.Reading())
    }
}
