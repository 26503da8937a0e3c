extension [UInt8] {
    /// Appends what `body` writes, at most `room` bytes, also when it throws.
    ///
    /// - Throws: what `body` throws.
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

extension OutputSpan<UInt8> {
    /// Appends bytes, for which there is room.
    @_lifetime(self: copy self)
    package mutating func append(copying bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }

    /// Appends a character's UTF-8, for which there is room.
    @_lifetime(self: copy self)
    package mutating func append(_ character: Unicode.Scalar) {
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { append(byte) }
    }
}
