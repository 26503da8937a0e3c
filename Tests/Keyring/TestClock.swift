import Keyring
import Synchronization
import System

/// Clocks that tests turn.
final class TestClock: Sendable {
    private let times = Mutex((wall: Int64(1_700_000_000), boot: Int64(100_000)))

    /// Both clocks go on, or back.
    func turn(by seconds: Int64) {
        times.withLock { $0 = ($0.wall + seconds, $0.boot + seconds) }
    }

    /// - Parameter bootID: another one stands for a restart of the machine.
    func clocks(bootID: String = "first boot") -> Clocks {
        Clocks(
            wall: { self.times.withLock { $0.wall } }, boot: { self.times.withLock { $0.boot } },
            bootID: bootID)
    }
}
