import Protocol
import Support
import System
import Testing

@testable import Keyring

/// Tests that no clock decides about keys: a wrong clock, or a long time, causes no loss of messages.
@Suite(.measured) struct WrongClockTests {
    private static let year: Int64 = 365 * 86_400
    private static let now = TestClock().wall

    /// Times that a clock may show, and the number of seconds by which it swings.
    private static let clocks: [(name: String, wall: Int64, swing: Int64)] = [
        ("1970", 0, 0), ("before 1970", -5, 0), ("1980", 315_532_800, 0), ("now", now, 0),
        ("10 years back", now - 10 * year, 0), ("10 years ahead", now + 10 * year, 0),
        ("2038", 2_147_483_700, 0), ("2106", 4_294_967_400, 0), ("9999", 253_402_300_799, 0),
        ("10 years back and ahead by turns", now, 10 * year), ("the end", .max - 807, 0),
    ]

    @Test func aClockBeforeTheReleaseIsNotTrusted() {
        for (time, isTrusted) in [(Int64.min, false), (999, false), (1000, true), (1001, true)] {
            let clocks = Clocks(wall: { time }, boot: { 0 }, bootID: "boot", release: 1000)
            #expect(clocks.plausibleWallTime == (isTrusted ? time : nil))
        }
    }

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

    @Test func aTimeThatCannotBeRightIsNotStored() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two")
        bela.clock.set(0)
        _ = try bela.receive([sent[0]])
        #expect(try bela.state().lastUse == -1 && bela.state().lastHeard == -1)
        bela.clock.set(Self.now)
        _ = try bela.receive([sent[1]])
        #expect(try bela.state().lastUse == Self.now && bela.state().lastHeard == Self.now)
    }
}
