import Crypto
import Foundation
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// Three people who write to each other for some days with the real tools, over a network that loses, delays,
/// repeats and reorders SMS. Runs of smsenc-pad are killed, their output fails, and two of them use one keyring
/// at the same time. The record of what happened is kept apart from the keyrings, and is compared with what
/// `smsenc-keyring sent` says about the messages.
///
/// Time passes in quarters of a day. The tools use the clock of the system, so the times that a keyring has stored
/// about waiting receipts are moved into the past instead.
final class PlayedDays {
    struct Rules {
        var days = 10
        var loss = 0.03
        var late = 0.03
        var double = 0.02
        var kills = 0.08
        var failures = 0.03
    }

    private static let people = ["amina", "bela", "chidi"]
    /// Number of messages that the first person writes to the second person in a day.
    private static let rates = [
        (["amina", "bela"], 8), (["bela", "amina"], 3), (["bela", "chidi"], 8),
        (["chidi", "bela"], 3),
        (["chidi", "amina"], 8), (["amina", "chidi"], 3),
    ]

    /// A message that was handed to the network.
    private struct Message {
        let sender: String
        let recipient: String
        let position: String
        let frame: String
        let quarter: Int
        /// False after the two people have synchronised again, or one of their keyrings was restored.
        var isCurrent = true
        var hasArrived = false
        var isLost = false
        /// True if at least one run has written the message.
        var isShown = false
        /// Step in which a run that has written the message ended.
        var finished: Int?
        /// The answer of smsenc-keyring.
        var state = ""
        /// Quarter in which the sender learned that the message is missing.
        var named: Int?
        /// Quarter in which the conversation ended.
        var ended: Int?
    }

    private struct SMS {
        /// Index of the message, or nil for a receipt alone.
        let message: Int?
        let sender: String
        let recipient: String
        let ciphertext: String
        /// Step in which the SMS was made.
        let made: Int
        /// Number of the conversation.
        let conversation: Int
        var triesFar = false
    }

    /// How a run is disturbed.
    private enum Disturbance: Equatable {
        case none
        /// The run is killed at a system call on a file.
        case kill(file: String, call: String, count: Int)
        case fullDisk
        case closedPipe
    }

    private struct Job {
        let run: ToolRun
        let disturbance: Disturbance
        let output: String
        /// Step in which the run started.
        let started: Int
    }

    private var rules: Rules
    private let sandbox: Sandbox
    private var generator: Generator
    private var messages: [Message] = []
    /// SMS that are to arrive, with the quarter in which they arrive.
    private var transit: [(quarter: Int, sms: SMS)] = []
    /// Frames that were shown, by person.
    private var seenFrames: [String: [(message: Int, frame: String)]] = [:]
    /// Frames that were shown, and the message of each.
    private var shownFrames: [(message: Int, frame: String)] = []
    /// SMS that are being read.
    private var reading: [SMS] = []
    private var conversations: [Set<String>: Int] = [:]
    private var quarter = 0
    private var step = 0
    private var copy: Data?
    private var texts = 0
    private(set) var kills = 0
    private(set) var failures = 0
    private(set) var receiptsAlone = 0
    private(set) var contradictions: [String] = []

    init(_ rules: Rules, seed: UInt64) throws {
        self.rules = rules
        generator = Generator(seed: seed)
        sandbox = try Sandbox(people: Self.people, inMemory: true)
        try sandbox.introduce("bela", "chidi", number: "+27821230009")
        for person in Self.people {
            try sandbox.withKeyring(of: person) { (keyring) in
                for other in Self.people where other != person {
                    try keyring.setReceipts(of: keyring.contact(named: other), true)
                }
            }
        }
    }

    var messageCount: Int { messages.count }

    /// Numbers of lost messages for which a later message arrived, and of those that were named in four days.
    var lost: (count: Int, named: Int) {
        var (count, named) = (0, 0)
        let last = Dictionary(
            messages.filter { $0.isShown }.map { ([$0.sender, $0.recipient], $0.quarter) },
            uniquingKeysWith: max)
        for message in messages where message.isLost {
            let end = message.quarter + 16
            guard message.quarter < last[[message.sender, message.recipient]] ?? -1,
                end <= min(message.ended ?? .max, 4 * rules.days)
            else { continue }
            count += 1
            if let quarter = message.named, quarter <= end { named += 1 }
        }
        return (count, named)
    }

