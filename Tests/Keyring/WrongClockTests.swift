import Protocol
import Support
import Testing

@testable import Keyring

/// Tests that a wrong clock that is corrected later causes no loss of messages (smsenc-keyring(5), Time).
@Suite(.measured) struct WrongClockTests {
    private static let day: Int64 = 86_400
    private static let year = 365 * day
    private static let now = TestClock().wall

    /// Times that a clock may show, and the number of seconds by which it swings.
    private static let clocks: [(name: String, wall: Int64, swing: Int64)] = [
        ("1970", 0, 0), ("before 1970", -5, 0), ("1980", 315_532_800, 0), ("now", now, 0),
        ("10 years back", now - 10 * year, 0), ("10 years ahead", now + 10 * year, 0),
        ("2038", 2_147_483_700, 0), ("2106", 4_294_967_400, 0), ("9999", 253_402_300_799, 0),
        ("10 years back and ahead by turns", now, 10 * year), ("the end", .max - 807, 0),
    ]

    /// The third of three messages is read with one clock, and the other messages with a different clock.
    @Test(arguments: clocks.map(\.name)) func lateMessagesAreReadUnderAnyClock(_ first: String)
        throws
    {
        let (amina, bela) = try Person.pair()
        let early = try #require(Self.clocks.first { $0.name == first })
        for late in Self.clocks {
            let sent = try amina.send("One", "Two", "Three")
            bela.close()
            bela.clock.set(early.wall, swing: early.swing)
            #expect(try bela.receive([sent[2]]) == ["Three"])
            bela.close()
            bela.clock.set(late.wall, swing: late.swing)
            #expect(
                try bela.receive([sent[0], sent[1]]) == [.late("One"), .late("Two")],
                "\(first), then \(late.name)")
        }
        bela.clock.set(Self.now)
        #expect(try bela.open().check { Issue.record("\($0)") } == 0)
    }

    /// Messages are skipped while the clock is right. After that, the clock is wrong for some time.
    @Test(arguments: [now + 10 * year, 4_294_967_400, 0])
    func aTemporarilyWrongClockErasesNothing(_ wrong: Int64) throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two", "Three", "Four", "Five")
        #expect(try bela.receive([sent[2]]) == ["Three"])
        bela.close()
        bela.clock.set(wrong)
        #expect(try bela.receive([sent[4]]) == ["Five"])
        #expect(try bela.receive([sent[0]]) == [.late("One")])
        bela.close()
        bela.clock.set(Self.now + 60)
        #expect(try bela.receive([sent[1], sent[3]]) == [.late("Two"), .late("Four")])
    }

    /// Returns the times of all skipped keys of the contact, and checks that the keyring is intact.
    private func times(_ person: Person) throws -> [Int64] {
        let keyring = try person.open()
        #expect(try keyring.check { Issue.record("\($0)") } == 0)
        let state = try person.state()
        return try keyring.reading { (store) throws(KeyringError) in
            var skipped = SkippedKeys(nextNumber: state.skipped.nextNumber)
            try store.contacts.load(&skipped, of: state)
            return skipped.kept.map(\.since) + skipped.retired.map(\.since)
        }
    }

    private func commit(_ person: Person, _ name: String) throws {
        _ = try person.open().add(name: name, number: nil)
        person.close()
    }

    /// A key that was skipped while the clock was not trusted has no time. It receives a time when a
    /// commit for any contact trusts the clock.
    @Test func keysWithoutATimeGetItWhenTheClockIsTrusted() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two")
        bela.clock.set(0)
        _ = try bela.receive([sent[1]])
        #expect(try bela.state().lastUse == SkippedKeys.untimed)
        #expect(try Set(times(bela)) == [SkippedKeys.untimed])
        try commit(bela, "Chidi")
        #expect(try Set(times(bela)) == [SkippedKeys.untimed])
        bela.close()
        bela.clock.set(Self.now + 100)
        try commit(bela, "Dora")
        #expect(try Set(times(bela)) == [Self.now + 100])
        bela.close()
        bela.clock.turn(by: 20 * Self.day)
        try commit(bela, "Efua")
        bela.clock.turn(by: 10 * Self.day + 1)
        #expect(try times(bela) == [])
        #expect(try bela.receive([sent[0]]) == [.refused])
    }

    @Test func timesInTheFutureAreCorrected() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two")
        bela.clock.set(Self.now + 20 * Self.day)
        _ = try bela.receive([sent[1]])
        #expect(try Set(times(bela)) == [Self.now + 20 * Self.day])
        bela.close()
        bela.clock.set(Self.now)
        #expect(try Set(times(bela)) == [Self.now])
        #expect(try bela.receive([sent[0]]) == [.late("One")])
    }

    /// After 31 days without a commit, all keys are kept until a commit one day later, or until a commit
    /// after a restart.
    @Test(arguments: [true, false]) func aJumpOfTheClockMustBeConfirmed(_ byRestart: Bool) throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two", "Three", "Four")
        _ = try bela.receive([sent[1]])
        bela.close()
        let jump = 31 * Self.day
        bela.clock.set(Self.now + jump)
        for _ in 0..<3 {
            #expect(try times(bela).contains(Self.now))
            try commit(bela, "Contact \(bela.clock.wall)")
            bela.clock.turn(by: Self.day / 3 - 1)
        }
        #expect(try bela.receive([sent[0], sent[3]]) == [.late("One"), "Four"])
        bela.close()
        if byRestart {
            let keyring = try bela.another(bootID: "second boot")
            _ = try keyring.add(name: "Dora", number: nil)
            try keyring.file.close()
        } else {
            bela.clock.turn(by: 3)
            try commit(bela, "Dora")
        }
        // Keys that were skipped after that have the time of this commit.
        #expect(try Set(times(bela)) == [bela.clock.wall])
        #expect(try bela.receive([sent[2]]) == [.late("Three")])
    }
}
