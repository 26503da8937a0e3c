internal import CPlatform

/// Overwrites memory that held a secret, in a way that the optimiser does not remove.
@safe
@usableFromInline
package func cleanse(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    unsafe platform_cleanse(start, memory.count)
}

/// Overwrites `count` bytes that held a secret.
package func cleanse(_ start: UnsafeMutableRawPointer, _ count: Int) {
    unsafe platform_cleanse(start, count)
}

/// Overwrites an array that held a secret, including elements that were removed from it, and empties it.
///
/// The array must not share its storage with another, because then only a copy would be overwritten.
package func cleanse(_ bytes: inout [UInt8]) {
    bytes.append(contentsOf: repeatElement(0, count: bytes.capacity - bytes.count))
    unsafe bytes.withUnsafeMutableBytes { cleanse($0) }
    bytes.removeAll(keepingCapacity: true)
}

/// Overwrites an array of numbers that held a secret. No elements may have been removed from it before.
package func cleanse(_ numbers: inout [UInt32]) {
    unsafe numbers.withUnsafeMutableBytes { cleanse($0) }
}

/// Number of bytes up to which `withScratch` takes its memory from the stack.
@inlinable
package var stackScratchSize: Int { 1024 }

/// Gives `body` space for `capacity` bytes, and overwrites it afterwards, because freed memory stays
/// readable.
///
/// A small space is on the stack. Filters call this several times for each record, and allocating the memory
/// would take a third of their time. The function is inlinable because the compiler otherwise does not
/// specialise it for its callers in other targets, which makes filters three times as slow.
/// - Throws: what `body` throws.
@inlinable
package func withScratch<Failure: Error, Result: ~Copyable>(
    _ capacity: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    guard capacity <= stackScratchSize else {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
        defer { unsafe memory.deallocate() }
        return try unsafe withCleansed(memory, body)
    }
    // The standard library's function has no typed throws, so the error is passed as a value.
    return try unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stackScratchSize) {
        (memory) in
        Swift.Result { () throws(Failure) in
            try unsafe withCleansed(UnsafeMutableBufferPointer(rebasing: memory[..<capacity]), body)
        }
    }.get()
}

/// Gives `body` memory, and overwrites it afterwards.
@inlinable
package func withCleansed<Failure: Error, Result: ~Copyable>(
    _ memory: UnsafeMutableBufferPointer<UInt8>,
    _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    defer { cleanse(UnsafeMutableRawBufferPointer(memory)) }
    var space = unsafe OutputSpan(buffer: memory, initializedCount: 0)
    return try body(&space)
}

/// Fills memory with random bytes from the system. Returns false if the system has none.
package func fillAtRandom(_ start: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    unsafe platform_random(start, count) == 0
}
