import Foundation
import Protocol
import System
import Support
import Testing

@testable import Keyring

/// Tests messages that were decrypted, but possibly not written. Their keys are kept until this is known
/// (smsenc-protocol(7), Stored state).
@Suite(.measured) struct CrashTests {
    private let messages = (0..<5).map { "Message \($0)" }

    /// Simulates a process that dies while it writes five decrypted messages. `written` is the number of
    /// messages that were confirmed.
    private func crash(written: Int) throws -> (amina: Person, bela: Person, sent: [[UInt8]]) {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt(messages).ciphertexts
        #expect(try bela.receive(sent, written: written) == messages.map(Read.message))
        return (amina, bela, sent)
    }

    @Test func aProcessCannotDecryptItsUnwrittenMessagesAgain() throws {
        let (_, bela, sent) = try crash(written: 0)
        #expect(try bela.receive(sent) == sent.map { _ in .refused })
    }

    @Test(arguments: [0, 1, 4])
    func messagesOfADeadProcessCanBeDecryptedOnceMore(_ written: Int) throws {
        let (amina, bela, sent) = try crash(written: written)
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        let again = messages.enumerated().map { index, message in
            index < written ? Read.refused : .again(message)
        }
        #expect(try bela.receive(sent) == again)
        bela.close()
        #expect(try bela.receive(sent) == sent.map { _ in .refused })
        #expect(try bela.receive(try amina.send("On we go")) == ["On we go"])
    }

    @Test func refusedMessagesDoNotAffectUnwrittenKeys() throws {
        let (amina, bela, sent) = try crash(written: 0)
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        var altered = sent[2]
        altered[0] = (altered[0] + 1) % 125
        for _ in 0..<2 {
            bela.close()
            #expect(try bela.receive([altered]) == [.refused])
        }
        for message in ["One more", "And another"] {
            bela.close()
            #expect(try bela.receive(try amina.send(message)) == [.message(message)])
        }
        #expect(try bela.receive(sent) == messages.map(Read.again))
    }

    enum End: CaseIterable { case killed, zombie, anotherProcess }

    @Test(arguments: End.allCases)
    func messagesOfALivingProcessCannotBeDecryptedAgain(_ end: End) throws {
        let (_, bela, sent) = try crash(written: 0)
        let number = try spawn(["/bin/sleep", "1000"], environment: [:], descriptors: [])
        defer {
            kill(number, SIGKILL)
            if end != .killed { _ = exitStatus(of: number) }
        }
        // The start time is field 22 of proc_pid_stat(5).
        let stat = try String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
        let start = stat.split(separator: " ")[21]
        #expect(try bela.mark(as: "\(number) \(start) first boot") == 1)
        #expect(try bela.receive(sent) == sent.map { _ in .refused })
        switch end {
        case .killed:
            kill(number, SIGKILL)
            _ = exitStatus(of: number)
        case .zombie:
            kill(number, SIGKILL)
            var facts = unsafe siginfo_t()
            _ = unsafe waitid(P_PID, id_t(number), &facts, WEXITED | WNOWAIT)
        case .anotherProcess:
            // Another process has the same PID later.
            #expect(try bela.mark(as: "\(number) 1 first boot") == 1)
        }
        #expect(try bela.receive([sent[1]]) == [.again(messages[1])])
        #expect(try bela.receive([sent[0]]) == [.again(messages[0])])
    }

    /// No clock decides about keys.
    @Test func aLateMessageIsNotMistakenForARepeatedMessage() throws {
        let (amina, bela, sent) = try crash(written: 0)
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        bela.clock.turn(by: 10 * 365 * 86_400)
        let late = try amina.encrypt(["First", "Second"]).ciphertexts
        #expect(try bela.receive([late[1], late[0]]) == ["Second", .late("First")])
        #expect(try bela.receive(sent) == messages.map(Read.again))
    }

