/// Lends room for a text while `body` runs, and overwrites it afterwards: a freed array stays readable.
///
/// - Parameter capacity: bytes that `body` may append.
/// - Throws: what `body` throws.
package func withScratch<Failure: Error, Result: ~Copyable>(
    _ capacity: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    defer { overwrite(&bytes) }
    var result: Result?
    try bytes.append(atMost: capacity) { (space) throws(Failure) in
        result = try body(&space)
    }
    guard let result else { fatalError("a body that returns has a result") }
    return result
}

/// Overwrites an array's memory and empties it. It must have this one owner. The optimiser could leave that out, since nobody reads what is
/// written; it is turned off for this function, and so does not see what the function calls.
@_optimize(none)
package func overwrite(_ bytes: inout [UInt8]) {
    fill(&bytes)
}

@inline(never)
private func fill(_ bytes: inout [UInt8]) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(atMost: bytes.capacity) { space in
        space.append(repeating: 0, count: space.freeCapacity)
    }
}
