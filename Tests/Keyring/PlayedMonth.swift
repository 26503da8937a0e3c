import Foundation
import Protocol
import Support
import Testing

@testable import Keyring

/// Two people who write to each other for some days, over a network that loses, delays, repeats and reorders SMS.
/// Both send receipts, or only one of them. The record of what happened is kept apart from the keyrings, and is
/// compared with what the keyrings say about the messages.
final class PlayedMonth {
    struct Rules {
        var days = 30
        /// Number of messages that each person writes in a day.
        var rates = [8, 3]
        /// Indices of the people who send receipts.
        var confirming: Set<Int> = [0, 1]
        var loss = 0.03
        var late = 0.02
        var double = 0.01
        /// Fraction of the runs that are killed, and of those whose output fails.
        var kills = 0.0
        var failures = 0.0
    }

    /// What became of the messages.
    struct Outcome {
        var messages = 0
        var receiptsAlone = 0
        /// Days from the sending of a lost message until a receipt said that it is missing, or nil if none did.
        var lost: [Double?] = []
        var contradictions: [String] = []

        static func + (one: Outcome, other: Outcome) -> Outcome {
            Outcome(
                messages: one.messages + other.messages,
                receiptsAlone: one.receiptsAlone + other.receiptsAlone,
                lost: one.lost + other.lost,
                contradictions: one.contradictions + other.contradictions)
        }

        /// Receipts alone, in percent of the messages.
        var additional: Double { 100 * Double(receiptsAlone) / Double(max(1, messages)) }
        var namedWithinFourDays: Int { lost.count { ($0 ?? .infinity) <= 4 } }
    }

    private enum Event {
        case write(Int)
        case due(Int)
        case arrive(SMS)
    }

    private struct SMS {
        let sender: Int
        /// Index in `sent`, or nil for a receipt alone.
        let message: Int?
        let ciphertext: [UInt8]
        /// Number of the step in which the SMS was made.
        let made: Int
    }

    /// A message with text that was handed to the network.
    private struct Message {
        let position: Position
        let day: Double
        var isLost = false
        /// True if at least one run has written the message.
        var isShown = false
        /// Step in which a run that has written the message ended.
        var finished: Int?
        var isRead = false
        var named: Double?
    }

    private let rules: Rules
    private var generator: Generator
    private let people: [Person]
    private let start: Int64
    /// Events that are still to come, latest first.
    private var events: [(day: Double, event: Event)] = []
    private var sent: [[Message]] = [[], []]
    private var lastArrival = [-1.0, -1.0]
    /// Step in which the SMS was made that arrived at a time.
    private var made: [Int64: Int] = [:]
    private var step = 0
    private var outcome = Outcome()

    init(_ rules: Rules, seed: UInt64) throws {
        self.rules = rules
        generator = Generator(seed: seed)
        let (amina, bela) = try Person.pair(inMemory: true)
        people = [amina, bela]
        start = amina.clock.wall
        for index in rules.confirming { try people[index].turnReceiptsOn() }
    }

