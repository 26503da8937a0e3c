internal import Languages

/// `cos733`: the message compressed with the statistics of its language (smsenc(7), Compressed text).
enum CompressedForm {
    static let longestMessage = Compression.longestUTF8

    static func length(of message: borrowing Message) -> Int? {
        try? Compression.length(of: message.text)
    }

    static func reach(in text: Span<UInt8>) -> Int { Compression.fittingLength(of: text) }

    static func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        (try? Compression.write(message.text, into: &field)) != nil
    }

    /// - Throws: `notCompressed`.
    @_lifetime(text: copy text)
    static func read(
        _ field: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        do throws(ReadingFault) {
            try Compression.read(field, into: &text)
        } catch {
            throw .notCompressed
        }
    }
}
