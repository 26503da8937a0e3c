import Support

/// Selects power cuts in a recording, and the outcome of each unsynchronised piece of the disk.
///
/// After a power cut, any subset of the pieces that were not synchronised may be on the disk. For example,
/// this can be no piece, all pieces, only names, one piece, all pieces except one, or the last pieces.
/// There are too many subsets to try them all. Power cuts at which the same kinds of pieces are pending
/// therefore form a group, and the same number of power cuts is tried for each group. Rare situations are
/// thus tried as often as frequent ones.
struct PowerCutSelection {
    /// A power cut after `step` steps of a recording, with the outcome of each piece that is pending at
    /// that time.
    struct Cut {
        let step: Int
        let outcomes: [Disk.PieceOutcome]
    }

    /// The power cuts, sorted by step.
    let cuts: [Cut]

    /// Selects power cuts in a recording.
    ///
    /// - Parameters:
    ///   - state: the state of the disk before the recording.
    ///   - number: the approximate number of power cuts. At least six are selected for each group.
    ///   - isNote: returns true if a path is the path of a rollback note. Notes are never synchronised, so
    ///     only the last version that reached the disk matters.
    init(
        of recording: Recording, from state: Disk.State, number: Int, seed: UInt64,
        isNote: (String) -> Bool
    ) {
        var groups: [String: [(step: Int, sorts: [Sort])]] = [:]
        let kinds = recording.steps.map { step in
            (
                name: Self.kind(step.kind, recording),
                sort: Sort(step.kind, isNote: recording.path(of: step.kind).map(isNote) ?? false)
            )
        }
        var disk = Disk(state)
        for index in 0...recording.steps.count {
            let next = index < recording.steps.count ? recording.steps[index] : nil
            let open = Set(disk.pending.map { kinds[$0.number].name })
            let key = open.sorted().joined(separator: " ")
            let sorts = disk.pending.map { kinds[$0.number].sort }
            groups[key, default: []].append((index, sorts))
            if let next { disk.play(next) }
        }
        var generator = Generator(seed: seed)
        let share = max(6, number / groups.count)
        var cuts: [Cut] = []
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
            for turn in 0..<share {
                // Begin with the extreme outcomes, at both ends of the group.
                let cut =
                    turn < 6 ? group[turn % 2 * (group.count - 1)] : generator.pick(group)
                let form = turn < 6 ? turn / 2 : generator.number(below: 10)
                cuts.append(
                    Cut(step: cut.step, outcomes: Self.outcomes(form, cut.sorts, &generator)))
            }
        }
        self.cuts = cuts.sorted { $0.step < $1.step }
    }

    private enum Sort {
        case note, name, data

        init(_ kind: Recording.Step.Kind, isNote: Bool) {
            switch kind {
            case _ where isNote: self = .note
            case .name, .rename: self = .name
            default: self = .data
            }
        }
    }

    private static func outcomes(
        _ form: Int, _ sorts: [Sort], _ generator: inout Generator
    ) -> [Disk.PieceOutcome] {
        let others = sorts.indices.filter { sorts[$0] != .note }
        var outcomes = sorts.map { _ in Disk.PieceOutcome.missing }
        let one = others.isEmpty ? 0 : generator.number(below: others.count)
        let odds = generator.pick([1, 4, 8])
        for (place, index) in others.enumerated() {
            let isThere: Bool
            switch form {
            case 0: isThere = false
            case 1: isThere = true
            case 2: isThere = sorts[index] == .name
            case 3, 4: isThere = place == one
            case 5, 6: isThere = place != one
            case 7: isThere = place > one
            default: isThere = generator.number(below: 9) < odds
            }
            guard isThere else { continue }
            let isTorn = form > 2 && generator.once(in: 6)
            outcomes[index] = isTorn ? .torn(generator.next()) : .whole
        }
        // Choose the newest note, the oldest note, or a note between them.
        let newest = generator.pick([
            sorts.count, sorts.count, 0, generator.number(below: sorts.count + 1),
        ])
        for index in sorts.indices where sorts[index] == .note && index < newest {
            outcomes[index] = .whole
        }
        return outcomes
    }

    /// Returns a description of the kind of a step. The keys of groups consist of these descriptions.
    private static func kind(
        _ kind: Recording.Step.Kind, _ recording: Recording
    ) -> String {
        let path = recording.path(of: kind) ?? ""
        return switch kind {
        case .write(_, let offset, _): offset == 0 ? "\(path) start" : "\(path) data"
        case .resize: "\(path) size"
        default: "\(path) name"
        }
    }
}

extension Recording {
    /// Returns the first name of the file that a step changes.
    func path(of kind: Step.Kind) -> String? {
        switch kind {
        case .write(let file, _, _), .resize(let file, _), .rename(_, _, let file):
            firstNames[file]
        case .name(let path, let file): file.flatMap { firstNames[$0] } ?? path
        default: nil
        }
    }
}