    private func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }

    private func fraction() -> Double { Double.random(in: 0..<1, using: &generator) }

    private func add(_ event: Event, on day: Double) {
        let index = events.firstIndex { $0.day <= day } ?? events.count
        events.insert((day, event), at: index)
    }

    func play() throws -> Outcome {
        for person in 0..<2 {
            for day in 0..<rules.days {
                for _ in 0..<rules.rates[person] {
                    add(.write(person), on: Double(day) + fraction())
                }
            }
        }
        for quarter in 0..<(4 * rules.days) {
            for person in rules.confirming {
                add(.due(person), on: Double(quarter) / 4 + 0.001)
            }
        }
        while let (day, event) = events.popLast() {
            step += 1
            // Each step has a time of its own, so that this time identifies a receipt.
            let wall = max(people[0].clock.wall + 1, start + Int64(day * 86_400))
            for person in people { person.clock.set(wall) }
            switch event {
            case .write(let sender): try write(sender, day)
            case .due(let sender): try sendReceipt(sender, day)
            case .arrive(let sms): try receive(sms, day)
            }
        }
        for sender in 0..<2 where rules.confirming.contains(1 - sender) {
            for message in sent[sender] where message.isLost && message.day < lastArrival[sender] {
                guard message.day < Double(rules.days) - 8 else { continue }
                outcome.lost.append(message.named.map { $0 - message.day })
            }
        }
        for person in people where try !person.isSound() {
            outcome.contradictions.append("a keyring is damaged")
        }
        return outcome
    }

    // MARK: Sending

    private func text() -> String {
        // Few real messages leave no room for a receipt.
        if happens(0.05) {
            return String((0..<135).map { _ in generator.pick(Array("0123456789")) })
        }
        let words = ["see", "you", "at", "the", "station", "tomorrow", "morning", "please", "call"]
        return (0...generator.number(below: 12)).map { _ in generator.pick(words) }
            .joined(separator: " ")
    }

    private func write(_ sender: Int, _ day: Double) throws {
        outcome.messages += 1
        let message = text()
        var sms: SMS?
        while sms == nil {
            if happens(rules.kills / 2) {
                _ = try people[sender].encrypt([message], commits: false)
            }
            let run = try people[sender].encrypt([message])
            guard let position = run.positions.first, try isWritten(run, sender) else { continue }
            sent[sender].append(Message(position: position, day: day))
            sms = SMS(
                sender: sender, message: sent[sender].count - 1, ciphertext: run.ciphertexts[0],
                made: step)
        }
        if let sms { post(sms, day) }
    }

    private func sendReceipt(_ sender: Int, _ day: Double) throws {
        let run = try people[sender].encryptReceipt()
        guard let ciphertext = run.ciphertexts.first else { return try run.finish() }
        guard try isWritten(run, sender) else { return }
        outcome.receiptsAlone += 1
        post(SMS(sender: sender, message: nil, ciphertext: ciphertext, made: step), day)
    }

    /// Ends a run that has encrypted an SMS. Returns true if the SMS was written.
    private func isWritten(_ run: Person.Sent, _ sender: Int) throws -> Bool {
        if happens(rules.kills) {
            people[sender].close()
            try people[sender].mark(as: "1 0 another boot")
            return happens(0.5)
        }
        guard happens(rules.failures) else {
            try run.finish()
            return true
        }
        try run.finish(written: 0)
        return false
    }

    private func post(_ sms: SMS, _ day: Double) {
        guard !happens(rules.loss) else {
            if let message = sms.message { sent[sms.sender][message].isLost = true }
            return
        }
        let delay = happens(rules.late) ? 2 * fraction() : 0.02 * fraction()
        add(.arrive(sms), on: day + delay)
        if happens(rules.double) { add(.arrive(sms), on: day + delay + fraction()) }
    }

    // MARK: Receiving

    private func receive(_ sms: SMS, _ day: Double) throws {
        let person = people[1 - sms.sender]
        if happens(rules.kills) || happens(rules.failures) {
            // The run writes the message or not, and dies. Or it is still alive, and dies later.
            let isLongRun = happens(0.5)
            let keyring = isLongRun ? try person.anotherLiving() : nil
            let read = try person.receive([sms.ciphertext], written: 0, with: keyring)
            if read != [.refused] {
                note(sms, isFinished: false, day)
                made[person.clock.wall] = sms.made
                try compare(1 - sms.sender, day)
            }
            if !isLongRun {
                person.close()
                try person.mark(as: "1 0 another boot")
            }
            add(.arrive(sms), on: day + (isLongRun ? 0.5 : 0.001))
            return
        }
        person.close()
        if try person.busyRecords() > 0 { try person.mark(as: "1 0 another boot") }
        guard try person.receive([sms.ciphertext]) != [.refused] else { return }
        note(sms, isFinished: true, day)
        made[person.clock.wall] = sms.made
        try compare(1 - sms.sender, day)
    }

    private func note(_ sms: SMS, isFinished: Bool, _ day: Double) {
        lastArrival[sms.sender] = max(lastArrival[sms.sender], day)
        guard let message = sms.message else { return }
        // Half of the runs that die have written the message.
        if isFinished || happens(0.5) { sent[sms.sender][message].isShown = true }
        if isFinished, sent[sms.sender][message].finished == nil {
            sent[sms.sender][message].finished = step
        }
    }

    /// Compares what a person's keyring says with what happened.
    private func compare(_ sender: Int, _ day: Double) throws {
        let person = people[sender]
        let keyring = try person.keyring ?? person.open()
        let states = try keyring.reading { (store) throws(KeyringError) in
            var query = try SentQuery(store)
            var states: [SentState] = []
            for message in sent[sender] {
                states.append(try query.state(of: message.position, to: person.contactName))
            }
            return states
        }
        for (index, state) in states.enumerated() {
            let message = sent[sender][index]
            let name = "\(message.position.text) of \(sender) in step \(step)"
            if message.isRead, state != .read { outcome.contradictions.append("\(name) was read") }
            switch state {
            case .read:
                sent[sender][index].isRead = true
                if !message.isShown { outcome.contradictions.append("\(name) was not read") }
            case .missing(let time):
                if message.named == nil { sent[sender][index].named = day }
                guard let made = made[time] else {
                    outcome.contradictions.append(
                        "\(name) is missing since a time without a receipt")
                    continue
                }
                if let finished = message.finished, finished < made {
                    outcome.contradictions.append("\(name) was read before the receipt was made")
                }
            case .ended: outcome.contradictions.append("\(name) is of an earlier conversation")
            case .unknown: break
            }
        }
    }
}
