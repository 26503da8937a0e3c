import Foundation
import Support
import TestPeople
import Testing

extension Faults {
    /// Cuts the power at any moment of a run, and continues from every state in which the disk may be. No
    /// message key may encrypt twice, every message that was output must be readable, no received message
    /// may be lost, the keyring must be intact, and no keyring may be mistaken for a restored keyring.
    ///
    /// SMSENC_CUTS sets the approximate number of states for each case, and prints the results.
    @Suite(
        .serialized,
        .enabled(
            if: PowerCut.obstacle == nil,
            "needs strace(1) and unshare(1), and the right to use them: \(PowerCut.obstacle ?? "")")
    )
    struct Power {
        private static let few = Result { try PowerCut(contacts: 2) }
        private static let many = Result { try PowerCut(contacts: 300) }

        @Test(arguments: EncryptionWork.all) func aPowerCutWhileEncryptingReusesNoKey(
            _ work: EncryptionWork
        ) throws {
            let power = try (work.contacts > 2 ? Self.many : Self.few).get()
            try power.reset()
            let table = power.table(work.messages, contacts: work.contacts)
            let traces = try power.traces(of: 1...max(2, work.contacts))
            if work.hasDead { try power.leaveFlight(of: 2) }
            let inbox = work.form == .withReading ? try power.fillInbox(traces[1]) : []
            let recorded = try work.record(table, on: power)
            let isRead = work.form == .withReading
            var checks: [any PowerCheck] = [
                try KeyReuseCheck(power, recorded, traces, without: isRead ? "out1" : nil)
            ]
            if isRead {
                checks.append(try ReceivedMessagesCheck(power, recorded, "", inbox, into: "out1"))
            }
            try power.cut(work.name, recorded, work.weight, checks)
        }

        @Test(arguments: DecryptionWork.all) func aPowerCutWhileDecryptingLosesNoMessage(
            _ work: DecryptionWork
        ) throws {
            let power = try (work.contacts > 2 ? Self.many : Self.few).get()
            try power.reset()
            let table = power.table(work.messages, contacts: work.contacts)
            let sent = try power.send(table, from: "bela")
            let chosen = work.chosen(Array(zip(sent, table)))
            try power.sandbox.write(text(chosen.map(\.0)), to: "desk/in")
            let command = "smsenc-pad -d \(work.options) in"
            let recorded = try power.record(command, toPipe: work.isPipe)
            try power.cut(
                work.name, recorded, work.weight,
                [try ReceivedMessagesCheck(power, recorded, work.options, chosen)])
        }

        /// A disk fails to synchronise once or twice and drops the data. The next run does not notice
        /// this. After that, the power is cut.
        @Test(arguments: FailingDisk.all) func aPowerCutAfterADiskFailureLosesNothing(
            _ work: FailingDisk
        ) throws {
            let power = try Self.few.get()
            try power.reset()
            let table = power.table(30, contacts: 1)
            let traces = try power.traces(of: 1...2)
            let inbox = work.reads ? try power.fillInbox(traces[1]) : []
            try power.sandbox.write(text(table.prefix(15)), to: "desk/in0")
            try power.sandbox.write(text(table.suffix(15)), to: "desk/in1")
            let first = work.reads ? "smsenc-pad -d read >out1" : "smsenc-pad in0 >out"
            let recorded = try power.record(
                "smsenc-pad in1 >out0", after: (script: first, calls: work.calls))
            var checks: [any PowerCheck] = [
                try KeyReuseCheck(power, recorded, traces, without: work.reads ? "out1" : nil)
            ]
            if work.reads {
                checks.append(try ReceivedMessagesCheck(power, recorded, "", inbox, into: "out1"))
            }
            try power.cut("\(work)", recorded, 0.3, checks)
        }
    }

    /// Cuts the power while smsenc-keyring is running.
    @Suite(.measured, .serialized, .enabled(if: PowerCut.obstacle == nil, "needs what Power needs"))
    struct PowerOfKeyringCommands {
        private static let few = Result { try PowerCut(contacts: 2) }

        /// Fails if a new command is neither tested here nor listed as a command that changes nothing.
        @Test func everyCommandIsTestedOrKnownToChangeNothing() throws {
            let help = try Sandbox().run("smsenc-keyring", ["--help"]).outputText
            let commands = help.matches(of: #/(?m)^  ([a-z][a-z-]*)/#).map { String($0.1) }
            let names = KeyringWork.all.map(\.name) + MoveWork.all.map(\.name)
            let done = names.map { String($0.prefix { $0 != " " && $0 != "," }) }
            #expect(Set(commands) == Set(done + KeyringWork.changingNothing))
        }

        @Test(arguments: KeyringWork.all) func aPowerCutLeavesCommandsCompleteOrWithoutEffect(
            _ work: KeyringWork
        ) throws {
            let power = try Self.few.get()
            try power.reset()
            let script = try work.prepare(power)
            let before = work.appears ? [] : try KeyringStateCheck.views(work, on: power)
            let recorded = try power.record(script, usesSession: !work.needsPassword)
            power.newSession = nil
            defer { power.newSession = nil }
            if work.appears { try power.openNewSession() }
            try power.cut(
                work.name, recorded, 0.5,
                [try KeyringStateCheck(power, recorded, work, before: before)])
        }

        @Test(arguments: MoveWork.all) func aPowerCutLeavesAMoveThatCanBeRepeated(
            _ work: MoveWork
        ) throws {
            let power = try PowerCut(contacts: 2)
            let past = try work.prepare(power)
            let recorded = try power.record("smsenc-keyring move \(MoveWork.target(power))")
            try power.cut(work.name, recorded, 0.5, [try MoveCheck(power, recorded, work, past)])
        }
    }
}

/// A run that encrypts while the power is cut.
struct EncryptionWork: Sendable, CustomTestStringConvertible {
    enum Form { case file, pipe, fed, threeRuns, twoAtOnce, withReading }

