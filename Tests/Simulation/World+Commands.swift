import CEntropy
import Crypto
import Protocol
import Support
import TestPeople
import System

@testable import Keyring

/// The commands of smsenc-keyring that change contacts.
extension World {
    func command(
        _ action: Action, _ who: Persona, _ peer: Persona, _ chance: inout Generator
    ) throws {
        try open(who.person)
        if case .add(let isNumbered) = action { return try add(peer, to: who, isNumbered) }
        guard var contact = state[who, peer] else { return }
        let keyring = try keyring(of: who)
        let names = [contact.name] + (contact.number.map { [$0, String($0.dropFirst())] } ?? [])
        let found = try keyring.contact(named: chance.pick(names))
        guard found.id == contact.id, found.number == contact.number else {
            throw Violation(
                .holdings, "\(contact.name) is found with another number, or is another")
        }
        switch action {
        case .remove:
            try keyring.remove(found)
            state[who, peer] = nil
            state.people[who.person].keyring.clearInFlight([contact.id])
            return
        case .rename:
            let name = contact.name == "\(peer)" ? "\(peer) at the bridge" : "\(peer)"
            try keyring.edit(found, name: name, number: nil)
            contact.name = name
            guard try keyring.contact(named: name) == self.contact(contact) else {
                throw Violation(.holdings, "\(name) is another than before")
            }
        case .resync(let new):
            let text = try TestPeople.text(of: keyring.resynchronise(found, renew: new))
            try give(text, new: new, &contact, by: who)
        case .cancel:
            let fault = contact.pending == .nothing ? SyncFault.nothingOut(contact.name) : nil
            let isDone = try expecting(fault.map { .sync($0) }, "resync --cancel") {
                try keyring.cancelResynchronisation(with: found)
            }
            guard isDone else { return }
            (contact.ownKey, contact.ownOffer) = (nil, nil)
        case .markLost:
            var text = ""
            try keyring.loseKeys(of: [found]) { (_, key) in text = TestPeople.text(of: key) }
            contact.forget()
            state.people[who.person].keyring.clearInFlight([contact.id])
            (contact.isLost, contact.wasVerifiedOrLost) = (true, true)
            try give(text, new: true, &contact, by: who)
        case .sync(let choice):
            guard let theirs = chosen(choice, .key, who, peer, &chance) else { return }
            guard try sync(theirs, &contact, found, keyring, by: who) else { return }
        case .offer(let new):
            let drawn = try nextDraw(of: who)
            let offer = try keyring.offer(found, renew: new)
            try give(offer, drawn, new: new, &contact, by: who, &chance)
        case .accept(let choice, let force):
            guard let theirs = chosen(choice, .offer, who, peer, &chance) else { return }
            let isDone = try accept(
                theirs, &contact, found, force: force, keyring, by: who, &chance)
            guard isDone else { return }
        case .verify(let hearing):
            guard try verify(hearing, &contact, found, keyring, by: who) else { return }
        default: preconditionFailure("not of a contact")
        }
        state[who, peer] = contact
    }

    /// Runs a command that must either succeed or fail with the expected error.
    ///
    /// - Returns: true if it succeeded.
    @discardableResult
    func expecting(
        _ fault: KeyringError?, _ what: String, _ body: () throws -> Void
    ) throws -> Bool {
        do {
            try body()
        } catch let error as KeyringError {
            say(error)
            guard error == fault else {
                throw Violation(
                    .commands,
                    "\(what): \(error), where \(fault.map { "\($0)" } ?? "nothing") is due")
            }
            return false
        }
        if let fault { throw Violation(.commands, "\(what) is done, where \(fault) is due") }
        return true
    }

    private func add(_ peer: Persona, to who: Persona, _ isNumbered: Bool) throws {
        let keyring = try keyring(of: who)
        let model = state.people[who.person].keyring
        let (name, number) = ("\(peer)", isNumbered ? peer.number : nil)
        let namesake = model.rings[who.identity].contacts.first { $0.name == name }
        let fault =
            namesake.map { _ in KeyringError.contact(.nameTaken(name)) }
            ?? number.flatMap { model.fault(ofNumber: $0, in: who.identity) }
        var text = ""
        let isDone = try expecting(fault, "add") {
            text = try TestPeople.text(of: keyring.add(name: name, number: number))
        }
        guard isDone else { return }
        let id = try keyring.contact(named: name).id
        var contact = ContactModel(peer, id: id, name: name, number: number)
        try give(text, new: true, &contact, by: who)
        state[who, peer] = contact
    }

