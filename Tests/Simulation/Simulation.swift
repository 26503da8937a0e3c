import Support

/// A simulated team. Everything that happens is determined by the seed and the number of people.
struct Simulation {
    let seed: UInt64
    let identities: [Int]
    let network: Network

    /// Creates a team.
    ///
    /// - Parameter people: the number of people. By default, the seed determines a number from 2 to 30.
    init(seed: UInt64, people: Int? = nil) {
        var chance = Generator(seed: seed)
        let count = chance.pick([2, 2, 3, 4, 6, 10, 20, 30])
        self.seed = seed
        identities = (0..<(people ?? count)).map { _ in chance.pick([1, 1, 2, 3]) }
        network = Network(seed: seed, hasAdversary: seed.isMultiple(of: 2))
    }

    /// A violated rule, with the history that led to it.
    struct Failure: Error, CustomStringConvertible {
        let seed: UInt64
        let people: Int
        let violation: Violation
        let steps: [Step]
        let length: Int
        let messages: Int

        var description: String {
            let history = steps.map { step in
                let (day, time) = (step.time - World.beginning).quotientAndRemainder(
                    dividingBy: 86_400)
                let clock = [time / 3600, time / 60 % 60, time % 60]
                    .map { String($0 + 100).dropFirst() }
                return "    day \(day + 1), \(clock.joined(separator: ":"))  \(step)"
            }
            return """
                \(violation)
                after \(length) steps and \(messages) SMS of a team of \(people); the shortest history found that ends so:
                \(history.joined(separator: "\n"))
                again: SMSENC_SEED=\(seed) SMSENC_TEAM=\(people) scripts/test --filter Simulation
                """
        }
    }

    private func world() throws -> World {
        try World(identities: identities, network: network, seed: seed)
    }

    /// Simulates a number of days or steps.
    ///
    /// - Throws: `Failure`.
    func run(days: Int64 = .max, steps most: Int = .max) throws -> World.Statistics {
        let world = try world()
        var generator = StepGenerator(seed: seed, identities: identities)
        var steps: [Step] = []
        let end = days == .max ? Int64.max : World.beginning + 86_400 * days
        do {
            while steps.count < most {
                let step = generator.next(world.state)
                if step.time > end { break }
                steps.append(step)
                try world.perform(step)
            }
        } catch let violation as Violation {
            throw Failure(
                seed: seed, people: identities.count, violation: violation,
                steps: HistoryShrinker(of: steps, breaking: violation.rule, replay).run(),
                length: steps.count, messages: world.statistics.sent)
        }
        return world.statistics
    }

    /// Replays a history. If it violates a rule, returns the violation and the index of the step.
    func replay(_ steps: [Step]) -> (violation: Violation, step: Int)? {
        guard let world = try? world() else { return nil }
        for (index, step) in steps.enumerated() {
            do {
                try world.perform(step)
            } catch {
                return (error as? Violation ?? Violation(.progress, "\(error)"), index)
            }
        }
        return nil
    }
}
