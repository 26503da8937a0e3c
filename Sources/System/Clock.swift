internal import CPlatform

/// The clocks that a keyring uses. Tests replace these clocks with their own.
package struct Clocks: Sendable {
    /// Returns the seconds since 1970.
    package let wall: @Sendable () -> Int64
    /// Returns the seconds since the machine started, including the time during which it was suspended.
    package let boot: @Sendable () -> Int64
    /// An identifier that changes whenever the machine starts.
    package let bootID: String
    /// True if the boot id could be read.
    package var knowsBoot: Bool { bootID != Self.unknownBoot }
    package static let unknownBoot = "unknown"
    /// Release date of these tools, in seconds since 1970. If a clock shows an earlier time, the clock is
    /// wrong.
    private let release: Int64

    package init(
        wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64,
        bootID: String,
        release: Int64 = platform_release()
    ) {
        self.wall = wall
        self.boot = boot
        self.bootID = bootID
        self.release = release
    }

    /// Current time in seconds since 1970, or nil if the clock shows a time before the release of these
    /// tools.
    package var plausibleWallTime: Int64? {
        let time = wall()
        return time < release ? nil : time
    }

    package static let system = Clocks(
        wall: { seconds(CLOCK_REALTIME) }, boot: { seconds(sinceStart) }, bootID: currentBootID())

    private static func seconds(_ clock: clockid_t) -> Int64 { Int64(time(of: clock).tv_sec) }

    private static let sinceStart = CLOCK_BOOTTIME

    private static func currentBootID() -> String {
        File.text(of: "/proc/sys/kernel/random/boot_id") ?? unknownBoot
    }
}

/// A monotonic clock, which measures durations and can pause the current thread.
///
/// The standard library has clocks only in its concurrency library, which the tools do not need for anything
/// else. The concurrency library would make a static executable a tenth larger.
package enum MonotonicClock {
    /// The current time in microseconds, on a clock that nobody can set.
    package static var now: Int64 {
        let time = time(of: CLOCK_MONOTONIC)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Pauses the current thread. A signal may end the pause early.
    package static func pause(milliseconds: Int) { usleep(UInt32(1000 * milliseconds)) }
}

private func time(of clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time
}

/// Formats a time in UTC according to ISO 8601. An example is `2026-01-31T12:00:00Z`.
///
/// - Parameter seconds: seconds since 1970.
package func timestamp(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&time, &parts)
    return unsafe String(unsafeUninitializedCapacity: 32) { text in
        unsafe text.withMemoryRebound(to: CChar.self) { text in
            guard let start = text.baseAddress else { return 0 }
            return unsafe strftime(start, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        }
    }
}
