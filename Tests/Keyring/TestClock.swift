import Keyring
import Synchronization
import System

/// Clocks that tests turn.
final class TestClock: Sendable {
    private struct Times {
        var wall: Int64 = 1_900_000_000
        var boot: Int64 = 100_000
        /// The wall clock is ahead by so much, and next time behind.
        var swing: Int64 = 0
    }

    private let times = Mutex(Times())

    var wall: Int64 { times.withLock { $0.wall } }

    /// Both clocks go on, or back.
    func turn(by seconds: Int64) {
        times.withLock {
            $0.wall += seconds
            $0.boot += seconds
        }
    }

    /// Sets the wall clock alone.
    ///
    /// - Parameter swing: by how much it is ahead, and each next time behind.
    func set(_ wall: Int64, swing: Int64 = 0) {
        times.withLock { ($0.wall, $0.swing) = (wall, swing) }
    }

    /// - Parameter bootID: another one stands for a restart of the machine.
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
