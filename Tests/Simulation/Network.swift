import Support

/// The conditions for SMS between two people during one month.
struct NetworkConditions {
    /// Each value n means that one of n SMS is lost, repeated, altered, delivered to or from a wrong
    /// number, held back until its key is about to be displaced, or intercepted by the adversary. The value 0
    /// means that this never happens.
    var losing = 0
    var repeating = 0
    var altering = 0
    var misdirecting = 0
    var holding = 0
    var listening = 0
    /// Maximum delay in seconds of most SMS, and of one SMS in ten.
    var delay: Int64 = 0
    var longDelay: Int64 = 0
}

/// The network conditions between any two people. They are derived from the seed and change every month.
struct Network {
    let seed: UInt64
    /// True for a network that delivers every SMS immediately.
    var isPerfect = false
    /// True if an adversary intercepts SMS, copies keyrings, and forges SMS.
    var hasAdversary = false

    private static let month: Int64 = 30 * 86_400
    private static let delays: [Int64] = [0, 5, 60, 3600, 86_400, 5 * 86_400, 40 * 86_400]

    func conditions(between one: Persona, _ other: Persona, at time: Int64) -> NetworkConditions {
        guard !isPerfect else { return NetworkConditions() }
        let pair = [one, other].sorted()
        let numbers = [pair[0].person, pair[0].identity, pair[1].person, pair[1].identity]
        let salt = numbers.reduce(UInt64(time / Self.month)) { $0 &* 1_000_003 &+ UInt64($1) }
        var chance = Generator(seed: seed ^ salt &* 0x9E37_79B9_7F4A_7C15)
        var conditions = NetworkConditions()
        conditions.losing = chance.pick([0, 0, 40, 10, 3])
        conditions.repeating = chance.pick([0, 20, 8])
        conditions.altering = chance.pick([0, 0, 60])
        conditions.misdirecting = chance.pick([0, 0, 90])
        conditions.holding = chance.pick([0, 12, 6])
        conditions.listening = hasAdversary ? chance.pick([0, 1, 1, 3]) : 0
        conditions.delay = chance.pick(Array(Self.delays.prefix(5)))
        conditions.longDelay = chance.pick(Self.delays)
        return conditions
    }
}

extension World {
    /// Sends an SMS.
    ///
    /// - Parameter arriving: false to lose the SMS, true to deliver it immediately, nil to let the network
    ///   conditions decide.
    func post(_ sms: SMS, arriving: Bool?, _ chance: inout Generator) throws {
        let conditions = network.conditions(between: sms.sender, sms.recipient, at: state.now)
        let happens = { (times: Int, chance: inout Generator) in
            times > 0 && chance.once(in: times)
        }
        if happens(conditions.listening, &chance) { try adversarySees(sms) }
        if let arriving {
            if arriving { deliver(sms, at: state.now) }
            return
        }
        if happens(conditions.losing, &chance) { return }
        if happens(conditions.holding, &chance) {
            state.held[sms.recipient, default: []].append(sms)
            return
        }
        for _ in 0...(happens(conditions.repeating, &chance) ? 1 : 0) {
            let scale = chance.once(in: 10) ? conditions.longDelay : conditions.delay
            let delay = scale == 0 ? 0 : Int64(chance.number(below: Int(scale) + 1))
            if happens(conditions.altering, &chance) {
                deliver(sms, as: altered(sms.symbols, &chance), at: state.now + delay)
            } else if happens(conditions.misdirecting, &chance) {
                misdirect(sms, at: state.now + delay, &chance)
            } else {
                deliver(sms, at: state.now + delay)
            }
        }
    }

    /// Schedules the delivery of an SMS. By default, the SMS is delivered unaltered from its sender to its
    /// recipient.
    func deliver(
        _ sms: SMS, as symbols: [UInt8]? = nil, to recipient: Persona? = nil,
        from sender: Persona? = nil, at arrival: Int64
    ) {
        state.post[recipient ?? sms.recipient, default: []].append(
            WorldState.Delivery(
                number: serial(), sms: sms, symbols: symbols ?? sms.symbols,
                from: sender ?? sms.sender,
                arrival: arrival))
    }

    /// Delivers an SMS to another contact of its sender, or with the number of another contact of its
    /// recipient.
    func misdirect(_ sms: SMS, at arrival: Int64, _ chance: inout Generator) {
        let known = { [state] (who: Persona) in
            state.people[who.person].keyring.rings[who.identity].contacts.map(\.peer)
        }
        let (friends, contacts) = (known(sms.sender), known(sms.recipient))
        if chance.once(in: 2), let other = friends.isEmpty ? nil : chance.pick(friends) {
            deliver(sms, to: other, at: arrival)
        } else if let other = contacts.isEmpty ? nil : chance.pick(contacts) {
            deliver(sms, from: other, at: arrival)
        }
    }

    /// Returns symbols with random transmission errors.
    func altered(_ symbols: [UInt8], _ chance: inout Generator) -> [UInt8] {
        var altered = symbols
        switch chance.number(below: 4) {
        case 0:
            let place = chance.number(below: altered.count)
            altered[place] = UInt8((Int(altered[place]) + 1 + chance.number(below: 124)) % 125)
        case 1: altered.removeLast(1 + chance.number(below: 10))
        case 2:
            let (one, other) = (
                chance.number(below: altered.count), chance.number(below: altered.count)
            )
            altered.swapAt(one, other)
        default:
            for place in chance.number(below: altered.count)..<altered.count {
                altered[place] = UInt8(chance.number(below: 125))
            }
        }
        return altered
    }

    /// Delivers SMS that were held back until their keys are about to be displaced. Some of them are
    /// delivered just before that and others just after.
    func releaseHeld(for who: Persona) {
        guard let held = state.held[who], !held.isEmpty else { return }
        state.held[who] = held.filter { sms in
            guard case .pad(let chain, let index, _, _) = sms.content,
                let contact = state[who, sms.sender], sms.sent > state.now - 50 * 86_400
            else { return false }
            let kept = contact.kept.firstIndex { $0.chain === chain && $0.index == index }
            let retired = contact.retired.firstIndex { $0.chain === chain && $0.next <= index }
            let isCrowded =
                kept.map { contact.kept.count - $0 >= ContactModel.mostKept - 4 }
                ?? retired.map { contact.retired.count - $0 >= ContactModel.mostRetired - 1 }
            guard isCrowded == true else { return true }
            deliver(sms, at: state.now)
            state.alarms.append((state.now, who))
            return false
        }
    }
}
