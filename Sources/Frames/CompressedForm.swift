internal import TextCompression

/// The compressed form, `cos731`. The message is compressed with a model of its language
/// (smsenc-protocol(7), Compressed form).
enum CompressedForm {
    /// Maximum number of UTF-8 bytes that `read` appends.
    static let longestMessage = Compression.longestUTF8

    /// Returns how many symbols a message needs. The result exceeds 144 if the message does not fit in a
    /// frame.
    static func length(of message: borrowing Message) -> Int {
        do throws(CompressionFault) {
            return try Compression.digitsNeeded(for: message.text)
        } catch {
            fatalError("a message is UTF-8 without control characters")
        }
    }

    /// Returns the length in bytes of a prefix of `text` that fits in a frame. The prefix is not always
    /// the longest that fits.
    ///
    /// - Parameter text: UTF-8 in NFC, with line feeds as newlines.
    static func fittingPrefixLength(in text: Span<UInt8>) -> Int {
        Compression.fittingPrefixLength(of: text)
    }

    /// Appends all 144 symbols of the text field. Returns false, and appends nothing, if the message does
    /// not fit.
    static func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        (try? Compression.compress(message.text, into: &field)) != nil
    }

    /// Decompresses the text field and appends the message as UTF-8, with line feeds as newlines. The
    /// message is not necessarily in NFC.
    ///
    /// - Throws: `notCompressed`, `newerVersion`.
    @_lifetime(text: copy text)
    static func read(
        _ field: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        do throws(DecompressionFault) {
            try Compression.decompress(field, into: &text)
        } catch .unknownModel {
            throw .newerVersion
        } catch {
            throw .notCompressed
        }
    }
}
