import GSM7

extension [UInt8] {
    /// What `body` writes, at most `room` bytes.
    package init<Failure: Error>(
        atMost room: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        self = []
        try append(atMost: room, body)
    }
}
