import Support

/// Which cuts of a recording are tried, and with which fate for each piece of the disk.
///
/// At a cut of the power it may be that nothing came through of what was not synchronised, all of it,
/// names alone, one piece alone, all but one, all but the first so many, or anything at random: more than
/// can be tried. So cuts at which the same kinds of pieces are open are taken together, and of each
/// such group as many are tried as of any other: what is rare in a run is tried as often as what it
/// does all the time.
struct Cuts {
    /// The disk after so many steps of a recording, and what becomes of each piece that is open then.
    struct Cut {
        let step: Int
        let fates: [Disk.Fate]
    }

    /// In the order of their steps.
    let cuts: [Cut]

    /// - Parameters:
    ///   - state: what is on the disk before.
    ///   - number: about how many there are to be; of each group there are six at least.
    ///   - isNote: whether a path is that of a note, which is never synchronised: what matters is which
    ///     is the last that came through.
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
                // First the extremes at both ends of the group.
                let cut =
                    turn < 6 ? group[turn % 2 * (group.count - 1)] : generator.pick(group)
                let form = turn < 6 ? turn / 2 : generator.number(below: 10)
                cuts.append(
                    Cut(step: cut.step, fates: Self.fates(form, cut.sorts, &generator)))
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

    private static func fates(
        _ form: Int, _ sorts: [Sort], _ generator: inout Generator
    ) -> [Disk.Fate] {
        let others = sorts.indices.filter { sorts[$0] != .note }
        var fates = sorts.map { _ in Disk.Fate.missing }
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
            fates[index] = isTorn ? .torn(generator.next()) : .whole
        }
        // The newest note, the oldest, or any between.
        let newest = generator.pick([
            sorts.count, sorts.count, 0, generator.number(below: sorts.count + 1),
        ])
        for index in sorts.indices where sorts[index] == .note && index < newest {
            fates[index] = .whole
        }
        return fates
    }

    /// What a group is known by.
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
    /// The file that a change is about, by the name that it had first.
    func path(of kind: Step.Kind) -> String? {
        switch kind {
        case .write(let file, _, _), .resize(let file, _), .rename(_, _, let file):
            firstNames[file]
        case .name(let path, let file): file.flatMap { firstNames[$0] } ?? path
        default: nil
        }
    }
}
