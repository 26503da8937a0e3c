import Crypto
import GSM7
import Support

@testable import Keyring
@testable import Protocol

/// Simulates runs of smsenc-pad that encrypt.
extension World {
    /// A record: the recipient, the frame, and the message that it belongs to.
    private struct Record {
        let peer: Persona
        let contact: ContactID
        let frame: [UInt8]
        let message: TestMessage
        let part: Int
    }

    /// Encrypts messages and returns the SMS that were written.
    @discardableResult
    func write(
        _ writing: Action.Writing, from who: Persona, to peers: [Persona],
        _ chance: inout Generator
    ) throws -> [SMS] {
        let known = peers.filter { state[who, $0] != nil }
        guard !known.isEmpty else { return [] }
        let records = try records(of: writing, from: who, to: known, &chance)
        _ = try keyring(of: who)
        let machine = machines[who.person]
        var out: [SMS] = []
        var taken = Taken()
        try machine.send(
            records.map { ($0.contact, $0.frame) }, as: who.identity, ending: writing.ending,
            committed: { (exchange, run) in
                taken = try take(exchange, of: records, run, from: who)
                if exchange.records.lowerBound == 0 {
                    try asOtherProcess(writing.meanwhile, who, peers, &chance)
                }
            },
            finished: { (exchange) in
                updateModelAtEnd(exchange, taken, from: who)
                out += taken.out
            })
        let far = writing.distance.flatMap { least in out.first { keysAhead($0) >= least } }
        for (place, sms) in out.enumerated() {
            let isThere =
                writing.distance.map { _ in sms === far }
                ?? writing.arriving.map { place >= out.count - $0 }
            try post(sms, arriving: isThere, &chance)
        }
        return out
    }

    /// Returns the largest number of keys that the recipient has to skip for an SMS.
    private func keysAhead(_ sms: SMS) -> Int {
        guard case .pad(let chain, let index, _, _) = sms.content,
            let receiving = state[sms.recipient, sms.sender]?.ratchet?.receiving
        else { return 0 }
        return chain === receiving.chain ? index - receiving.next : index
    }

    /// Returns the records for a list of messages, with separate frames for each recipient.
    private func records(
        of writing: Action.Writing, from who: Persona, to peers: [Persona],
        _ chance: inout Generator
    ) throws -> [Record] {
        var records: [Record] = []
        for place in 0..<max(1, writing.messages) {
            let peer = peers[place % peers.count]
            guard let contact = state[who, peer] else { continue }
            let message = try TestMessage.written(writing.kind, serial: serial(), &chance)
            for (part, frame) in message.frames.enumerated() {
                records.append(
                    Record(
                        peer: peer, contact: contact.id, frame: frame, message: message, part: part)
                )
            }
        }
        return records
    }

    /// The effects of an exchange. It contains the number of messages, the number of keys for each
    /// contact, and the SMS that were written. It also contains the contacts in three states: before the
    /// exchange (with pending next keys mixed in), after the exchange, and after the last SMS that was
    /// written.
    private struct Taken {
        var passed = 0
        var flights: [ContactID: Int] = [:]
        var before: [Persona: ContactModel] = [:]
        var after: [Persona: ContactModel] = [:]
        var last: [Persona: ContactModel] = [:]
        var out: [SMS] = []
    }

