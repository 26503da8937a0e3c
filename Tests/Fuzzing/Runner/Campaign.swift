import Foundation
import Support
import Synchronization

/// How long and from where a fuzzer runs.
enum Campaign {
    /// What SMSENC_FUZZ_SEED says, else always the same, so that a run can be had again.
    static let seed = number("SMSENC_FUZZ_SEED") ?? 1

    private static let limit = number("SMSENC_FUZZ_SECONDS").map { Duration.seconds($0) }

    /// True when fuzzers were asked to run for longer than they do by themselves.
    static var isLong: Bool { limit != nil }

    /// Runs `body` with a generator of its own each time: as often as is said here or, where
    /// SMSENC_FUZZ_SECONDS is set, for so many seconds.
    ///
    /// - Parameter body: is handed the seed, to be shown when something fails.
    static func run(_ rounds: Int, _ body: (inout Generator, UInt64) throws -> Void) rethrows {
        let start = ContinuousClock.now
        var round: UInt64 = 0
        while limit.map({ ContinuousClock.now - start < $0 }) ?? (round < rounds) {
            let seed = Campaign.seed &* 1_000_003 &+ round
            var generator = Generator(seed: seed)
            try body(&generator, seed)
            round += 1
        }
        if isLong { Tally.show() }
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

/// What the fuzzers have done to the tools so far, all together.
enum Tally {
    private static let sums = Mutex((runs: 0, records: 0, memory: 0))

    static func add(records: Int, memory: Int?) {
        sums.withLock {
            $0.runs += 1
            $0.records += records
            $0.memory = max($0.memory, memory ?? 0)
        }
    }

    static func show() {
        let (runs, records, memory) = sums.withLock { $0 }
        print("fuzzed: \(records) records in \(runs) runs, at most \(memory >> 10) KiB resident")
    }
}
