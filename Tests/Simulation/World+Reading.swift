import GSM7
import Keyring
import Protocol
import Support

@testable import smsenc_pad

/// Simulates runs of `smsenc-pad -d`, which decrypts.
extension World {
    private struct Record {
        let delivery: WorldState.Delivery
        let contact: ContactID

        var sms: SMS { delivery.sms }
    }

    func read(
        _ reading: Action.Reading, by who: Persona, from peers: [Persona],
        _ chance: inout Generator
    ) throws {
        let records = selectRecords(reading, by: who, from: peers, &chance)
        guard !records.isEmpty else { return }
        _ = try keyring(of: who)
        let machine = machines[who.person]
        let boot = machine.boot
        var notices = RunNotices()
        var (skipped, late): ([Persona: Int], [Persona: (late: Int, read: Int)]) = ([:], [:])
        var done: Set<Int> = []
        var taken: [Taken] = []
        var isWhole = true
        try machine.receive(
            records.map { ($0.contact, $0.delivery.symbols) }, as: who.identity,
            searchingFar: reading.searchesFar, ending: reading.ending,
            committed: { (exchange, run) in
                taken = []
                for index in exchange.records {
                    let delivery = records[index].delivery
                    guard var contact = state[who, delivery.from],
                        contact.id == records[index].contact, let outcome = run.outcomes[index]
                    else { continue }
                    skipped[contact.peer] = skipped[contact.peer] ?? contact.skipped
                    let isRead = try checkOutcome(
                        at: outcome, of: delivery, &contact, by: who, far: reading.searchesFar, boot
                    )
                    state[who, contact.peer] = contact
                    if isRead {
                        try readsAsWritten(run.frames[index], delivery, outcome, by: who)
                        taken.append(Taken(index: index, contact: contact, delivery: delivery))
                        note(outcome, of: contact, in: &notices, &late)
                    } else if delivery.isAltered || !machine.isOtherProcess && !chance.once(in: 8) {
                        // If another process has just read an SMS, that process or a later run removes it.
                        done.insert(delivery.number)
                    }
                }
                try comparePositions(of: taken.map { ($0.contact, $0.delivery.sms) }, by: who)
                if let session = try machine.session() {
                    for one in taken { state.sessions[one.delivery.sms.serial] = session }
                }
                putUnwritten(taken, by: who, boot)
                if exchange.records.lowerBound == 0 {
                    try asOtherProcess(reading.meanwhile, who, peers, &chance)
                }
            },
            finished: { (exchange) in
                isWhole = exchange.out == nil
                try updateModelAtEnd(exchange, taken, by: who, &done)
            })
        state.post[who]?.removeAll { done.contains($0.number) }
        if isWhole, reading.meanwhile.isEmpty {
            try missingAgrees(notices, skipped, by: who)
            try latenessAgrees(notices, late, by: who)
        }
        if !isWhole, machine.boot == boot {
            try machine.close()
            machine.restart()
        }
        if isWhole, isThorough || chance.once(in: 4) {
            for peer in peers { try reread(by: who, from: peer) }
        }
        releaseHeld(for: who)
        statistics.joined += try reassemblyCheck.read(by: who)
    }

    /// Simulates a run of `smsenc-pad -d --reread` with the SMS of a contact that were read most recently.
    private func reread(by who: Persona, from peer: Persona) throws {
        guard let contact = state[who, peer], let ratchet = contact.ratchet else { return }
        let read = state.recent[who]?[peer] ?? []
        let machine = machines[who.person]
        let received = try machine.reread(read.map { (contact.id, $0.symbols) }, as: who.identity)
        guard let received, let session = try machine.session() else { return }
        for (index, sms) in read.enumerated() {
            guard case .pad(let chain, _, let written, _) = sms.content,
                let outcome = received.outcomes[index]
            else { continue }
            switch outcome {
            case .done(_, let info?, _):
                guard info.arrival == .reread, chain.agreement === ratchet.agreement,
                    received.frames[index]
                        == written[..<150] + [UInt8](repeating: Alphabet.space, count: 10)
                else { throw Violation(.rereading, "\(who) reads another text of \(peer) again") }
                statistics.reread += 1
            case .readElsewhere, .noKey:
                let isKept =
                    chain === ratchet.receiving.chain
                    || contact.retired.contains { $0.chain === chain }
                if isKept, state.sessions[sms.serial] == session {
                    throw Violation(.rereading, "\(who) cannot read an SMS of \(peer) again")
                }
            default:
                throw Violation(.rereading, "\(who) reads \(peer) again: \(outcome)")
            }
        }
    }

