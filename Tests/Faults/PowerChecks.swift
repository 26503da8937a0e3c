import Foundation
import Support
import TestPeople
import Testing

/// A check of the disk states after a power cut.
protocol PowerCheck {
    /// Records a step before the cut.
    mutating func pass(_ step: Recording.Step) throws
    /// Lets the tools continue from a state, which has already been restored. Returns a description of the
    /// fault, or nil if there is none.
    mutating func fault(in state: Disk.State) throws -> String?
}

extension PowerCut {
    /// Approximate number of states to try for each case.
    static let wanted = ProcessInfo.processInfo.environment["SMSENC_CUTS"].flatMap { Int($0) }

    /// Cuts the power at many points of a recording, and lets the tools continue each time.
    ///
    /// - Parameters:
    ///   - weight: the number of states relative to other cases.
    ///   - checks: the checks of each state, in order.
    func cut(
        _ name: String, _ recorded: Recorded, _ weight: Double, _ checks: [any PowerCheck]
    ) throws {
        let number = Int(Double(Self.wanted ?? 25) * weight)
        let cuts = PowerCutSelection(
            of: recorded.recording, from: recorded.before, number: number, seed: 1, isNote: isNote)
        var checks = checks
        var disk = Disk(recorded.before)
        var tried: Set<Int> = []
        var faults: [String] = []
        var (step, count) = (0, 0)
        for cut in cuts.cuts {
            while step < cut.step {
                let next = recorded.recording.steps[step]
                disk.play(next)
                for index in checks.indices { try checks[index].pass(next) }
                if !next.changesDisk { tried.removeAll() }
                step += 1
            }
            let state = disk.state(cut.outcomes)
            guard tried.insert(state.fingerprint).inserted else { continue }
            count += 1
            try put(state, inodes: recorded.inodes)
            for index in checks.indices {
                guard let fault = try checks[index].fault(in: state) else { continue }
                faults.append("cut \(step): \(fault)")
                break
            }
        }
        if Self.wanted != nil {
            print("power: \(name): \(count) states, \(faults.count) bad \(faults.first ?? "")")
        }
        #expect(faults.isEmpty, "\(faults.count) of \(count) states, \(faults.prefix(3))")
    }
}

extension Recording.Step {
    /// False for steps that change only the output and not the disk.
    fileprivate var changesDisk: Bool {
        switch kind {
        case .leave, .arrive, .end: false
        default: true
        }
    }
}

extension PowerCut {
    /// Returns the records of a table with messages to each contact in turn.
    func table(_ count: Int, contacts: Int) -> [String] {
        (0..<count).map { "b\($0 % contacts + 1)\t\(frames[$0])" }
    }

    func run(
        _ tool: String, _ arguments: [String], _ records: [String] = [], as person: String = "amina"
    ) throws -> (status: Int32, lines: [String], errors: String) {
        if !records.isEmpty { try sandbox.write(text(records), to: "desk/next") }
        var environment = sandbox.environment(of: person)
        if person == "amina", let newSession { environment["SMSENC_SESSION"] = newSession }
        let run = try ToolRun(
            [Tools.path(tool)] + arguments, in: sandbox.path("desk"), environment: environment)
        run.closeInput()
        let result = run.finish()
        return (result.status, lines(of: result.output), result.errorText)
    }

    /// Encrypts a table without interruption. Bela uses the name a7 for the conversation that Amina calls
    /// b7.
    func send(_ table: [String], from person: String) throws -> [String] {
        let records = person == "bela" ? table.map { "a" + $0.dropFirst() } : table
        let sent = try run("smsenc-pad", ["next"], records, as: person)
        try #require(sent.status == 0 && sent.lines.count == table.count, "\(sent.errors)")
        return person == "bela" ? sent.lines.map { "b" + $0.dropFirst() } : sent.lines
    }

    /// Leaves keys of a contact in flight, because a process whose ciphertexts nobody reads dies.
    func leaveFlight(of contact: Int) throws {
        let records = (0..<60).map { "b\(contact)\t\(frames[$0])" }
        try sandbox.write(text(records), to: "desk/in")
        let run = try sandbox.start("smsenc-pad", ["in"], as: "amina")
        run.narrowOutput()
        // Nobody reads the output, so the process waits for room in the pipe.
        while run.unreadOutput == 0 { usleep(1000) }
        run.kill()
        _ = run.finish()
    }
}

