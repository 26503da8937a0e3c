import Foundation
import Support

/// How long and from where a fuzzer runs.
enum Campaign {
    /// What SMSENC_FUZZ_SEED says, else always the same, so that a run can be had again.
    static let seed = number("SMSENC_FUZZ_SEED") ?? 1

    /// Runs `body` with a generator of its own each time: as often as is said here or, where
    /// SMSENC_FUZZ_SECONDS is set, for so many seconds.
    ///
    /// - Parameter body: is handed the seed, to be shown when something fails.
    static func run(_ rounds: Int, _ body: (inout Generator, UInt64) throws -> Void) rethrows {
        let limit = number("SMSENC_FUZZ_SECONDS").map { Duration.seconds($0) }
        let start = ContinuousClock.now
        var round: UInt64 = 0
        while limit.map({ ContinuousClock.now - start < $0 }) ?? (round < rounds) {
            let seed = Campaign.seed &* 1_000_003 &+ round
            var generator = Generator(seed: seed)
            try body(&generator, seed)
            round += 1
        }
    }

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}
