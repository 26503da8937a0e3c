import Crypto
import Support
import System

@testable import Protocol

/// An adversary who intercepts SMS, copies keyrings, and forges SMS.
///
/// The knowledge of the adversary is derived from copied keyrings and intercepted SMS, by the rules of
/// Tests/Proofs (see `Chain`). What the adversary may know according to smsenc-protocol(7) is computed
/// independently, from the times of copying, writing and reading.
struct Adversary {
    /// SMS that the adversary intercepted most recently.
    fileprivate(set) var recorded: [SMS] = []

    private static let most = 256

    fileprivate mutating func record(_ sms: SMS) {
        if recorded.count == Self.most { recorded.removeFirst(Self.most / 2) }
        recorded.append(sms)
    }
}

/// Information that the adversary gains from SMS and copied keyrings.
extension World {
    /// Gives an SMS to the adversary, who decrypts it if possible.
    func adversarySees(_ sms: SMS) throws {
        guard case .pad(let chain, _, _, let next) = sms.content else { return }
        adversary.record(sms)
        if !isClosed(chain) { next.isExposed = true }
        try open(sms)
    }

    private func open(_ sms: SMS) throws {
        guard case .pad(let chain, let index, _, let next) = sms.content,
            chain.isKnown(at: index)
        else { return }
        statistics.opened += 1
        next.isKnown = true
        if let reason = reasonAgainst(opening: sms) {
            throw Violation(
                .secrecy, "an SMS of \(sms.sender) to \(sms.recipient) is open: \(reason)")
        }
        // The adversary may learn a next key after intercepting the SMS, if a later SMS reveals the next
        // key.
        next.isExposed = true
    }

    /// Gives a copy of an open keyring to the adversary. `compareAll` ensures that the keyring stores
    /// nothing that is not in the model.
    func stealKeyring(_ person: Int) throws {
        guard network.hasAdversary else { return }
        try compareAll(of: person)
        for ring in state.people[person].keyring.rings { ring.contacts.forEach(steal) }
        state.people[person].copied.append(serial())
        for sms in adversary.recorded { try open(sms) }
    }

    private func steal(_ contact: ContactModel) {
        contact.ownKey?.isKnown = true
        contact.ownOffer?.isKnown = true
        for key in contact.kept { key.chain.stolen.insert(key.index) }
        for key in contact.unwritten.flatMap(\.keys) { key.chain.stolen.insert(key.index) }
        for retired in contact.retired { retired.chain.learn(from: retired.next, root: false) }
        guard let ratchet = contact.ratchet else { return }
        ratchet.sending.chain.learn(from: ratchet.sending.next, root: true)
        ratchet.receiving.chain.learn(from: ratchet.receiving.next, root: true)
        ratchet.ownNext?.isKnown = true
        ratchet.contactNext?.isKnown = true
    }
}

/// The limits of the adversary's knowledge according to smsenc-protocol(7).
extension World {
    /// Returns the reason why a third party must not be able to decrypt an SMS, or nil if it may be possible.
    private func reasonAgainst(opening sms: SMS) -> String? {
        guard case .pad(let chain, _, _, _) = sms.content else { return nil }
        let agreement = chain.agreement
        if isClosed(chain) { return "a next key was mixed in that nobody else saw" }
        if agreement.isOpen { return nil }
        let copies = { [state] (who: Persona) in
            state.people[who.person].copied.filter { agreement.begun < $0 }
        }
        let isAfter = copies(sms.sender).contains { $0 < sms.serial }
        let isBeforeReading = copies(sms.recipient).contains { $0 < sms.closed ?? .max }
        return isAfter || isBeforeReading ? nil : "no keyring was copied that could open it"
    }

    /// Returns true if the adversary is locked out of a chain. This is the case if a next key was mixed
    /// into the chain, the next key was drawn after a keyring was last copied, and the adversary could not
    /// intercept and decrypt any SMS that contained the next key.
    private func isClosed(_ chain: Chain) -> Bool {
        guard let via = chain.via else { return false }
        let last = chain.agreement.people.flatMap { state.people[$0].copied }.max() ?? 0
        if via.drawn > last, !via.isExposed { return true }
        return chain.parent.map(isClosed) ?? false
    }