    let name: String
    let messages: Int
    var contacts = 1
    let form: Form
    /// True if a process died while keys of another contact were in flight.
    var hasDead = false
    var weight = 1.0

    var testDescription: String { name }

    static let all = [
        Self(name: "one message, file", messages: 1, form: .file),
        Self(name: "one message, pipe", messages: 1, form: .pipe),
        Self(name: "three runs", messages: 3, form: .threeRuns),
        Self(name: "bulk, file", messages: 320, form: .file),
        Self(name: "bulk, pipe", messages: 320, form: .pipe),
        Self(name: "fed one by one", messages: 5, form: .fed),
        Self(name: "two at once", messages: 240, form: .twoAtOnce),
        Self(name: "beside decrypting", messages: 240, form: .withReading),
        Self(name: "6,500 messages", messages: 6500, form: .pipe),
        Self(name: "6,500 after a death", messages: 6500, form: .pipe, hasDead: true, weight: 2),
        Self(name: "300 contacts, file", messages: 300, contacts: 300, form: .file),
        Self(name: "300 contacts, pipe", messages: 600, contacts: 300, form: .pipe),
    ]

    func record(_ table: [String], on power: PowerCut) throws -> PowerCut.Recorded {
        let parts = form == .threeRuns ? 3 : form == .twoAtOnce ? 2 : 1
        let size = table.count / parts
        for part in 0..<parts {
            try power.sandbox.write(
                text(table[(part * size)..<((part + 1) * size)]), to: "desk/in\(part)")
        }
        return switch form {
        case .file: try power.record("smsenc-pad in0", toPipe: false)
        case .pipe: try power.record("smsenc-pad in0")
        case .fed: try power.record("smsenc-pad", feeding: table)
        case .threeRuns: try power.record("smsenc-pad in0; smsenc-pad in1; smsenc-pad in2")
        case .withReading:
            try power.record("smsenc-pad in0 >out0 & smsenc-pad -d read >out1; wait")
        case .twoAtOnce:
            try power.record("smsenc-pad in0 >out0 & smsenc-pad in1 >out1; wait")
        }
    }
}

/// A run during which synchronisations fail. The numbers count the calls, in the syntax of strace(1): 1 is
/// the header of the log, 2 the folder, 3 the commit, 4 the log at the end, and 5 the keyring. If the
/// folder cannot be synchronised, nothing is accepted.
struct FailingDisk: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    let calls: String
    /// True if the first run decrypts messages, false if it encrypts messages.
    var reads = false

    var description: String { "\(reads ? "de" : "en")ciphering, \(calls) fails" }
    var testDescription: String { description }

    static let all =
        ["3", "4", "5", "4..5"].map { Self(calls: $0) }
        + ["4", "4..5"].map { Self(calls: $0, reads: true) }
}

/// A run that decrypts while the power is cut.
struct DecryptionWork: Sendable, CustomTestStringConvertible {
    let name: String
    let messages: Int
    var contacts = 1
    var isPipe = false
    var options = ""
    /// Whether some messages arrive late or are lost.
    var order = Order.asSent
    var weight = 1.0

    enum Order { case asSent, late, lost }

    var testDescription: String { name }

    static let all = [
        Self(name: "one message, file", messages: 1),
        Self(name: "one message, pipe", messages: 1, isPipe: true),
        Self(name: "bulk, file", messages: 400),
        Self(name: "bulk, pipe", messages: 400, isPipe: true),
        Self(name: "late", messages: 100, order: .late),
        Self(name: "far, file", messages: 400, options: "--far", order: .lost),
        Self(name: "far, pipe", messages: 400, isPipe: true, options: "--far", order: .lost),
        Self(name: "300 contacts, file", messages: 300, contacts: 300),
        Self(name: "300 contacts, pipe", messages: 300, contacts: 300, isPipe: true),
        Self(name: "7,200 messages", messages: 7200, contacts: 300, weight: 0.5),
    ]

    func chosen(_ messages: [(String, String)]) -> [(String, String)] {
        var generator = Generator(seed: 3)
        return switch order {
        case .asSent: messages
        case .late: messages.shuffled(using: &generator)
        case .lost: Array(messages.dropFirst(300))
        }
    }
}
