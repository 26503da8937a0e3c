internal import CPlatform

/// Overwrites memory that held a secret. The optimiser does not remove the writes of this function.
@safe
@usableFromInline
package func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    unsafe platform_cleanse(start, memory.count)
}

/// Overwrites `count` bytes that held a secret.
package func wipe(_ start: UnsafeMutableRawPointer, _ count: Int) {
    unsafe platform_cleanse(start, count)
}

/// Overwrites an array that held a secret, and empties it. Also overwrites the memory of elements that were
/// removed from the array earlier.
///
/// The array must not share its storage with another array, because only a copy of the storage would then be
/// overwritten.
package func wipe(_ bytes: inout [UInt8]) {
    bytes.append(contentsOf: repeatElement(0, count: bytes.capacity - bytes.count))
    unsafe bytes.withUnsafeMutableBytes { wipe($0) }
    bytes.removeAll(keepingCapacity: true)
}

/// Overwrites an array of numbers that held a secret. The memory of elements that were removed earlier is
/// not overwritten, so the caller must never remove elements.
package func wipe(_ numbers: inout [UInt32]) {
    unsafe numbers.withUnsafeMutableBytes { wipe($0) }
}

/// Maximum size, in bytes, of a buffer that `withScratch` allocates on the stack.
@inlinable
package var stackScratchSize: Int { 1024 }

/// Passes a buffer of `capacity` bytes to `body`. Overwrites the buffer afterwards, because freed memory
/// remains readable.
///
/// A small buffer is allocated on the stack. Filters call this function several times for each record. With
/// buffers on the heap, filters would spend a third of their time on allocation. The function is inlinable
/// because the compiler can then specialise it for callers in other targets. Without the attribute
/// `@inlinable`, filters would be three times as slow.
///
/// - Throws: the errors of `body`.
@inlinable
package func withScratch<Failure: Error, Result: ~Copyable>(
    _ capacity: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    guard capacity <= stackScratchSize else {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
        defer { unsafe memory.deallocate() }
        return try unsafe withCleansed(memory, body)
    }
    // The function of the standard library does not support typed throws. The closure therefore returns
    // the error as a value.
    return try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stackScratchSize) {
        (memory) in
        Swift.Result { () throws(Failure) in
            try unsafe withCleansed(UnsafeMutableBufferPointer(rebasing: memory[..<capacity]), body)
        }
    }.get()
}

/// Passes memory to `body` and overwrites the memory afterwards.
@inlinable
package func withCleansed<Failure: Error, Result: ~Copyable>(
    _ memory: UnsafeMutableBufferPointer<UInt8>,
    _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    defer { wipe(UnsafeMutableRawBufferPointer(memory)) }
    var space = unsafe OutputSpan(buffer: memory, initializedCount: 0)
    return try body(&space)
}

/// Fills memory with random bytes from the system. Returns false if the system cannot provide random
/// bytes.
package func fillAtRandom(_ start: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    unsafe platform_random(start, count) == 0
}
