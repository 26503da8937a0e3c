/// Shortens a history that violates a rule, so that the shortened history violates the same rule.
struct HistoryShrinker {
    private var steps: [Step]
    private let rule: Violation.Rule
    private let replay: ([Step]) -> (violation: Violation, step: Int)?
    /// Number of steps that may still be replayed.
    private var patience: Int

    init(
        of steps: [Step], breaking rule: Violation.Rule,
        _ replay: @escaping ([Step]) -> (violation: Violation, step: Int)?
    ) {
        (self.steps, self.rule, self.replay) = (steps, rule, replay)
        patience = 0
    }

    /// Returns the shortest history that it has found.
    func run() -> [Step] {
        var shrinker = self
        shrinker.leaveOutPeople()
        var length = shrinker.steps.count / 2
        while length > 0 {
            shrinker.leaveOut(length)
            length /= 2
        }
        shrinker.simplify()
        shrinker.leaveOut(1)
        return shrinker.steps
    }

    /// Replaces the history with a shorter history, if that also violates the rule.
    private mutating func take(_ other: [Step]) -> Bool {
        guard other.count <= patience else { return false }
        let broken = replay(other)
        patience -= (broken?.step ?? other.count) + 20
        guard let broken, broken.violation.rule == rule else { return false }
        steps = Array(other[...broken.step])
        return true
    }

    /// Removes the steps of people who are not needed. In most cases, two people remain.
    private mutating func leaveOutPeople() {
        guard let last = steps.last else { return }
        var needed = Set([last.who.person] + last.with.prefix(1).map(\.person))
        let all = steps
        let others = Set(all.map(\.who.person)).subtracting(needed).sorted()
        func history(of people: Set<Int>) -> [Step] {
            all.filter { people.contains($0.who.person) }.compactMap { step in
                var known = step
                known.with.removeAll { !people.contains($0.person) }
                return known.with.isEmpty && !step.with.isEmpty ? nil : known
            }
        }
        if take(history(of: needed)) { return }
        for other in others where take(history(of: needed.union([other]))) { return }
        // Remove the other people one by one.
        needed.formUnion(others)
        for other in others where take(history(of: needed.subtracting([other]))) {
            needed.remove(other)
        }
    }

    /// Removes blocks of `length` steps that are not needed, beginning at the end.
    private mutating func leaveOut(_ length: Int) {
        var end = steps.count - 1
        while end > 0 {
            let start = max(0, end - length)
            _ = take(Array(steps[..<start] + steps[min(end, steps.count - 1)...]))
            end = min(start, steps.count - 1)
        }
    }

    /// Simplifies the steps that remain.
    private mutating func simplify() {
        for index in steps.indices {
            for action in steps.indices.contains(index) ? steps[index].action.simplerVariants : [] {
                guard steps.indices.contains(index) else { return }
                var other = steps
                other[index] = other[index].replacing(action, with: other[index].with)
                if take(other) { break }
            }
            guard steps.indices.contains(index), steps[index].with.count > 1 else { continue }
            var other = steps
            other[index] = other[index].replacing(
                other[index].action, with: Array(other[index].with.prefix(1)))
            _ = take(other)
        }
    }
}

extension Step {
    fileprivate func replacing(_ action: Action, with peers: [Persona]) -> Step {
        Step(time: time, who: who, with: peers, action: action, salt: salt)
    }
}

extension Action {
    /// Simpler variants of the action, beginning with the simplest.
    fileprivate var simplerVariants: [Action] {
        switch self {
        case .write(let writing):
            [1, 2, writing.messages / 2, writing.messages - 1, writing.messages]
                .filter { $0 > 0 && $0 <= writing.messages }
                .flatMap { count -> [Writing] in
                    var less = writing
                    less.messages = count
                    var alone = less
                    alone.meanwhile = []
                    var short = alone
                    (short.kind, short.ending) = (.short, .whole)
                    return [short, alone, less]
                }
                .filter { $0 != writing }.map { .write($0) }
        case .read(let reading):
            [
                Reading(), Reading(ending: reading.ending),
                Reading(ending: reading.ending, meanwhile: reading.meanwhile),
            ]
            .filter { $0 != reading }.map { .read($0) }
        default: []
        }
    }
}