    /// Checks that a forged SMS is accepted only if the adversary may have the key of the SMS.
    func mayWrite(_ sms: SMS, to who: Persona) throws {
        guard let reason = reasonAgainst(opening: sms) else { return }
        throw Violation(
            .secrecy, "\(who) reads as \(sms.sender)'s what somebody else wrote: \(reason)")
    }
}

/// Creates forged SMS.
extension World {
    func forge(
        _ forgery: Action.Forgery, as who: Persona, to peer: Persona, _ chance: inout Generator
    ) throws {
        guard network.hasAdversary else { return }
        switch forgery {
        case .next, .ahead, .farAhead, .old: try write(forgery, as: who, to: peer, &chance)
        case .offer:
            let secret = chance.bytes(X25519.size)
            let key = X25519.publicKey(of: SecretBytes(copying: secret.span))
            let offer = Secret(
                .offer, Offer(publicKey: key).text, key, secret: secret, by: who,
                serial: serial())
            offer.isKnown = true
            let text = Array(offer.text.utf8)
            deliver(
                SMS(.offer(offer), text, from: who, to: peer, serial: serial(), at: state.now),
                at: state.now)
        default:
            guard !adversary.recorded.isEmpty else { return }
            let sms = chance.pick(adversary.recorded)
            switch forgery {
            case .repeated: deliver(sms, at: state.now)
            case .misdirected: misdirect(sms, at: state.now, &chance)
            case .reflected:
                deliver(sms, to: sms.sender, from: sms.recipient, at: state.now)
            case .noise:
                let noise = (0..<160).map { _ in UInt8(chance.number(below: 125)) }
                deliver(sms, as: noise, at: state.now)
            default:
                let other = chance.pick(adversary.recorded).symbols
                let place = chance.number(below: 160)
                deliver(sms, as: Array(sms.symbols[..<place] + other[place...]), at: state.now)
            }
        }
    }

    /// Sends a message that is encrypted with a stolen key, if the adversary has stolen one.
    private func write(
        _ forgery: Action.Forgery, as who: Persona, to peer: Persona, _ chance: inout Generator
    ) throws {
        guard let contact = state[peer, who], let ratchet = contact.ratchet else { return }
        var (chain, index) = (ratchet.receiving.chain, ratchet.receiving.next)
        switch forgery {
        case .ahead:
            if let own = ratchet.ownNext, chance.once(in: 2) {
                (chain, index) = (chain.mixing(own), 0)
            }
            index += chance.pick([1 + chance.number(below: 300), 126, 127, 127, 128])
        case .farAhead:
            if let own = ratchet.ownNext, chance.once(in: 2) {
                (chain, index) = (chain.mixing(own), 0)
            }
            index += chance.pick([4094, 4095, 4095, 4096])
        case .old:
            guard let retired = contact.retired.isEmpty ? nil : chance.pick(contact.retired) else {
                return
            }
            (chain, index) = (retired.chain, retired.next + chance.number(below: 18))
        default:
            if let own = ratchet.ownNext, chance.once(in: 2) {
                (chain, index) = (chain.mixing(own), chance.number(below: 3))
            }
        }
        guard chain.isKnown(at: index) else { return }
        let message = try TestMessage.written(.short, serial: serial(), &chance)
        let symbols = (0..<10).map { _ in UInt8(chance.number(below: 125)) }
        let next = NextKey(symbols, drawn: serial())
        (next.isKnown, next.isExposed) = (true, true)
        let whole = Array(message.frames[0][..<150]) + symbols
        while chain.isUnusable(for: whole, at: index, &cipher) { index += 1 }
        var pad = whole
        var span = pad.mutableSpan
        let key = MessageKey(stored: SecretBytes(copying: chain.messageKey(at: index).span))
        _ = key.encrypt(&span, &cipher)
        chain.agreement.isTampered = true
        let sms = SMS(
            .pad(chain, index: index, frame: whole, next), pad, from: who, to: peer,
            serial: serial(), at: state.now, isForged: true, of: message)
        deliver(sms, at: state.now)
    }
}