/// Checks that no key encrypts twice, before or after the power cut. Also checks that the contact can
/// decrypt everything that was output, and that the contact's replies can be decrypted.
struct KeyReuseCheck: PowerCheck {
    private struct Key: Hashable {
        let contact: Int
        let mark: KeyTrace.Mark
    }

    private let power: PowerCut
    private let traces: [Int: KeyTrace]
    /// Everything that was output, by stream, with the keys that were used.
    private var all: [String: [(line: String, key: Key)]] = [:]
    /// Number of lines that were output completely so far, and number of lines that were output at least
    /// in part.
    private var begun: [String: (whole: Int, begun: Int)] = [:]
    private var used: Set<Key> = []
    private var last: [Int: KeyTrace.Mark] = [:]
    /// Messages that Bela has not read yet, and his keyring after he has read the others.
    private var unread: [String] = []
    private var bela: [UInt8]
    private var answer: (record: String, expected: String)?
    private var turn = 0

    /// Creates the check.
    ///
    /// - Parameter stream: the suffix of another stream, which is ignored.
    init(
        _ power: PowerCut, _ recorded: PowerCut.Recorded, _ traces: [Int: KeyTrace],
        without stream: String?
    ) throws {
        self.power = power
        self.traces = traces
        bela = try power.sandbox.contents(power.sandbox.keyring(of: "bela"))
        try #require(recorded.result.status == 0, "\(recorded.result.errorText)")
        var streams: [String: [UInt8]] = [:]
        for case .leave(let stream, let bytes) in recorded.recording.steps.map(\.kind) {
            streams[stream, default: []] += bytes
        }
        for (name, bytes) in streams where !(stream.map(name.hasSuffix) ?? false) {
            for line in lines(of: bytes) {
                guard let contact = Self.contact(line),
                    let found = try traces[contact]?.place(
                        Self.payload(line),
                        after: all[name]?.last { $0.key.contact == contact }?.key.mark)
                else { continue }
                all[name, default: []].append((line, Key(contact: contact, mark: found.mark)))
            }
        }
        try #require(!all.isEmpty)
    }

    private static func contact(_ line: String) -> Int? {
        Int(line.dropFirst().prefix { $0 != "\t" })
    }

    private static func payload(_ line: String) -> String {
        String(line.drop { $0 != "\t" }.dropFirst())
    }

    mutating func pass(_ step: Recording.Step) throws {
        guard case .leave(let stream, let bytes) = step.kind, let sent = all[stream] else { return }
        let (whole, count) = begun[stream] ?? (0, 0)
        let ends = whole + lines(of: bytes).count
        let now = bytes.last == 10 ? ends : ends + 1
        for (line, key) in sent[min(count, sent.count)..<min(now, sent.count)] {
            used.insert(key)
            last[key.contact] = max(last[key.contact] ?? key.mark, key.mark)
            unread.append("a" + line.dropFirst())
        }
        begun[stream] = (ends, now)
    }

    /// Lets Bela read what was output so far, and reply.
    private mutating func readOn() throws {
        guard let record = unread.last, let contact = Self.contact(record) else { return }
        try power.put(bela, of: "bela")
        let read = try power.run("smsenc-pad", ["-d", "next"], unread, as: "bela")
        #expect(read.status == 0 && read.lines.count == unread.count, "\(read.errors)")
        bela = try power.sandbox.contents(power.sandbox.keyring(of: "bela"))
        unread = []
        let expected = "b\(contact)\t\(power.frames[turn])"
        answer = (try power.send([expected], from: "bela")[0], expected)
    }

