import Foundation
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

    @Test func messagesOfALivingProcessCannotBeDecryptedAgain() throws {
        let (_, bela, sent) = try crash(written: 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["1000"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        // The start time is field 22 of proc_pid_stat(5).
        let number = process.processIdentifier
        let stat = try String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
        let start = stat.split(separator: " ")[21]
        #expect(try bela.mark(as: "\(number) \(start) first boot") == 1)
        #expect(try bela.receive(sent) == sent.map { _ in .refused })
        // Another process has the same PID later.
        #expect(try bela.mark(as: "\(number) 1 first boot") == 1)
        #expect(try bela.receive([sent[0]]) == [.again(messages[0])])
        #expect(try bela.mark(as: "\(number) \(start) first boot") == 1)
        #expect(try bela.receive([sent[1]]) == [.refused])
        kill(number, SIGKILL)
        process.waitUntilExit()
        #expect(try bela.receive([sent[1]]) == [.again(messages[1])])
    }

    @Test func unwrittenKeysExpireAfter30Days() throws {
        let (_, bela, sent) = try crash(written: 0)
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        bela.clock.turn(by: 30 * 86_400)
        #expect(try bela.receive([sent[0]]) == [.again(messages[0])])
        bela.clock.turn(by: 1)
        #expect(try bela.receive([sent[1]]) == [.refused])
    }

    @Test func aLateMessageIsNotMistakenForARepeatedMessageAfterKeysExpire() throws {
        let (amina, bela, _) = try crash(written: 0)
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        bela.clock.turn(by: 31 * 86_400)
        let late = try amina.encrypt(["First", "Second"]).ciphertexts
        #expect(try bela.receive([late[1], late[0]]) == ["Second", .late("First")])
    }

    @Test func messagesOfTwoDeadRunsCanBeDecryptedAgain() throws {
        let (amina, bela, sent) = try crash(written: 3)
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
        let rows = try keyring.database.statement("SELECT count(*) FROM unwritten")
        #expect(try rows.first { $0.integer(0) } == 0)
        #expect(try keyring.check { Issue.record("\($0)") } == 0)
    }

    @Test func resynchronisingErasesUnwrittenKeys() throws {
        let (_, bela, _) = try crash(written: 0)
        try bela.open().adoptRestored()
        bela.close()
        let database = try Database(path: bela.path)
        let counts: [StaticString] = [
            "SELECT count(*) FROM unwritten", "SELECT count(*) FROM kept",
            "SELECT count(*) FROM retired",
        ]
        for count in counts {
            let count = try database.statement(count).first { $0.integer(0) }
            #expect(count == 0)
        }
    }
}