    /// Gives the printed sync key to a contact.
    private func give(
        _ text: String, new: Bool, _ contact: inout ContactModel, by who: Persona
    ) throws {
        if let own = contact.ownKey, !new {
            guard own.text == text else {
                throw Violation(.commands, "resync prints another key than the one that is out")
            }
        } else {
            let bytes = Array(text.utf8.filter { $0 != UInt8(ascii: "-") })
            contact.ownKey = Secret(.key, text, bytes, by: who, serial: serial())
        }
        guard let key = contact.ownKey else { return }
        state.people[who.person].keyring.used.insert(.init(secret: key.serial, isOwn: true))
        state.tell(contact.peer, key)
    }

    /// Sends the printed offer to a contact by SMS.
    private func give(
        _ offer: Offer, _ drawn: [UInt8], new: Bool, _ contact: inout ContactModel,
        by who: Persona, _ chance: inout Generator
    ) throws {
        if let own = contact.ownOffer, !new {
            guard own.text == offer.text else {
                throw Violation(.commands, "offer prints another than the one that is out")
            }
        } else {
            contact.ownOffer = Secret(
                .offer, offer.text, offer.publicKey, secret: drawn, by: who, serial: serial())
        }
        guard let own = contact.ownOffer else { return }
        try send(own, from: who, to: contact.peer, &chance)
    }

    private func send(
        _ offer: Secret, from who: Persona, to peer: Persona, _ chance: inout Generator
    ) throws {
        state.people[who.person].keyring.used.insert(.init(secret: offer.serial, isOwn: true))
        let sms = SMS(
            .offer(offer), Array(offer.text.utf8), from: who, to: peer, serial: serial(),
            at: state.now)
        try post(sms, arriving: nil, &chance)
    }

    /// Returns the key or offer that a person enters for a contact, or nil if there is none of this kind.
    private func chosen(
        _ choice: Action.SecretChoice, _ kind: Secret.Kind, _ who: Persona, _ peer: Persona,
        _ chance: inout Generator
    ) -> Secret? {
        let received = state.people[who.person].received
        func list(_ received: WorldState.ReceivedSecrets?) -> [Secret] {
            (kind == .key ? received?.keys : received?.offers) ?? []
        }
        switch choice {
        case .last: return list(received[peer]).last
        case .earlier:
            let earlier = list(received[peer]).dropLast()
            return earlier.isEmpty ? nil : chance.pick(Array(earlier))
        case .own:
            let contact = state[who, peer]
            return kind == .key ? contact?.ownKey : contact?.ownOffer
        case .anothers:
            let others = received.keys.filter { $0 != peer }.sorted()
            return others.isEmpty ? nil : list(received[chance.pick(others)]).last
        }
    }

    private func use(of secret: Secret, by who: Persona) -> KeyringModel.Use? {
        [true, false].map { KeyringModel.Use(secret: secret.serial, isOwn: $0) }
            .first { state.people[who.person].keyring.used.contains($0) }
    }

    private func sync(
        _ theirs: Secret, _ contact: inout ContactModel, _ found: Contact, _ keyring: Keyring,
        by who: Persona
    ) throws -> Bool {
        let used = use(of: theirs, by: who)
        let fault: SyncFault? =
            used.map { $0.isOwn ? .ownKeyEntered(contact.name) : .keyUsed(contact.name) }
            ?? (contact.ownKey == nil ? .noOwnKey(contact.name) : nil)
        var codes: VerificationCodes?
        let isDone = try expecting(fault.map { .sync($0) }, "sync") {
            let key = try SyncKey(reading: Array(theirs.text.utf8).span)
            let pending = try keyring.prepare(found, with: key)
            let agreed = try Protocol.Agreement(pending.exchange)
            codes = try keyring.synchronise(pending, agreed)
        }
        guard isDone, let own = contact.ownKey, let codes else { return false }
        try begin(&contact, own, theirs, codes, by: who)
        return true
    }

