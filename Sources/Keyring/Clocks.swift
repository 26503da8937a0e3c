#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The clocks that the keyring goes by, handed in so that tests can turn them.
package struct Clocks: Sendable {
    /// Seconds since 1970.
    package let wall: @Sendable () -> Int64
    /// Seconds since the machine started, sleep included.
    package let boot: @Sendable () -> Int64
    /// What tells one start of the machine from another.
    package let bootID: String

    package init(
        wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64, bootID: String
    ) {
        self.wall = wall
        self.boot = boot
        self.bootID = bootID
    }

    package static let system = Clocks(
        wall: { seconds(CLOCK_REALTIME) }, boot: { seconds(sinceStart) }, bootID: currentBootID())

    private static func seconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec)
    }

    #if os(Linux)
        private static let sinceStart = CLOCK_BOOTTIME

        private static func currentBootID() -> String {
            SmallFile.text("/proc/sys/kernel/random/boot_id") ?? "unknown"
        }
    #else
        private static let sinceStart = CLOCK_MONOTONIC

        /// The second in which the machine started.
        private static func currentBootID() -> String {
            String(seconds(CLOCK_REALTIME) - seconds(CLOCK_MONOTONIC))
        }
    #endif
}
