#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
internal import CPlatform

/// A point in time, for measuring how long something takes.
///
/// The standard library's clocks would do, were they not part of its concurrency: a tenth of a static
/// executable, which nothing else here needs.
package struct Moment {
    private let sinceStart: Duration

    /// This moment on a clock that is never set.
    package static var now: Moment {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(
            sinceStart: .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)))
    }

    /// Does nothing for some time.
    package static func pause(milliseconds: Int) { usleep(UInt32(1000 * milliseconds)) }

    package static func - (later: Moment, earlier: Moment) -> Duration {
        later.sinceStart - earlier.sinceStart
    }
}
