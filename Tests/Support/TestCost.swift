package import Foundation
package import Testing

/// The CPU time of a test: the time of the threads that ran its body, and of the processes that it started.
package final class TestCost: @unchecked Sendable {
    /// Cost of the current test. Nil outside tests, and if costs are not recorded.
    @TaskLocal package static var current: TestCost?

    private let lock = NSLock()
    private var seconds = 0.0
    private var detail: String?
    /// True if part of the test ran in another thread while the test waited.
    fileprivate private(set) var waited = false

    /// Names the current case of the test, such as a transcript.
    package func describe(_ detail: String) { lock.withLock { self.detail = detail } }

    package func add(_ usage: rusage) { add(seconds: Self.seconds(usage)) }

    fileprivate func add(seconds more: Double) { lock.withLock { seconds += more } }

    /// Runs `body` and adds the CPU time of its thread.
    package static func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let current else { return try body() }
        let before = ofThread()
        defer {
            current.add(seconds: ofThread() - before)
            current.lock.withLock { current.waited = true }
        }
        return try body()
    }

    fileprivate static func ofThread() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    private static func seconds(_ usage: rusage) -> Double {
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        let microseconds = user.tv_usec + system.tv_usec
        return Double(user.tv_sec + system.tv_sec) + Double(microseconds) / 1_000_000
    }

    fileprivate func record(of test: Test, in path: String) {
        lock.withLock {
            let source = test.sourceLocation.fileName.split(separator: ".").first ?? ""
            let name = "\(source).\(test.name)" + (detail.map { " " + $0 } ?? "")
            let line = String(format: "%8.2f  ", seconds) + name + "\n"
            let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            _ = unsafe write(file, line, line.utf8.count)
            close(file)
        }
    }
}

/// Appends the CPU time of each test to the file named by SMSENC_TEST_COSTS.
package struct CostTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard let path = ProcessInfo.processInfo.environment["SMSENC_TEST_COSTS"] else {
            return try await function()
        }
        let cost = TestCost()
        let thread = pthread_self()
        let before = TestCost.ofThread()
        defer {
            // While a test waits, other tests run in its thread, and the test may continue in another
            // thread. In this case, the time of the thread is wrong, and only the time that the test
            // itself has measured is used.
            if pthread_equal(thread, pthread_self()) != 0, !cost.waited {
                cost.add(seconds: TestCost.ofThread() - before)
            }
            cost.record(of: test, in: path)
        }
        try await TestCost.$current.withValue(cost) { try await function() }
    }
}

extension Trait where Self == CostTrait {
    /// Records the CPU time of each test, if SMSENC_TEST_COSTS is set.
    package static var measured: CostTrait { CostTrait() }
}
