import Support
import Testing

/// Plays months of two people. Receipts never say anything wrong, name lost messages soon, and cost few SMS.
@Suite(.measured) struct PlayedMonthTests {
    private func play(
        _ rules: PlayedMonth.Rules, seeds: ClosedRange<UInt64>
    ) throws -> PlayedMonth.Outcome {
        var total = PlayedMonth.Outcome()
        for seed in seeds { total = try total + PlayedMonth(rules, seed: seed).play() }
        for contradiction in total.contradictions.prefix(10) { Issue.record("\(contradiction)") }
        print(
            "\(rules.rates) kills \(rules.kills): \(total.messages) messages,",
            "\(total.additional) % receipts alone,",
            "\(total.namedWithinFourDays) of \(total.lost.count) lost messages named in four days,",
            "the last after \(total.lost.map { $0 ?? .infinity }.max() ?? 0)")
        return total
    }

    private static let kills = PlayedMonth.Rules(kills: 0.05, failures: 0.03)

    @Test func aMonthWithKillsHasNoContradictions() throws {
        var rules = Self.kills
        rules.days = 15
        let outcome = try play(rules, seeds: 1...1)
        #expect(outcome.messages == 165)
    }

    @Test(.longTest) func receiptsAloneAreFew() throws {
        // The mean of ten months still differs by 0.2 from that of many months.
        let outcome = try play(PlayedMonth.Rules(), seeds: 1...40)
        #expect(outcome.additional <= 1.5)
        #expect(outcome.namedWithinFourDays * 100 >= outcome.lost.count * 99)
    }

    @Test(.longTest) func receiptsAloneAreFewIfOnlyOneSideWrites() throws {
        let outcome = try play(PlayedMonth.Rules(rates: [8, 0], confirming: [1]), seeds: 1...10)
        #expect(outcome.additional <= 7)
    }

    @Test(.longTest) func receiptsAloneAreFewWithKills() throws {
        let outcome = try play(Self.kills, seeds: 1...10)
        #expect(outcome.additional <= 2)
        #expect(outcome.namedWithinFourDays * 100 >= outcome.lost.count * 99)
    }

    @Test(.longTest) func receiptsAloneAreFewWithKillsIfOnlyOneSideWrites() throws {
        var rules = Self.kills
        (rules.rates, rules.confirming) = ([8, 0], [1])
        #expect(try play(rules, seeds: 1...10).additional <= 8)
    }

    @Test(.longTest, arguments: [[8, 3], [20, 20], [1, 1], [8, 0]])
    func badNetworksCauseNoContradictions(_ rates: [Int]) throws {
        let rules = PlayedMonth.Rules(
            rates: rates, loss: 0.15, late: 0.1, double: 0.1, kills: 0.1, failures: 0.05)
        _ = try play(rules, seeds: 11...13)
    }
}
