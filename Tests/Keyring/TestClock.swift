import Keyring
import Synchronization
import System

/// Clocks that tests can set.
final class TestClock: Sendable {
    private struct Times {
        var wall: Int64 = 1_900_000_000
        var boot: Int64 = 100_000
        /// Number of seconds by which the wall clock is ahead, and behind at the next reading.
        var swing: Int64 = 0
    }

    private let times = Mutex(Times())

    var wall: Int64 { times.withLock { $0.wall } }

    /// Moves both clocks forwards or backwards.
    func turn(by seconds: Int64) {
        times.withLock {
            $0.wall += seconds
            $0.boot += seconds
        }
    }

    /// Sets only the wall clock.
    ///
    /// - Parameter swing: number of seconds by which the clock is ahead and behind at alternate readings.
    func set(_ wall: Int64, swing: Int64 = 0) {
        times.withLock { ($0.wall, $0.swing) = (wall, swing) }
    }

    /// Returns these clocks for a keyring.
    ///
    /// - Parameter bootID: a different boot ID simulates a restart of the computer.
    func clocks(bootID: String = "first boot") -> Clocks {
        Clocks(
            wall: {
                self.times.withLock { times in
                    defer { times.swing = -times.swing }
                    return times.wall + times.swing
                }
            }, boot: { self.times.withLock { $0.boot } }, bootID: bootID)
    }
}
