import Keyring

/// A hash of the state of two people that does not depend on names and random keys. From two states with
/// the same fingerprint, the same futures are possible.
struct StateFingerprint: Hashable {
    private var words: [Int] = []

    /// Computes the fingerprint of a state with two people who have one identity each.
    init(_ state: WorldState) {
        let people = [Persona(person: 0), Persona(person: 1)]
        var one = Writer(state)
        one.write(people)
        var other = Writer(state)
        other.write(people.reversed())
        words = one.words.lexicographicallyPrecedes(other.words) ? one.words : other.words
    }

    private struct Writer {
        let state: WorldState
        var words: [Int] = []
        private var names: [ObjectIdentifier: Int] = [:]
        /// For each chain, the indices to which the state refers. Only their order matters.
        private var indices: [ObjectIdentifier: [Int]] = [:]

        init(_ state: WorldState) {
            self.state = state
            for sms in state.post.values.flatMap({ $0.map(\.sms) }) {
                if case .pad(let chain, let index, _, _) = sms.content {
                    mark(chain, index + 1 - sms.keys)
                }
            }
            for person in state.people {
                for ratchet in person.keyring.rings.flatMap({ $0.contacts.compactMap(\.ratchet) }) {
                    mark(ratchet.sending.chain, ratchet.sending.next)
                    mark(ratchet.receiving.chain, ratchet.receiving.next)
                }
            }
        }

        private mutating func mark(_ chain: Chain, _ index: Int) {
            indices[ObjectIdentifier(chain), default: []].append(index)
        }

        mutating func write(_ people: [Persona]) {
            for (who, peer) in [(people[0], people[1]), (people[1], people[0])] {
                write(state[who, peer])
                write(state.people[who.person].received[peer], of: who)
                let post = state.post[who] ?? []
                words.append(post.count)
                for delivery in post { write(delivery.sms, state[who, peer]) }
            }
        }

        /// Appends a number for an object. Objects are numbered in the order in which they are first
        /// encountered.
        private mutating func name(_ thing: AnyObject?) {
            guard let thing else { return words.append(-1) }
            let next = names.count
            words.append(names[ObjectIdentifier(thing), default: next])
            names[ObjectIdentifier(thing)] = words.last
        }

        private mutating func write(_ contact: ContactModel?) {
            guard let contact else { return words.append(-2) }
            words.append(ContactState.Status.allCases.firstIndex(of: contact.state) ?? -1)
            words += [contact.method == .offer, contact.isRestored, contact.wasVerifiedOrLost]
                .map { $0 ? 1 : 0 }
            name(contact.ownKey)
            name(contact.ownOffer)
            guard let ratchet = contact.ratchet else { return words.append(-3) }
            write(ratchet.sending.chain, ratchet.sending.next)
            write(ratchet.receiving.chain, ratchet.receiving.next)
            name(ratchet.ownNext)
            name(ratchet.contactNext)
            words.append(ratchet.isPending ? 1 : 0)
        }

        private mutating func write(_ chain: Chain, _ index: Int) {
            name(chain.agreement)
            name(chain)
            name(chain.via)
            let all = Set(indices[ObjectIdentifier(chain)] ?? []).sorted()
            words.append(all.firstIndex(of: index) ?? -1)
        }

        /// Appends the secrets that a person has received and not yet entered.
        private mutating func write(_ received: WorldState.ReceivedSecrets?, of who: Persona) {
            let used = state.people[who.person].keyring.used
            for list in [received?.keys ?? [], received?.offers ?? []] {
                let last = list.last { secret in
                    !used.contains(KeyringModel.Use(secret: secret.serial, isOwn: false))
                }
                name(list.last === last ? last : nil)
            }
        }

        private mutating func write(_ sms: SMS, _ contact: ContactModel?) {
            switch sms.content {
            case .offer(let secret): name(secret)
            case .pad(let chain, let index, _, let next):
                write(chain, index + 1 - sms.keys)
                name(next)
                let isKept = contact?.kept.contains { $0.chain === chain && $0.index == index }
                let isUnwritten = contact?.unwritten.contains { row in
                    row.keys.contains { $0.chain === chain && $0.index == index }
                }
                let isRetired = contact?.retired.contains { $0.chain === chain }
                let isRead = contact?.read.contains(sms.serial)
                for fact in [isKept, isUnwritten, isRetired, isRead] {
                    words.append(fact == true ? 1 : 0)
                }
                words.append(state.printed[sms.serial] == nil ? 0 : 1)
            }
        }
    }
}