    private func accept(
        _ theirs: Secret, _ contact: inout ContactModel, _ found: Contact, force: Bool,
        _ keyring: Keyring, by who: Persona, _ chance: inout Generator
    ) throws -> Bool {
        let used = use(of: theirs, by: who)
        let isUnasked =
            contact.ownOffer == nil && ![.initial, .waiting].contains(contact.state) && !force
        let fault: SyncFault? =
            used.map { $0.isOwn ? .ownOfferEntered(contact.name) : .offerUsed(contact.name) }
            ?? (isUnasked ? .unasked(contact.name, contact.state) : nil)
        let drawn = try nextDraw(of: who)
        let before = contact.state
        var accepted: (codes: VerificationCodes, made: Offer?, before: ContactState.Status)?
        let isDone = try expecting(fault.map { .sync($0) }, "accept") {
            let offer = try Offer(in: "Here it is: \(theirs.text)")
            let pending = try keyring.prepare(found, with: offer, force: force)
            let agreed = try Protocol.Agreement(pending.exchange)
            accepted = (
                try keyring.synchronise(pending, agreed), pending.newOffer, pending.status
            )
        }
        guard isDone, let accepted else { return false }
        if let made = accepted.made {
            let own = Secret(
                .offer, made.text, made.publicKey, secret: drawn, by: who, serial: serial())
            contact.ownOffer = own
            try send(own, from: who, to: contact.peer, &chance)
        }
        guard let own = contact.ownOffer else {
            throw Violation(.commands, "accept makes no offer where none is out")
        }
        guard accepted.before == before else {
            throw Violation(.commands, "accept says something else than what has ended")
        }
        try begin(&contact, own, theirs, accepted.codes, by: who)
        return true
    }

    private func begin(
        _ contact: inout ContactModel, _ own: Secret, _ theirs: Secret,
        _ codes: VerificationCodes, by who: Persona
    ) throws {
        contact.begin(
            try agreement(own, theirs), own: own, theirs: theirs, at: state.now)
        state.people[who.person].keyring.clearInFlight([contact.id])
        state.people[who.person].keyring.used.insert(.init(secret: theirs.serial, isOwn: false))
        guard let due = contact.codes, codes.yours == due.yours, codes.theirs == due.theirs else {
            throw Violation(.commands, "codes are not those of the two keys")
        }
    }

    /// Runs `verify NAME CODE` with the code that the contact has read out.
    private func verify(
        _ hearing: Action.HeardCode, _ contact: inout ContactModel, _ found: Contact,
        _ keyring: Keyring, by who: Persona
    ) throws -> Bool {
        guard let codes = contact.codes, contact.ratchet != nil else { return false }
        let heard: UInt128? =
            switch hearing {
            case .right:
                state[contact.peer, who].flatMap { $0.ratchet == nil ? nil : $0.codes?.yours }
            case .wrong: codes.theirs ^ 1
            case .own: codes.yours
            }
        let codesNow = try keyring.state(of: found).codes
        guard let heard, heard == codesNow.theirs else { return false }
        try keyring.markVerified(found, having: codesNow)
        guard hearing == .right, let ratchet = contact.ratchet,
            state[contact.peer, who]?.ratchet?.agreement === ratchet.agreement
        else {
            throw Violation(.secrecy, "codes agree between two who do not hold the same keys")
        }
        (contact.isVerified, contact.wasVerifiedOrLost) = (true, true)
        return true
    }

    /// Predicts the private key of the next offer, because it may be erased before the command ends.
    private func nextDraw(of who: Persona) throws -> [UInt8] {
        // This commit would draw random bytes, too.
        try machines[who.person].takeOverDeadRuns()
        var bytes = [UInt8](repeating: 0, count: X25519.size)
        unsafe bytes.withUnsafeMutableBytes { unsafe entropy_peek($0.baseAddress, $0.count) }
        return bytes
    }
}