    /// Selects the waiting SMS for this run. Offers are kept until somebody runs `accept`.
    private func selectRecords(
        _ reading: Action.Reading, by who: Persona, from peers: [Persona],
        _ chance: inout Generator
    ) -> [Record] {
        var records: [Record] = []
        var rest: [WorldState.Delivery] = []
        for delivery in state.post[who] ?? [] {
            let isDue = delivery.arrival <= state.now && peers.contains(delivery.from)
            if isDue, case .offer(let secret) = delivery.sms.content {
                if !delivery.isAltered, delivery.from == secret.maker { state.tell(who, secret) }
                continue
            }
            // A truncated SMS is recognised by its length, and no attempt is made to decrypt it.
            if isDue, delivery.symbols.count != 160 { continue }
            if isDue, let contact = state[who, delivery.from] {
                records.append(Record(delivery: delivery, contact: contact.id))
            } else if isDue {
                continue
            }
            rest.append(delivery)
        }
        state.post[who] = rest
        records.sort {
            ($0.delivery.arrival, $0.sms.serial) < ($1.delivery.arrival, $1.sms.serial)
        }
        switch reading.order {
        case .asCame: break
        case .backwards: records.reverse()
        case .shuffled: records.shuffle(using: &chance)
        }
        return Array(records.prefix(reading.most))
    }

    /// Compares the result of decrypting an SMS with the prediction of the model.
    private func checkOutcome(
        at outcome: ExchangeResult, of delivery: WorldState.Delivery,
        _ contact: inout ContactModel, by who: Persona, far isFar: Bool, _ boot: Int
    ) throws -> Bool {
        let (sms, before) = (delivery.sms, contact)
        var due: ContactModel.Outcome = contact.ratchet == nil ? .notReady : .noKey
        if !delivery.isAltered {
            due = try contact.receive(
                sms, window: isFar ? 4096 : 128, at: state.now, boot: boot, &cipher)
        }
        statistics.digest([outcome.isRead ? 1 : 0])
        switch (outcome, due) {
        case (.done(let summary, let info?, _), .read(let predicted)):
            try agrees(summary, contact)
            guard info.arrival == predicted.arrival, info.missing.count == predicted.missing,
                info.found.sorted() == predicted.found.sorted()
            else {
                throw Violation(
                    .counts, "\(who) reads \(sms.sender): \(info), where \(predicted) is due")
            }
            contact.guarantee.note(sms.position)
            statistics.read += 1
            return true
        case (.notReady(let summary), .notReady):
            try agrees(summary, contact)
            say(summary, of: contact)
        case (.readBefore, .readBefore): sayReadBefore()
        case (.noKey, .noKey):
            say(noKeyFor: delivery.symbols, of: contact, far: isFar)
            try isBeyondLimits(delivery, before, by: who)
        case (.done, _):
            throw Violation(
                .readAsWritten, "\(who) reads an SMS of \(delivery.from) that has to be refused")
        default:
            throw Violation(.limits, "\(who) of \(delivery.from): \(outcome), where \(due) is due")
        }
        statistics.refused += 1
        return false
    }

    /// Checks that a refused SMS exceeds a limit, was read before, or differs from what was sent.
    private func isBeyondLimits(
        _ delivery: WorldState.Delivery, _ contact: ContactModel, by who: Persona
    ) throws {
        let sms = delivery.sms
        guard !delivery.isAltered, !sms.isForged, sms.sender == delivery.from,
            sms.recipient == who, case .pad(let chain, _, _, _) = sms.content,
            let ratchet = contact.ratchet, ratchet.agreement === chain.agreement,
            !ratchet.agreement.isTampered, state.printed[sms.serial] == nil
        else { return }
        if contact.guarantee.promises(sms.position) {
            throw Violation(.limits, "\(who) cannot read an SMS of \(sms.sender) that came in time")
        }
    }

