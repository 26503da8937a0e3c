internal import TextCompression

/// The form `cos733`, in which the message is compressed with a model of its language (smsenc-protocol(7),
/// Compressed form).
enum CompressedForm {
    static let longestMessage = Compression.longestUTF8

    static func length(of message: borrowing Message) -> Int? {
        try? Compression.digitsNeeded(for: message.text)
    }

    static func fittingPrefixLength(in text: Span<UInt8>) -> Int {
        Compression.fittingPrefixLength(of: text)
    }

    static func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        (try? Compression.compress(message.text, into: &field)) != nil
    }

    /// Decompresses the text field.
    ///
    /// - Throws: `notCompressed`.
    @_lifetime(text: copy text)
    static func read(
        _ field: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        do throws(DecompressionFault) {
            try Compression.decompress(field, into: &text)
        } catch {
            throw .notCompressed
        }
    }
}
