internal import System

/// Shows the progress on stderr once a second. The progress consists of the number of records and the rate.
/// If the size of the input is known, the progress also includes the percentage.
struct Progress: ~Copyable {
    private let isTerminal: Bool
    private let start = MonotonicClock.now
    private var shownAt: Int64?
    private var isLineOpen = false
    private var records: Int64 = 0

    init() {
        isTerminal = File.standardError().isTerminal
    }

    /// Adds a number of records to the progress. Shows the progress if it has not been shown for a second.
    mutating func add(_ count: Int, bytes: Int64, of size: Int64?) {
        records += Int64(count)
        let now = MonotonicClock.now
        if let shownAt, now - shownAt < 1_000_000 { return }
        shownAt = now
        show(share: size.map { ($0 == 0) ? 100 : min(100, bytes * 100 / $0) })
    }

    /// Shows the progress at the end of the run.
    mutating func finish() {
        show(share: nil)
        if isLineOpen { Diagnostics.write("\n") }
        isLineOpen = false
    }

    /// Erases the progress line to make room for a diagnostic.
    mutating func clear() {
        if isLineOpen { Diagnostics.write("\r\u{1B}[K") }
        isLineOpen = false
    }

    private mutating func show(share: Int64?) {
        let rate = records * 1_000_000 / max(1, MonotonicClock.now - start)
        var line = "\(records) records, \(rate) a second"
        if let share { line += ", \(share) %" }
        Diagnostics.write(isTerminal ? "\r\u{1B}[K" + line : line + "\n")
        isLineOpen = isTerminal
    }
}