    private func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < probability
    }

    func play() throws {
        while quarter < 4 * rules.days {
            try special()
            for person in Self.people.shuffled(using: &generator) { try playQuarter(of: person) }
            quarter += 1
            try passTime(days: 0.25)
        }
        try finish()
    }

    /// Events that happen once.
    private func special() throws {
        switch quarter {
        case 6:
            // Two hundred messages are lost, except a few that are late.
            let lines = (0..<200).map { "bela\tOne of many \($0)" }
            let frames = try encode(lines)
            let job = try start(
                "amina", ["-N", "--position"], frames, name: "flood", disturbance: .none)
            let (output, _) = end(job, accepting: [0])
            for (index, line) in output.enumerated() {
                let sms = try record(line, of: "amina", frames[index], job)
                if index % 40 == 20 {
                    transit.append((quarter + 8, sms))
                    messages[messages.count - 1].hasArrived = true
                } else {
                    messages[messages.count - 1].isLost = true
                }
            }
        case 12:
            // Opening the keyring recovers what a killed run has left in the log.
            try sandbox.withKeyring(of: "chidi") { _ in }
            copy = try Data(contentsOf: URL(fileURLWithPath: sandbox.keyring(of: "chidi")))
        case 16: try resynchronise("bela", "chidi")
        case 22:
            guard let copy else { return }
            try sandbox.withKeyring(of: "chidi") { _ in }
            try overwrite(sandbox.keyring(of: "chidi"), copy)
            let adopted = try sandbox.run("smsenc-keyring", ["adopt", "--restored"], as: "chidi")
            #expect(adopted.status == 0, "\(adopted.errorText)")
            forget("chidi")
            for other in ["amina", "bela"] { try resynchronise("chidi", other) }
        case 34:
            try sandbox.replaceWithBackup(of: "amina")
            forget("amina")
            for other in ["bela", "chidi"] { try resynchronise("amina", other) }
        default: break
        }
    }

    private func resynchronise(_ one: String, _ other: String) throws {
        try sandbox.resynchronise(one, other)
        conversations[[one, other], default: 0] += 1
        for index in messages.indices
        where [messages[index].sender, messages[index].recipient].allSatisfy([one, other].contains)
            && messages[index].isCurrent
        {
            messages[index].isCurrent = false
            messages[index].ended = quarter
        }
    }

    /// What a restored keyring knew may be lost.
    private func forget(_ person: String) {
        for index in messages.indices where messages[index].sender == person {
            messages[index].state = ""
        }
    }

    /// Moves the times in the keyrings into the past.
    private func passTime(days: Double) throws {
        for person in Self.people {
            try sandbox.withKeyring(of: person) { (keyring) in
                try keyring.change { (store) throws(KeyringError) in
                    try store.contacts.forEach { (contact) throws(KeyringError) in
                        guard let state = try store.contacts.state(contact.id) else { return }
                        state.waiting = state.waiting.moved(by: Int64(days * -86_400))
                        try store.contacts.save(state)
                    }
                }
            }
        }
    }

    /// A person reads the SMS that have arrived, writes messages and sends receipts, in several runs. Some of the
    /// runs happen at the same time.
    private func playQuarter(of person: String) throws {
        var inbox = transit.filter { $0.quarter <= quarter && $0.sms.recipient == person }.map(
            \.sms)
        transit.removeAll { $0.quarter <= quarter && $0.sms.recipient == person }
        inbox.shuffle(using: &generator)
        reading = inbox
        let frames = try newFrames(of: person)
        let isConcurrent = happens(0.5)
        let (far, near) = (inbox.filter { $0.triesFar }, inbox.filter { !$0.triesFar })
        let half = happens(0.4) ? near.count / 2 : near.count
        var readers: [(job: Job, inbox: [SMS])] = []
        for (index, inbox) in [Array(near[..<half]), Array(near[half...]), far].enumerated()
        where !inbox.isEmpty {
            let lines = inbox.map { "\($0.sender)\t\($0.ciphertext)" }
            let job = try start(
                person, ["-d", "-N", "--position"] + (index == 2 ? ["--far"] : []), lines,
                name: "read\(index)",
                disturbance: disturbance(of: person, "read\(index)", reads: true))
            readers.append((job, inbox))
        }
        if isConcurrent { try write(frames, as: person) }
        for (job, inbox) in readers { try endReading(job, inbox, as: person) }
        if !isConcurrent { try write(frames, as: person) }
        try sendReceipts(of: person)
    }

    // MARK: Runs

    private func disturbance(of person: String, _ name: String, reads: Bool) -> Disturbance {
        if happens(rules.kills) {
            let output = sandbox.path("desk/\(person).\(name).out")
            let log = sandbox.keyring(of: person) + "-wal"
            return switch generator.number(below: 4) {
            case 0: .kill(file: output, call: "write,writev,pwrite64", count: 1)
            case 1: .kill(file: output, call: "fsync,fdatasync", count: 1)
            case 2: .kill(file: log, call: "fsync,fdatasync", count: 1)
            default:
                .kill(file: log, call: "pwrite64", count: 1 + generator.number(below: 24))
            }
        }
        guard happens(rules.failures) else { return .none }
        return reads || happens(0.5) ? .fullDisk : .closedPipe
    }

    private static func records(of output: some Sequence<UInt8>) -> [String] {
        lines(of: Array(output))
    }

    /// Waits for a run. Returns its complete lines, and whether it ended without being killed and without failing.
    private func end(
        _ job: Job, accepting statuses: Set<Int32>
    ) -> (output: [String], isWhole: Bool) {
        let result = job.run.finish()
        step += 1
        let isWhole = statuses.contains(result.status)
        let failure: Int32? =
            switch job.disturbance {
            case .none: nil
            case .kill: 128 + SIGKILL
            case .fullDisk: 74
            case .closedPipe: 128 + SIGPIPE
            }
        #expect(isWhole || result.status == failure, "\(result.status): \(result.errorText)")
        if !isWhole { if case .kill = job.disturbance { kills += 1 } else { failures += 1 } }
        let output = FileManager.default.contents(atPath: job.output) ?? Data()
        return (Self.records(of: output), isWhole)
    }

    /// Starts smsenc-pad.
    private func start(
        _ person: String, _ arguments: [String], _ input: [String], name: String,
        disturbance: Disturbance
    ) throws -> Job {
        step += 1
        let name = "\(person).\(name)"
        try sandbox.write(text(input), to: "desk/\(name).in")
        let output = sandbox.path("desk/\(name).out")
        try sandbox.write([], to: "desk/\(name).out")
        var words = [Tools.path("smsenc-pad")] + arguments
        if !arguments.contains("--receipts") { words.append("\(name).in") }
        var target: String? = output
        switch disturbance {
        case .none: break
        case .kill(let file, let call, let count):
            words =
                [
                    "/usr/bin/strace", "-qq", "-o", "/dev/null", "-P", file, "-e",
                    "inject=\(call):signal=KILL:when=\(count)",
                ] + words
        case .fullDisk: target = "/dev/full"
        case .closedPipe: target = nil
        }
        let run = try ToolRun(
            words, in: sandbox.path("desk"), environment: sandbox.environment(of: person),
            into: target)
        run.closeInput()
        if disturbance == .closedPipe { run.closeOutput() }
        return Job(run: run, disturbance: disturbance, output: output, started: step)
    }

    /// Encodes lines that consist of a name, a TAB and a message.
    private func encode(_ lines: [String]) throws -> [String] {
        let result = try sandbox.run("smsenc-frame", ["-s", "-f2"], input: text(lines))
        #expect(result.status == 0, "\(result.errorText)")
        return Self.records(of: result.output)
    }

    /// Returns a person's new frames, with the names of the recipients. Some of them are parts of long messages,
    /// and others are frames that the person has received.
    private func newFrames(of person: String) throws -> [String] {
        var lines: [String] = []
        var forwarded: [String] = []
        for (pair, rate) in Self.rates where pair[0] == person && quarter < 4 * rules.days {
            let count = rate * (quarter + 1) / 4 - rate * quarter / 4
            for _ in 0..<count {
                if happens(0.08), let seen = seenFrames[person]?.randomElement(using: &generator) {
                    forwarded.append("\(pair[1])\t\(seen.frame)")
                    continue
                }
                texts += 1
                var message = "Message \(texts) of \(person)"
                if happens(0.05) {
                    message += String(repeating: " goes on and on", count: 40)
                    message += (0..<90).map { _ in " \(generator.number(below: 100))" }.joined()
                }
                lines.append("\(pair[1])\t\(message)")
            }
        }
        let frames = lines.isEmpty ? [] : try encode(lines)
        return (frames + forwarded).shuffled(using: &generator)
    }

    /// Encrypts frames and hands them to the network. Frames that were not written are encrypted again.
    private func write(_ frames: [String], as person: String) throws {
        var rest = frames[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(1 + generator.number(below: 3)))
            let job = try start(
                person, ["-N", "--position"], batch, name: "write",
                disturbance: disturbance(of: person, "write", reads: false))
            let (output, isWhole) = end(job, accepting: [0])
            // A run that wrote to the pipe before it was closed has not failed, but its output is lost.
            #expect(
                !isWhole || output.count == batch.count || job.disturbance == .closedPipe)
            for (line, frame) in zip(output, batch) {
                post(try record(line, of: person, frame, job))
            }
            rest = rest.dropFirst(output.count)
        }
    }

    private func sendReceipts(of person: String) throws {
        let job = try start(
            person, ["--receipts", "-N", "--position"], [], name: "receipts",
            disturbance: disturbance(of: person, "receipts", reads: false))
        for line in end(job, accepting: [0]).output {
            receiptsAlone += 1
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == 3)
            post(
                SMS(
                    message: nil, sender: person, recipient: fields[0], ciphertext: fields[2],
                    made: job.started, conversation: conversations[[person, fields[0]]] ?? 0))
        }
    }

    /// Records a message that was written, and returns its SMS.
    private func record(
        _ line: String, of person: String, _ frame: String, _ job: Job
    ) throws -> SMS {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        try #require(fields.count == 3)
        let parts = frame.split(separator: "\t", maxSplits: 1).map(String.init)
        #expect(parts[0] == fields[0])
        messages.append(
            Message(
                sender: person, recipient: fields[0], position: fields[1], frame: parts[1],
                quarter: quarter))
        return SMS(
            message: messages.count - 1, sender: person, recipient: fields[0],
            ciphertext: fields[2], made: job.started,
            conversation: conversations[[person, fields[0]]] ?? 0)
    }

    /// Hands an SMS to the network.
    private func post(_ sms: SMS) {
        if happens(rules.loss) {
            if let message = sms.message { messages[message].isLost = true }
            return
        }
        if let message = sms.message { messages[message].hasArrived = true }
        let delay =
            happens(rules.late) ? 1 + generator.number(below: 8) : generator.number(below: 2)
        transit.append((quarter + delay, sms))
        if happens(rules.double) {
            transit.append((quarter + delay + generator.number(below: 8), sms))
        }
    }

    private func endReading(_ job: Job, _ inbox: [SMS], as person: String) throws {
        let (output, isWhole) = end(job, accepting: [0, 1])
        var shown: [String: String] = [:]
        for line in output {
            let fields = line.split(separator: "\t", maxSplits: 2).map(String.init)
            try #require(fields.count == 3)
            shown[fields[0] + " " + fields[1]] = fields[2]
        }
        for sms in inbox {
            let isCurrent = sms.conversation == conversations[[sms.sender, person]] ?? 0
            var isRead = false
            if let index = sms.message {
                if let frame = shown[sms.sender + " " + messages[index].position] {
                    isRead = true
                    messages[index].isShown = true
                    shownFrames.append((index, frame))
                    seenFrames[person, default: []].append((index, frame))
                    if isWhole, messages[index].finished == nil { messages[index].finished = step }
                }
                isRead = isRead || messages[index].finished != nil
            } else {
                isRead = isWhole
            }
            if !isWhole || !isRead, isCurrent, !(isWhole && sms.triesFar) {
                var again = sms
                again.triesFar = isWhole
                transit.append((quarter + 1, again))
            }
        }
        try compare(person)
    }

    // MARK: Checks

    /// Compares what a person's keyring says with what happened.
    private func compare(_ person: String) throws {
        let own = messages.indices.filter { messages[$0].sender == person }
        guard !own.isEmpty else { return }
        let questions = own.map { "\(messages[$0].recipient)\t\(messages[$0].position)" }
        let result = try sandbox.run(
            "smsenc-keyring", ["sent", "-"], as: person, input: text(questions))
        #expect(result.status == 0, "\(result.errorText)")
        let answers = Self.records(of: result.output)
        try #require(answers.count == questions.count)
        for (index, answer) in zip(own, answers) {
            let message = messages[index]
            let state = String(
                answer.split(separator: "\t", omittingEmptySubsequences: false)[2])
            defer { messages[index].state = state }
            let name = "\(message.position) from \(person) to \(message.recipient) in step \(step)"
            if message.state == "read", state != "read" {
                contradictions.append("\(name) was read, and is \(state)")
            }
            switch state {
            case "read":
                if !message.isShown { contradictions.append("\(name) was not read") }
            case "missing":
                if !message.isCurrent {
                    contradictions.append("\(name) is of an earlier conversation")
                }
                guard message.state != "missing" else { continue }
                if message.named == nil { messages[index].named = quarter }
                // Any of the SMS that the person reads in this quarter may have contained the receipt.
                let made = reading.filter { $0.sender == message.recipient }.map(\.made)
                if made.isEmpty { contradictions.append("\(name) is missing without a receipt") }
                if let finished = message.finished, made.allSatisfy({ finished < $0 }) {
                    contradictions.append("\(name) was read before the receipt was made")
                }
            case "ended":
                if message.isCurrent { contradictions.append("\(name) is of this conversation") }
            case "":
                if !message.isCurrent { contradictions.append("\(name) has not ended") }
            default: contradictions.append("\(name) is \(state)")
            }
        }
    }

    /// Lets everything arrive, without kills and losses, until all that is known has been said.
    private func finish() throws {
        (rules.loss, rules.kills, rules.failures, rules.late, rules.double) = (0, 0, 0, 0, 0)
        for round in 0..<7 {
            for person in Self.people {
                if round == 0 || round == 2 {
                    let lines = Self.people.filter { $0 != person }.map { "\($0)\tGood night" }
                    try write(try encode(lines), as: person)
                }
            }
            for person in Self.people { try playQuarter(of: person) }
            quarter += 10
            try passTime(days: 4)
        }
        for message in messages where message.isCurrent {
            let name = "\(message.position) from \(message.sender) to \(message.recipient)"
            if message.hasArrived {
                if !message.isShown { contradictions.append("\(name) arrived and was not shown") }
                if message.state != "read" {
                    contradictions.append("\(name) was read, and is \(message.state) at the end")
                }
            } else if message.state != "missing" {
                contradictions.append("\(name) was lost, and is \(message.state) at the end")
            }
        }
        let sent = try decode(shownFrames.map { messages[$0.message].frame })
        #expect(try decode(shownFrames.map(\.frame)) == sent)
        if Set(messages.map { "\($0.sender) \($0.recipient) \($0.position)" }).count
            != messages.count
        {
            contradictions.append("a position was printed twice")
        }
    }

    private func decode(_ frames: [String]) throws -> [String] {
        let result = try sandbox.run("smsenc-frame", ["-d"], input: text(frames))
        #expect(result.status == 0, "\(result.errorText)")
        return Self.records(of: result.output)
    }
}

extension WaitingReceipt {
    /// Returns this value with all times moved by a number of seconds.
    fileprivate func moved(by seconds: Int64) -> WaitingReceipt {
        var record = SecretWriter()
        write(to: &record)
        var stored = bytes(of: record.finish())
        // The times of the oldest message and of the last repetition.
        for place in [4..<12, 20..<28] {
            let time = stored[place].reduce(0) { $0 << 8 | Int64($1) }
            if time > 0 { stored.replaceSubrange(place, with: Array(bigEndian: time + seconds)) }
        }
        var reader = SecretReader(SecretBytes(copying: stored.span))
        guard let moved = try? WaitingReceipt(from: &reader) else { return self }
        return moved
    }
}
