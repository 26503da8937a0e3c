internal import Foundation

/// Does what mostly waits for other processes in a thread of its own, of which there are few: tests
/// share as many threads as there are processors, and others compute in these meanwhile.
package func aside<Value: Sendable>(
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
