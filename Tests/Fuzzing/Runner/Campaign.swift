import Foundation
import Support
import Synchronization

/// The seed and the duration of a fuzzing run.
enum Campaign {
    /// Seed in SMSENC_FUZZ_SEED. If it is not set, the seed is constant, so that runs can be repeated.
    static let seed = number("SMSENC_FUZZ_SEED") ?? 1

    private static let limit = number("SMSENC_FUZZ_SECONDS").map { Duration.seconds($0) }

    /// True if SMSENC_FUZZ_SECONDS asks for longer runs.
    static var isLong: Bool { limit != nil }

    /// Runs `body` repeatedly, each time with a new generator. The number of rounds is `rounds`, or as
    /// many as are possible in SMSENC_FUZZ_SECONDS.
    ///
    /// - Parameter body: also receives the seed, to print it on failure.
    static func run(_ rounds: Int, _ body: (inout Generator, UInt64) throws -> Void) rethrows {
        let start = ContinuousClock.now
        var round: UInt64 = 0
        while limit.map({ ContinuousClock.now - start < $0 }) ?? (round < rounds) {
            let seed = Campaign.seed &* 1_000_003 &+ round
            var generator = Generator(seed: seed)
            try body(&generator, seed)
            round += 1
        }
        if isLong { FuzzStatistics.show() }
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

/// Counts the runs of all fuzzers.
enum FuzzStatistics {
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
