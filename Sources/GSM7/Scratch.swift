/// Lends room for a text on its way, and overwrites it afterwards: a freed array stays readable.
///
/// - Parameter capacity: bytes that `body` may append.
package func withScratch<Failure: Error, Result: ~Copyable>(
    _ capacity: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    defer { overwrite(&bytes) }
    var result: Result?
    try bytes.append(addingCapacity: capacity) { (space) throws(Failure) in
        result = try body(&space)
    }
    guard let result else { fatalError("a body that returns has a result") }
    return result
}

/// Overwrites an array's memory. The optimiser, which might find that nobody reads what is written, is
/// kept off this function and so does not see what it calls.
@_optimize(none)
private func overwrite(_ bytes: inout [UInt8]) {
    fill(&bytes)
}

@inline(never)
private func fill(_ bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(addingCapacity: bytes.capacity) { space in
        space.append(repeating: 0, count: space.freeCapacity)
    }
}
