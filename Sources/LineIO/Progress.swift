internal import System

/// Records done, rate and, where the size of the input is known, the share: on stderr, once a second.
struct Progress: ~Copyable {
    private let isTerminal: Bool
    private let start = Moment.now
    private var shownAt: Int64?
    private var isLineOpen = false
    private var records: Int64 = 0

    init() {
        isTerminal = File.standardError().isTerminal
    }

    /// Counts records, and shows the state when a second has passed since it was shown.
    mutating func add(_ count: Int, bytes: Int64, of size: Int64?) {
        records += Int64(count)
        let now = Moment.now
        if let shownAt, now - shownAt < 1_000_000 { return }
        shownAt = now
        show(share: size.map { ($0 == 0) ? 100 : min(100, bytes * 100 / $0) })
    }

    /// Shows the last state.
    mutating func finish() {
        show(share: nil)
        if isLineOpen { Diagnostics.write("\n") }
        isLineOpen = false
    }

    /// Makes room for a line of another kind.
    mutating func clear() {
        if isLineOpen { Diagnostics.write("\r\u{1B}[K") }
        isLineOpen = false
    }

    private mutating func show(share: Int64?) {
        let rate = records * 1_000_000 / max(1, Moment.now - start)
        var line = "\(records) records, \(rate) a second"
        if let share { line += ", \(share) %" }
        Diagnostics.write(isTerminal ? "\r\u{1B}[K" + line : line + "\n")
        isLineOpen = isTerminal
    }
}
