internal import Foundation

/// Runs `body` in one of a few extra threads. Use it for code that mostly waits for other processes.
/// Swift's concurrency has only as many threads as there are processors, and other tests need these
/// threads for computations.
package func onBlockingThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    let cost = TestCost.current
    return try await withCheckedThrowingContinuation { continuation in
        threads.addOperation {
            let result = TestCost.$current.withValue(cost) {
                Result { try TestCost.measure(body) }
            }
            continuation.resume(with: result)
        }
    }
}

private let threads = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 6
    return queue
}()