    /// Updates the model after an exchange is committed.
    private func take(
        _ exchange: Machine.Exchange, of records: [Record], _ run: Machine.Sent,
        from who: Persona
    ) throws -> Taken {
        var model = state.people[who.person].keyring
        var taken = Taken()
        for index in exchange.records {
            let record = records[index]
            guard var contact = model.rings[who.identity][record.peer] else { continue }
            guard contact.ratchet != nil else {
                try isRefused(run.refusals[index], contact, record)
                continue
            }
            guard let pad = run.pads[index] else {
                throw Violation(.commands, "no SMS for \(record.peer), who is in step")
            }
            let room = model.room(for: record.contact) - taken.flights[record.contact, default: 0]
            contact.mixPendingNextKey()
            if taken.before[record.peer] == nil { taken.before[record.peer] = contact }
            let (sms, keys) = try encrypted(pad, record, &contact, from: who)
            taken.flights[record.contact, default: 0] += keys
            guard keys <= room else {
                throw Violation(.keyOnce, "more than 100 keys of \(record.peer) are in flight")
            }
            contact.sent += 1
            contact.unconfirmed += 1
            contact.lastUse = state.now
            try agrees(run.summaries[index], contact)
            model.rings[who.identity][record.peer] = contact
            taken.passed += 1
            if exchange.written.contains(index) {
                try handOut(sms, contact)
                taken.out.append(sms)
                taken.last[record.peer] = contact
            }
        }
        try isFull(exchange, of: records, &model, &taken, from: who)
        for peer in taken.before.keys { taken.after[peer] = model.rings[who.identity][peer] }
        if !machines[who.person].isOtherProcess { model.underWay = taken.flights }
        state.people[who.person].keyring = model
        for contact in taken.after.values { try compareSendingPosition(of: who, to: contact) }
        return taken
    }

    /// Records the position of an SMS that was written.
    private func handOut(_ sms: SMS, _ contact: ContactModel) throws {
        guard case .pad(let chain, let index, _, _) = sms.content, let ratchet = contact.ratchet
        else { return }
        let name = ratchet.names.sending
        guard state.handedOut[name, default: []].insert(chain.position(at: index)).inserted else {
            throw Violation(.positions, "\(sms.sender) hands out \(chain.depth).\(index) twice")
        }
    }

    /// Updates the model after an exchange has ended.
    private func updateModelAtEnd(
        _ exchange: Machine.Exchange, _ taken: Taken, from who: Persona
    ) {
        var model = state.people[who.person].keyring
        if !machines[who.person].isOtherProcess { model.underWay = [:] }
        for (peer, start) in taken.before {
            guard var contact = model.rings[who.identity][peer], contact.id == start.id,
                var ratchet = contact.ratchet
            else { continue }
            let (after, end) = (taken.after[peer] ?? start, taken.last[peer] ?? start)
            let isMoved = ratchet.sending != after.ratchet?.sending
            if taken.out.count < taken.passed, !exchange.isKilled, !isMoved {
                // Keys of messages that were not written are taken back. Mixed-in and newly drawn next
                // keys remain.
                ratchet.sending.next = end.ratchet?.sending.next ?? 0
                contact.sent -= after.sent - end.sent
                // A message may have been confirmed in the meantime.
                contact.unconfirmed -= min(contact.unconfirmed, UInt32(after.sent - end.sent))
                contact.position = end.position
            }
            ratchet.out = ratchet.sending.next
            contact.ratchet = ratchet
            model.rings[who.identity][peer] = contact
        }
        if exchange.isKilled {
            if !taken.flights.isEmpty { model.lost.append(taken.flights) }
        } else {
            model.clearInFlight(Set(taken.last.values.map(\.id)))
        }
        state.people[who.person].keyring = model
    }

    /// Handles an exchange that ended because no more keys may be in flight. Additional keys may have been
    /// discarded.
    private func isFull(
        _ exchange: Machine.Exchange, of records: [Record], _ model: inout KeyringModel,
        _ taken: inout Taken, from who: Persona
    ) throws {
        guard exchange.records.upperBound < records.count else { return }
        let record = records[exchange.records.upperBound]
        guard var contact = model.rings[who.identity][record.peer], contact.ratchet != nil else {
            return
        }
        let left = model.room(for: record.contact) - (taken.flights[record.contact] ?? 0)
        guard left <= 8 else {
            throw Violation(.progress, "a run stops where \(left) more keys may be in flight")
        }
        guard left > 0 else { return }
        contact.mixPendingNextKey()
        if taken.before[record.peer] == nil { taken.before[record.peer] = contact }
        contact.ratchet?.sending.next += left
        contact.position += left
        taken.flights[record.contact, default: 0] += left
        if contact.ratchet?.ownNext == nil {
            contact.ratchet?.ownNext = try ownNextKey(who, record.peer)
        }
        model.rings[who.identity][record.peer] = contact
    }

