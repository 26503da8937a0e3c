import Support
import Testing

extension Faults {
    /// Plays days of three people with the real tools. Receipts never say anything wrong, and name lost messages
    /// soon.
    @Suite(.measured, .enabled(if: Tools.canTrace, "there is no strace"))
    struct Days {
        private func play(_ rules: PlayedDays.Rules, seed: UInt64) throws -> PlayedDays {
            let days = try PlayedDays(rules, seed: seed)
            try days.play()
            for contradiction in days.contradictions.prefix(10) {
                Issue.record("seed \(seed): \(contradiction)")
            }
            print(
                "seed \(seed): \(days.messageCount) messages, \(days.receiptsAlone) receipts alone,",
                "\(days.lost.named) of \(days.lost.count) lost messages named in four days,",
                "\(days.kills) kills, \(days.failures) failures")
            return days
        }

        @Test func tenDaysHaveNoContradictions() throws {
            let days = try play(PlayedDays.Rules(), seed: 1)
            #expect(days.lost.count > 150 && days.lost.named * 100 >= days.lost.count * 99)
            #expect(days.kills > 10 && days.failures > 3)
        }

        @Test(.longTest, arguments: 2...4 as ClosedRange<UInt64>)
        func monthsHaveNoContradictions(seed: UInt64) throws {
            let days = try play(PlayedDays.Rules(days: 30), seed: seed)
            #expect(days.lost.named * 100 >= days.lost.count * 99)
        }

        @Test(.longTest, arguments: 5...8 as ClosedRange<UInt64>)
        func badNetworksCauseNoContradictions(seed: UInt64) throws {
            _ = try play(
                PlayedDays.Rules(loss: 0.15, late: 0.15, double: 0.1, kills: 0.2, failures: 0.1),
                seed: seed)
        }
    }
}
