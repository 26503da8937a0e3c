extension [UInt8] {
    /// Creates an array from the bytes that `body` writes, at most `room` of them.
    package init<Failure: Error>(
        atMost room: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        self = []
        try append(atMost: room, body)
    }

    /// Appends the bytes that `body` writes, at most `room` of them, even if it throws.
    package mutating func append<Failure: Error>(
        atMost room: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let start = count
        append(contentsOf: [UInt8](repeating: 0, count: room))
        var end = start
        defer { removeLast(count - end) }
        try unsafe withUnsafeMutableBufferPointer { (bytes) throws(Failure) in
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start...])
            var span = unsafe OutputSpan(buffer: rest, initializedCount: 0)
            defer { end += span.count }
            try body(&span)
        }
    }
}