    private func isRefused(
        _ refusal: ExchangeResult?, _ contact: ContactModel, _ record: Record
    ) throws {
        // Another process removed the contact and added it again.
        if case .gone = refusal, contact.id != record.contact { return }
        guard case .notReady(let summary) = refusal else {
            throw Violation(.commands, "\(contact.peer) is not in step, and it is not said")
        }
        try agrees(summary, contact)
        say(summary, of: contact)
    }

    /// Checks the information about a contact that the tools report with a message.
    func agrees(_ summary: ContactSummary?, _ contact: ContactModel) throws {
        guard let summary else { throw Violation(.counts, "nothing is said of \(contact.peer)") }
        guard summary.status == contact.state, summary.pending == contact.pending,
            summary.method == contact.method,
            summary.unconfirmed == contact.unconfirmed
        else {
            throw Violation(
                .counts,
                "\(contact.peer): \(summary), where \(contact.state), pending \(contact.pending), "
                    + "\(contact.unconfirmed) unconfirmed are due")
        }
    }
}

/// Finds the key of an SMS.
extension World {
    /// Finds the message key of a new ciphertext.
    ///
    /// - Returns: the SMS, and the number of keys that it used.
    private func encrypted(
        _ pad: [UInt8], _ record: Record, _ contact: inout ContactModel, from who: Persona
    ) throws -> (SMS, Int) {
        guard var ratchet = contact.ratchet else { throw Violation(.progress, "not in step") }
        let (chain, first) = (ratchet.sending.chain, ratchet.sending.next)
        guard let (index, frame) = try search(pad, chain, first..<(first + 100)) else {
            for chain in [chain, chain.parent].compactMap({ $0 })
            where try search(pad, chain, 0..<(first + 200)) != nil {
                throw Violation(.keyOnce, "\(who) to \(record.peer): a key makes a second SMS")
            }
            throw Violation(.keyOnce, "\(who) to \(record.peer): no key of theirs made this SMS")
        }
        guard pad.first != Alphabet.space, pad.last != Alphabet.space,
            !zip(pad, pad.dropFirst()).contains(where: { $0 == Alphabet.space && $1 == $0 })
        else {
            throw Violation(.limits, "\(who) to \(record.peer): an SMS does not survive copying")
        }
        guard Array(frame[..<150]) == Array(record.frame[..<150]) else {
            throw Violation(.readAsWritten, "\(who) to \(record.peer): another frame is encrypted")
        }
        for place in first..<index where !chain.isUnusable(for: frame, at: place, &cipher) {
            throw Violation(.keyOnce, "\(who) to \(record.peer): a key is passed over")
        }
        let symbols = Array(frame[150...])
        if ratchet.ownNext == nil { ratchet.ownNext = NextKey(symbols, drawn: serial()) }
        guard let next = ratchet.ownNext, next.symbols == symbols else {
            throw Violation(.holdings, "\(who) offers \(record.peer) another next key than is out")
        }
        ratchet.sending.next = index + 1
        contact.ratchet = ratchet
        contact.position += index + 1 - first
        statistics.sent += 1
        statistics.digest(pad)
        let sms = SMS(
            .pad(chain, index: index, frame: frame, next), pad, from: who, to: record.peer,
            serial: serial(), keys: index + 1 - first, position: contact.position, at: state.now,
            of: record.message,
            part: record.part)
        return (sms, index + 1 - first)
    }

    private func search(
        _ pad: [UInt8], _ chain: Chain, _ range: Range<Int>
    ) throws -> (index: Int, frame: [UInt8])? {
        var frame = pad
        for index in range {
            let key = MessageKey(stored: SecretBytes(copying: chain.messageKey(at: index).span))
            var symbols = frame.mutableSpan
            if key.decrypt(&symbols, &cipher) { return (index, frame) }
        }
        return nil
    }
}
