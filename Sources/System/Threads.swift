internal import CPlatform

/// Distributes work over the cores of the machine.
package enum Parallel {
    /// Returns how many computations can run at the same time if each of them needs `memory` bytes. The
    /// result is normally the number of cores. The result is smaller if one computation per core would need
    /// more than half of the free memory.
    package static func width(memory: Int) -> Int {
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let affordable = freeMemory() / 2 / Int64(max(1, memory))
        return max(1, Int(min(Int64(cores), affordable)))
    }

    /// Calls `body` with every number from 0 to `count - 1`, on up to `threads` threads.
    package static func forEach(
        below count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> Void
    ) {
        let threads = max(1, min(threads, count))
        let work: @Sendable (Int) -> Void = { first in
            for index in stride(from: first, to: count, by: threads) { body(index) }
        }
        var started: [UInt] = []
        for first in 1..<max(1, threads) {
            if let thread = start({ work(first) }) {
                started.append(thread)
            } else {
                work(first)
            }
        }
        work(0)
        for thread in started { platform_join(thread) }
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread. Returns the handle of the thread for `platform_join`, or nil if the system cannot
    /// start a thread.
    private static func start(_ body: @escaping @Sendable () -> Void) -> UInt? {
        let context = unsafe Unmanaged.passRetained(Work(body))
        let thread = unsafe platform_start_thread(
            { (context) in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        if thread != 0 { return thread }
        unsafe context.release()
        return nil
    }

    /// Returns the number of bytes of free memory.
    private static func freeMemory() -> Int64 {
        let pages = Int64(sysconf(Int32(_SC_PHYS_PAGES)))
        let free = Int64(sysconf(Int32(_SC_AVPHYS_PAGES)))
        // The system can free part of the page cache. Therefore assume that at least a quarter of the
        // memory is free.
        return max(free, pages / 4) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
