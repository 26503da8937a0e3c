internal import Foundation

/// Does what mostly waits for other processes in a thread of its own, of which there are few: tests
/// share as many threads as there are processors, and others compute in these meanwhile.
package func aside<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        threads.addOperation { continuation.resume(with: Result { try body() }) }
    }
}

private let threads = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    return queue
}()