    mutating func fault(in state: Disk.State) throws -> String? {
        turn += 1
        try readOn()
        // These are contacts for whom messages were encrypted, and other contacts.
        let written = last.keys.sorted()
        let contacts = Set([written.first ?? 1, written.last ?? 1, 1, traces.count]).sorted()
        let table = contacts.flatMap { contact in
            (0..<2).map { "b\(contact)\t\(power.frames[turn + $0])" }
        }
        let sent = try power.run("smsenc-pad", ["next"], table)
        guard sent.status == 0, sent.lines.count == table.count else {
            return "status \(sent.status): \(sent.errors)"
        }
        for line in sent.lines {
            guard let contact = Self.contact(line), let trace = traces[contact] else { continue }
            let mark = try trace.mark(
                of: Self.payload(line), after: last[contact] ?? KeyTrace.Mark())
            guard let mark else { return "no key made what was sent" }
            if used.contains(Key(contact: contact, mark: mark)) {
                return "message key \(mark.key) was used twice"
            }
            // A recipient tries this number of keys (smsenc-protocol(7), Next keys).
            let behind = last[contact] ?? KeyTrace.Mark()
            if mark.chain == behind.chain, mark.key - behind.key > 128 {
                return "nobody reads this"
            }
        }
        if let answer {
            let read = try power.run("smsenc-pad", ["-d", "next"], [answer.record])
            guard read.status == 0, read.lines == [answer.expected] else {
                return "an answer is not read, status \(read.status): \(read.errors)"
            }
        }
        guard turn % 4 == 0 else { return nil }
        try power.put(bela, of: "bela")
        let records = sent.lines.map { "a" + $0.dropFirst() }
        let read = try power.run("smsenc-pad", ["-d", "next"], records, as: "bela")
        let isRead = read.status == 0 && read.lines.map { "b" + $0.dropFirst() } == table
        return isRead ? nil : "Bela cannot read on: \(read.errors)"
    }
}

/// Checks that each received message either is in the output on the disk, or can be decrypted again.
struct ReceivedMessagesCheck: PowerCheck {
    private let power: PowerCut
    private let options: [String]
    /// Expected output lines, and the records from which they are decrypted.
    private let expected: [(line: String, bytes: [UInt8], record: String)]
    private let output: String
    private let isPipe: Bool
    /// Output that was written to a pipe.
    private var taken: [String: [UInt8]] = [:]
    private var left: [String: [UInt8]] = [:]
    private var turn = 0

    init(
        _ power: PowerCut, _ recorded: PowerCut.Recorded, _ options: String,
        _ messages: [(record: String, line: String)], into file: String = "out"
    ) throws {
        self.power = power
        self.options = options.split(separator: " ").map(String.init)
        expected = messages.map { ($0.line, text([$0.line]), $0.record) }
        output = power.sandbox.path("desk/" + file)
        let output = output
        isPipe = !recorded.recording.steps.contains { step in
            if case .leave(output, _) = step.kind { true } else { false }
        }
        try #require(recorded.result.status == 0, "\(recorded.result.errorText)")
    }

    mutating func pass(_ step: Recording.Step) {
        switch step.kind {
        case .leave(let stream, let bytes): left[stream, default: []] += bytes
        case .arrive(let stream, _): taken[stream] = left[stream]
        default: break
        }
    }

    mutating func fault(in state: Disk.State) throws -> String? {
        turn += 1
        let kept = isPipe ? taken.values.first ?? [] : state.contents(of: output) ?? []
        var place = 0
        let missing = expected.filter { message in
            defer { place += message.bytes.count }
            return !kept.holds(message.bytes, at: place)
        }
        if !missing.isEmpty {
            let read = try power.run(
                "smsenc-pad", ["-d"] + options + ["next"], missing.map(\.record))
            guard read.status == 0, read.lines == missing.map(\.line) else {
                return "lost \(missing.count - read.lines.count) of \(missing.count),"
                    + " status \(read.status): \(read.errors)"
            }
        }
        let sent = try power.run("smsenc-pad", ["next"], ["b1\t" + power.frames[turn]])
        return sent.status == 0 ? nil : "status \(sent.status): \(sent.errors)"
    }
}

extension [UInt8] {
    /// Returns true if the bytes are found at this offset.
    fileprivate func holds(_ bytes: [UInt8], at place: Int) -> Bool {
        guard place + bytes.count <= count else { return false }
        return unsafe withUnsafeBytes { own in
            unsafe bytes.withUnsafeBytes { other in
                guard let start = own.baseAddress, let wanted = other.baseAddress
                else {
                    return false
                }
                return unsafe memcmp(start + place, wanted, other.count) == 0
            }
        }
    }
}