    @Test func messagesOfTwoDeadRunsCanBeDecryptedAgain() throws {
        let (amina, bela, sent) = try crash(written: 3)
        bela.close()
        let later = try amina.encrypt(["Later", "Last"]).ciphertexts
        #expect(try bela.receive(later, written: 1) == ["Later", "Last"])
        #expect(try bela.mark(as: "1 0 another boot") == 2)
        let again = [sent[4], later[1], later[0], sent[3]]
        #expect(
            try bela.receive(again)
                == [.again(messages[4]), .again("Last"), .refused, .again(messages[3])])
        #expect(try bela.open().check { Issue.record("\($0)") } == 0)
    }

    @Test func removingAContactErasesItsUnwrittenKeys() throws {
        let (_, bela, _) = try crash(written: 1)
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        let keyring = try bela.open()
        try keyring.remove(try bela.contact(in: keyring))
        #expect(try bela.busyRecords() == 0 && bela.count(.past) == 0)
        #expect(try keyring.check { Issue.record("\($0)") } == 0)
    }

    /// The process is still alive, so its keys are in its own record.
    @Test func removingAContactErasesTheKeysOfALiveProcess() throws {
        let (_, bela, _) = try crash(written: 1)
        let keyring = try bela.open()
        try keyring.remove(try bela.contact(in: keyring))
        // The record of the process itself remains until the process is dead.
        #expect(try bela.busyRecords() == 1 && bela.count(.past) == 0)
        #expect(try keyring.check { Issue.record("\($0)") } == 0)
    }

    @Test(arguments: ["restored", "lost", "sync"])
    func resynchronisingErasesUnwrittenKeys(_ command: String) throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt(messages).ciphertexts
        #expect(try bela.receive([sent[3], sent[1]], written: 0).count == 2)
        #expect(try bela.busyRecords() == 2 && bela.count(.past) == 1)
        let theirs = try amina.syncKey()
        _ = try bela.syncKey()
        let keyring = try bela.open()
        switch command {
        case "restored": try keyring.adoptRestored()
        case "lost": try keyring.loseKeys(of: [bela.contact(in: keyring)]) { (_, _) in }
        default: try bela.synchronise(with: theirs)
        }
        #expect(try bela.count(.past) == 0 && bela.busyRecords() == (command == "restored" ? 0 : 1))
        #expect(try bela.mark(as: "1 0 another boot") == 0)
        #expect(try bela.receive(sent) == sent.map { _ in .refused })
        #expect(try bela.isSound())
    }

    /// A process dies with a whole batch of one contact that is not written, and so does the next process,
    /// which decrypts the batch again. All messages are read, and the 1,024 skipped keys remain.
    @Test func aWholeBatchOfADeadProcessIsReadAfterTwoKills() throws {
        let (amina, bela) = try Person.pair()
        func send(_ count: Int, _ name: String) throws -> [[UInt8]] {
            var sent: [[UInt8]] = []
            while sent.count < count {
                let left = (sent.count..<min(count, sent.count + 90)).map { "\(name) \($0)" }
                let part = try amina.encrypt(left)
                try part.finish()
                sent += part.ciphertexts
            }
            return sent
        }
        let skipped = try send(1200, "Skipped")
        let heads = stride(from: 99, to: 1200, by: 100).map { skipped[$0] }
        #expect(try bela.receive(heads).allSatisfy { $0 != .refused })
        let count = 3584
        let sent = try send(count, "Message")
        let all = (0..<count).map { "Message \($0)" }
        // Keys that the sender discarded are skipped, too, so the oldest skipped keys go.
        #expect(try bela.receive(sent, written: 0) == all.map(Read.message))
        bela.close()
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        #expect(try bela.receive(sent, written: 0) == all.map(Read.again))
        bela.close()
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        #expect(try bela.receive(sent) == all.map(Read.again))
        let past = try bela.past()
        #expect(past.again.count == 0 && past.skipped.count == 1024)
        #expect(try bela.receive([skipped[1198], sent[0]]) == [.late("Skipped 1198"), .refused])
        #expect(try bela.isSound())
    }

    /// The stored copy of the chain does not yield the keys of messages that were written.
    @Test func theKeysOfWrittenMessagesAreErased() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt((0..<9).map { "Message \($0)" }).ciphertexts
        _ = try bela.receive(Array(sent[..<3]) + sent[4...], written: 5)
        let stored = try bela.open().reading { (store) throws(KeyringError) in
            let id = store.ids(of: .run).first { $0 % 2 == 1 } ?? 0
            return try store.read(
                RecordName(.run, id), under: store.keyring.ring.sealingKey, RunContents.init(from:))
        }
        let contents = try #require(stored)
        #expect(contents.places.count == 3 && contents.chains.count == 1 && contents.keys.isEmpty)
        #expect(contents.chains[0].chain.chain.start.position == contents.places[0].position)
        bela.close()
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        #expect(
            try bela.receive(Array(sent[3...]))
                == [.late("Message 3"), .refused, .refused]
                + (6..<9).map { .again("Message \($0)") })
    }

    /// Three processes decrypt messages at the same time, and all of them die before they have written any.
    /// The keys of all their messages are kept.
    @Test func threeProcessesThatDieLoseNoMessage() throws {
        let (amina, bela) = try Person.pair()
        var sent: [[UInt8]] = []
        while sent.count < 3 * 3584 {
            let part = try amina.encrypt((0..<90).map { "\(sent.count + $0)" })
            try part.finish()
            sent += part.ciphertexts
        }
        let processes = [
            try bela.another(bootID: "boot before"), try bela.another(bootID: "boot before"),
            try bela.another(bootID: "boot before"),
        ]
        var next = 0
        for process in processes {
            let read = try bela.receive(
                Array(sent[next..<(next + 3584)]), written: 0, with: process)
            next += read.count { $0 != .refused }
        }
        #expect(next == ConversationPast.maximumKeysToReadAgain)
        _ = try bela.open().add(name: "Chidi", number: nil)
        #expect(try bela.past().again.count == next)
        for index in [0, 3584, 7168, next - 1] {
            #expect(try bela.receive([sent[index]]) == [.again("\(index)")])
        }
        #expect(try bela.isSound())
    }

    /// While more than 4,096 messages wait to be read again, no other message is decrypted, so a further kill
    /// loses none.
    @Test func messagesThatWaitAreReadFirst() throws {
        let (amina, bela) = try Person.pair()
        var sent: [[UInt8]] = []
        var left = 0
        for batch in 0..<50 {
            let part = try amina.encrypt((0..<90).map { "\(batch) \($0)" })
            try part.finish()
            sent += part.ciphertexts
        }
        for range in [0..<3000, 3000..<sent.count] {
            let read = try bela.receive(Array(sent[range]), written: 0)
            left += read.count { $0 != .refused }
            bela.close()
            #expect(try bela.mark(as: "1 0 another boot") == 1)
        }
        #expect(left == sent.count && left > 4096)
        let next = try amina.send("Next")
        #expect(try bela.receive(next) == [.refused])
        _ = try bela.open().add(name: "Chidi", number: nil)
        #expect(try bela.past().again.count == left)
        // Once fewer wait, other messages are decrypted, too.
        let some = left - 4096
        #expect(
            try bela.receive(Array(sent[..<some])).allSatisfy {
                if case .again = $0 { true } else { false }
            })
        #expect(try bela.receive(next) == ["Next"])
        #expect(try bela.receive(Array(sent[some...])).contains(.refused) == false)
    }
}