    /// Checks that a decrypted message was written by its apparent sender, and is printed once.
    private func readsAsWritten(
        _ frame: [UInt8], _ delivery: WorldState.Delivery, _ outcome: ExchangeResult,
        by who: Persona
    ) throws {
        let sms = delivery.sms
        guard case .pad(_, _, let written, _) = sms.content, sms.recipient == who,
            sms.sender == delivery.from
        else {
            throw Violation(.readAsWritten, "\(who) reads as \(delivery.from)'s what is another's")
        }
        guard frame == written[..<150] + [UInt8](repeating: Alphabet.space, count: 10) else {
            throw Violation(.readAsWritten, "\(who) reads another text than \(sms.sender) wrote")
        }
        if case .done(_, let info?, _) = outcome, info.arrival != .again,
            state.printed[sms.serial] != nil
        {
            throw Violation(.readAsWritten, "\(who) reads an SMS of \(sms.sender) twice")
        }
        if sms.isForged { try mayWrite(sms, to: who) }
    }

    /// A message that has been decrypted but not yet written.
    private struct Taken {
        let index: Int
        /// The contact after the message was read.
        let contact: ContactModel
        let delivery: WorldState.Delivery
    }

    /// Updates the model after an exchange is committed.
    private func putUnwritten(_ taken: [Taken], by who: Persona, _ boot: Int) {
        for (peer, all) in Dictionary(grouping: taken, by: \.delivery.from) {
            state[who, peer]?.putUnwritten(all.map(\.delivery.sms), boot: boot)
        }
    }

    /// Updates the model after an exchange has ended.
    private func updateModelAtEnd(
        _ exchange: Machine.Exchange, _ taken: [Taken], by who: Persona, _ done: inout Set<Int>
    ) throws {
        for (peer, all) in Dictionary(grouping: taken, by: \.delivery.from)
        where state[who, peer]?.id == all[0].contact.id {
            let written = all.count { exchange.written.contains($0.index) }
            if !exchange.isKilled, written > 0 { state[who, peer]?.dropUnwritten(written) }
        }
        for one in taken where exchange.written.contains(one.index) {
            let sms = one.delivery.sms
            state.printed[sms.serial, default: 0] += 1
            statistics.joined += try reassemblyCheck.add(sms, to: who)
            // After a run was killed, it is not known what it printed. The recipient tries to decrypt all
            // its SMS again.
            guard !exchange.isKilled else { continue }
            sms.closed = serial()
            state.note(sms, readBy: who)
            done.insert(one.delivery.number)
        }
    }

    private func note(
        _ outcome: ExchangeResult, of contact: ContactModel, in notices: inout RunNotices,
        _ late: inout [Persona: (late: Int, read: Int)]
    ) {
        guard case .done(let summary, let info?, let position) = outcome else { return }
        notices.collect(from: summary, of: self.contact(contact), info, at: position)
        late[contact.peer, default: (0, 0)].read += 1
        if info.arrival == .late { late[contact.peer]?.late += 1 }
    }

    /// Checks the warning that somebody may be intercepting messages. It must be printed if nearly all
    /// messages of a contact arrived late.
    private func latenessAgrees(
        _ notices: borrowing RunNotices, _ late: [Persona: (late: Int, read: Int)], by who: Persona
    ) throws {
        let due = late.filter { $0.value.read >= 10 && 10 * $0.value.late >= 9 * $0.value.read }
            .compactMap { state[who, $0.key]?.id }.min()
        let suspicion = notices.suspicions().first { $0.areMostlyLate }
        guard suspicion?.contact.id == due else {
            throw Violation(
                .counts, "\(who) is told of the wrong contact that nearly all came late")
        }
    }

    /// Checks the notice about missing messages at the end of a run.
    private func missingAgrees(
        _ notices: borrowing RunNotices, _ skipped: [Persona: Int], by who: Persona
    ) throws {
        let said = notices.suspicions().filter { $0.missingCount > 0 }
            .map { "\($0.contact.name): \($0.missingCount)" }
        var due: [(id: ContactID, text: String)] = []
        for (peer, before) in skipped {
            guard let contact = state[who, peer] else { continue }
            // If more keys were skipped than can be stored, missing messages are not known individually.
            if contact.skipped - before >= ContactModel.mostKept { return }
            let missing = contact.kept.count { $0.number >= before && $0.isMissing }
            if missing > 0 { due.append((contact.id, "\(contact.name): \(missing)")) }
        }
        due.sort { $0.id < $1.id }
        guard said == due.map(\.text) else {
            throw Violation(
                .counts, "\(who) is told that \(said) is missing, due \(due.map(\.text))")
        }
    }
}
