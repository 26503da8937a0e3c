#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A thread of the system; whoever starts one joins it.
package struct SystemThread {
    private let thread: pthread_t

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread; nil where the system gives none.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var started: pthread_t?
        #else
            var started = pthread_t()
        #endif
        let result = unsafe pthread_create(
            &started, nil,
            { pointer in
                let raw: UnsafeMutableRawPointer? = unsafe pointer
                guard let raw = unsafe raw else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            unsafe context.release()
            return nil
        }
        #if canImport(Darwin)
            guard let started else { return nil }
        #endif
        thread = started
    }

    /// Waits until it is over.
    package func join() { _ = pthread_join(thread, nil) }
}
