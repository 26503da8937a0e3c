import Foundation
import Support
import Testing

/// Simulates teams that write to each other for several weeks, and every short history of two people. See
/// `World`.
@Suite("Simulation", .measured, .serialized) struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static func number(_ variable: String) -> Int? {
        environment[variable].flatMap { Int($0) }
    }

    /// Number of years to simulate, each with a different seed. By default, several weeks are simulated.
    private static let years = number("SMSENC_YEARS")
    private static let people = number("SMSENC_TEAM")
    private static let steps = 1200
    private static let teams = 6

    /// Consecutive seeds, beginning with SMSENC_SEED. If SMSENC_YEARS is set without SMSENC_SEED, the
    /// first seed is random.
    private static let seeds: [UInt64] = {
        let first = number("SMSENC_SEED") ?? (years == nil ? 1 : .random(in: 1_000...1_000_000))
        let count = years ?? (number("SMSENC_SEED") == nil ? teams : 1)
        return (first..<(first + count)).map { UInt64($0) }
    }()

    @Test(arguments: seeds) func randomHistoriesViolateNoRule(seed: UInt64) throws {
        let simulation = Simulation(seed: seed, people: Self.people)
        let isYear = Self.years != nil || Self.number("SMSENC_SEED") != nil
        do {
            let statistics =
                try isYear ? simulation.run(days: 365) : simulation.run(steps: Self.steps)
            #expect(statistics.read > 200 && statistics.compared > 50)
            if isYear {
                print("seed \(seed): \(simulation.identities.count) people, \(statistics)")
            }
        } catch let failure as Simulation.Failure {
            Issue.record("\(failure)")
        }
    }

    @Test func equalSeedsGiveEqualHistories() throws {
        let digests = try (0..<2).map { _ in try Simulation(seed: 3).run(steps: 250).digest }
        #expect(digests[0] == digests[1])
        #expect(try Simulation(seed: 4).run(steps: 250).digest != digests[0])
    }

    /// Length of the histories in the exhaustive searches. Each search has its own default.
    private static let depth = number("SMSENC_DEPTH")

    @Test func noShortHistoryOfNewContactsViolatesARule() throws {
        var search = try ExhaustiveSearch()
        try search.run(depth: Self.depth ?? 7, recoveryDepth: Self.depth ?? 5)
        #expect(search.counts.starts(with: [1, 1, 6, 20, 74]))
        if Self.depth != nil { print("of new contacts: \(search)") }
    }

    @Test func noShortHistoryOfSynchronisedContactsViolatesARule() throws {
        var search = try ExhaustiveSearch(after: [(0, .followAdvice)])
        try search.run(depth: Self.depth ?? 3, recoveryDepth: Self.depth ?? 3)
        #expect(search.counts.starts(with: [1, 14, 99]))
        if Self.depth != nil { print("of synchronised contacts: \(search)") }
    }
}
