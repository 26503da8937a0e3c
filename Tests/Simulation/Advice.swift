import Keyring
import Support

/// An action that a message of a tool asks the user to take. The simulated people use no other information
/// about recovery.
enum Advice: CaseIterable {
    case adopt, newKeys, newOffers, far, offers, keys, verify

    /// Text by which each piece of advice is recognised in diagnostics and notices. The first match
    /// counts.
    static let table: [(words: String, advice: Advice?)] = [
        ("so this file was restored from a copy; run 'smsenc-keyring adopt --restored'", .adopt),
        ("if you moved it after its last use", .adopt),
        ("if no other copy of this machine or its disk is in use", .adopt),
        ("both run smsenc-keyring resync --new, and enter the new keys", .newKeys),
        ("both run smsenc-keyring offer --new, and accept the new offers", .newOffers),
        ("exchange new offers through another channel", .newOffers),
        ("contains an invalid key, so it may not be from", .newOffers),
        (", try --far", .far),
        ("is pending, so enter the offer of", .offers),
        ("not synchronised yet; enter the offer of", .offers),
        ("; enter the sync key of", .keys),
        ("begin with smsenc-keyring resync", .keys),
        ("create one with smsenc-keyring resync", .keys),
        ("synchronise again with smsenc-keyring resync", .keys),
        ("both run smsenc-keyring resync", .keys),
        ("compare codes with smsenc-keyring verify", .verify),
        ("until you enter the new sync key or offer of", nil),
        // After these messages, the user has nothing to do, or the simulation does it anyway.
        ("; enter the sync key that", nil),
        ("; enter the offer that", nil),
        ("; enter the code that", nil),
        ("must also compare your code", nil),
        ("compare both codes by voice before you write anything", nil),
        ("there is nothing to cancel", nil),
        ("check the contact with smsenc-keyring show", nil),
        ("you have already read this message", nil),
        ("must be decrypted again first", nil),
        ("is being moved to", nil),
        ("it is probably not encrypted", nil),
        ("lost messages in a row", nil),
        ("have not arrived", nil),
    ]

    /// Returns the advice that a message of a tool contains, if any.
    ///
    /// - Throws: `Violation` if the message is not in the table.
    static func given(by line: String) throws -> Advice? {
        guard let row = table.first(where: { line.contains($0.words) }) else {
            throw Violation(.advice, "nobody knows what to do about: \(line)")
        }
        return row.advice
    }
}

/// Simulates recovery. Two people write to each other. If that fails, they do only what the tools advise.
extension World {
    /// Lets two people synchronise again.
    ///
    /// - Throws: `Violation` if they cannot read each other's messages after two rounds.
    func recover(_ one: Persona, _ other: Persona) throws {
        let (wasListening, before) = (isListening, said)
        isListening = true
        defer { (isListening, said) = (wasListening, before) }
        var chance = Generator(seed: state.now.magnitude)
        var done: [String] = []
        for (who, peer) in [(one, other), (other, one)] where state[who, peer] == nil {
            try at(who) { try command(.add(numbered: false), who, peer, &chance) }
            // The name or number belongs to another contact, which keeps it.
            if state[who, peer] == nil { return }
        }
        for round in 0...2 {
            said = []
            if try isInStep(one, other, searchingFar: false, &chance) {
                statistics.recovered += 1
                for contact in [state[one, other], state[other, one]].compactMap({ $0 }) {
                    sayUnverified(contact)
                }
                // Only half of the people compare verification codes.
                let advice = try nextAdvice()
                if let advice, chance.once(in: 2) { try follow(advice, one, other, &chance) }
                return
            }
            guard round < 2 else { break }
            while let advice = try nextAdvice(), done.count < 12 {
                done.append("\(advice)")
                try follow(advice, one, other, &chance)
            }
        }
        let states = [state[one, other], state[other, one]].map { "\($0?.state ?? .waiting)" }
        throw Violation(
            .advice, "\(one) and \(other), who are \(states), did \(done), and are not in step")
    }

    /// Returns the most important advice in the most recent messages.
    private func nextAdvice() throws -> Advice? {
        let found = try said.compactMap(Advice.given)
        said = []
        return Advice.allCases.first { found.contains($0) }
    }

    /// Runs `body` at the present time of a person's machine.
    private func at(_ who: Persona, _ body: () throws -> Void) throws {
        machines[who.person].set(state.now)
        try body()
    }

    /// Sends a message in each direction and returns true if both were read.
    private func isInStep(
        _ one: Persona, _ other: Persona, searchingFar isFar: Bool, _ chance: inout Generator
    ) throws -> Bool {
        var isRead = true
        for (writer, reader) in [(one, other), (other, one)] {
            var out: [SMS] = []
            try at(writer) {
                out = try write(
                    Action.Writing(arriving: 1), from: writer, to: [reader], &chance)
            }
            try at(reader) {
                try read(
                    Action.Reading(searchesFar: isFar), by: reader, from: [writer], &chance)
            }
            isRead = isRead && out.contains { state.printed[$0.serial] != nil }
        }
        return isRead
    }

    private func follow(
        _ advice: Advice, _ one: Persona, _ other: Persona, _ chance: inout Generator
    ) throws {
        let both = [(one, other), (other, one)]
        switch advice {
        case .adopt: break
        case .verify:
            for (who, peer) in both {
                try at(who) { try command(.verify(.right), who, peer, &chance) }
            }
        case .far: _ = try isInStep(one, other, searchingFar: true, &chance)
        case .keys, .newKeys:
            for (who, peer) in both {
                try at(who) {
                    try command(.resync(new: advice == .newKeys), who, peer, &chance)
                }
            }
            for (who, peer) in both {
                try at(who) { try command(.sync(.last), who, peer, &chance) }
            }
        case .offers, .newOffers:
            for (who, peer) in both {
                try at(who) {
                    try command(.offer(new: advice == .newOffers), who, peer, &chance)
                }
                if let offer = state[who, peer]?.ownOffer { state.tell(peer, offer) }
            }
            for (who, peer) in both {
                try at(who) {
                    try command(.accept(.last, force: false), who, peer, &chance)
                }
            }
        }
    }
}
