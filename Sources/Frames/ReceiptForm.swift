package import FrameLayout
internal import GSM7
internal import System
internal import TextCompression

/// The receipt form, `cos732`. The text field contains a receipt, and usually a compressed message
/// (smsenc-protocol(7), Receipt form). Only smsenc-pad writes and reads the receipt form.
///
/// The first symbol of the text field is the length n of the receipt. The n symbols after the length are
/// the receipt, and all symbols after the receipt are the digits of the compressed message. If the text
/// field has no room for all digits, zeros at the end of the digits are omitted. If the first symbol of
/// the text field is `onlyReceipt`, all other symbols belong to the receipt.
extension Frame {
    /// The content of a frame after its receipt was taken out.
    package enum Remainder: Equatable, Sendable {
        /// The frame did not contain a receipt and was not changed.
        case unchangedFrame
        /// The frame is now in the compressed form.
        case compressedFrame
        /// The frame contained only a receipt and was not changed.
        case nothing
    }

    /// First symbol of a text field that contains only a receipt.
    private static let onlyReceipt: UInt8 = 124

    /// Puts a receipt into a frame. Returns false if `encode` adds no receipt, or if the message leaves no room
    /// for a receipt.
    ///
    /// - Parameters:
    ///   - frame: a valid frame in the plain or compressed form. A message in the plain form is
    ///     compressed. The function does not change the field for the next key.
    ///   - encode: appends a receipt of at most `room` symbols, or returns false to leave the frame
    ///     unchanged. `encode` is not called if the compressed message alone fills the text field.
    package static func putReceipt(
        into frame: inout MutableSpan<UInt8>,
        _ encode: (_ room: Int, _ receipt: inout OutputSpan<UInt8>) -> Bool
    ) -> Bool {
        withScratch(text.count) { (digits) in
            guard appendDigits(of: frame.span, to: &digits) else { return false }
            while let last = digits.indices.last, digits.span[last] == 0 { digits.removeLast(1) }
            let room = min(Int(onlyReceipt) - 1, longestReceipt - digits.count)
            guard room >= 0 else { return false }
            return withScratch(length) { (copy) in
                Form.receipt.writeFailsafe(to: &copy)
                let fits = withScratch(room) { (receipt) in
                    guard encode(room, &receipt) else { return false }
                    copy.append(UInt8(receipt.count))
                    copy.append(copying: receipt.span)
                    return true
                }
                guard fits else { return false }
                copy.append(copying: digits.span)
                copy.append(repeating: 0, count: text.upperBound - copy.count)
                for index in copy.indices { frame[index] = copy.span[index] }
                return true
            }
        }
    }

    /// Appends a frame that contains only a receipt. The receipt has at most `longestReceipt` symbols. The
    /// frame's field for the next key is blank.
    @_lifetime(symbols: copy symbols)
    package static func append(
        onlyReceipt receipt: Span<UInt8>, to symbols: inout OutputSpan<UInt8>
    ) {
        Form.receipt.writeFailsafe(to: &symbols)
        symbols.append(onlyReceipt)
        symbols.append(copying: receipt)
        symbols.append(repeating: 0, count: longestReceipt - receipt.count)
        symbols.append(repeating: Alphabet.space, count: nextKey.count)
    }

    /// Takes the receipt out of a frame and appends it to `receipt`, which must have room for
    /// `longestReceipt` symbols. The message remains in the frame.
    ///
    /// - Parameter frame: any 160 symbols with a failsafe. The function does not change the next key.
    @_lifetime(receipt: copy receipt)
    package static func takeReceipt(
        from frame: inout MutableSpan<UInt8>, into receipt: inout OutputSpan<UInt8>
    ) -> Remainder {
        guard Form(named: frame.span.extracting(failsafe)) == .receipt else {
            return .unchangedFrame
        }
        let start = text.lowerBound + 1
        let first = frame[text.lowerBound]
        guard first < onlyReceipt else {
            receipt.append(copying: frame.span.extracting(start..<text.upperBound))
            return .nothing
        }
        let end = start + Int(first)
        receipt.append(copying: frame.span.extracting(start..<end))
        for index in text {
            let source = index + (end - text.lowerBound)
            frame[index] = source < text.upperBound ? frame[source] : 0
        }
        withScratch(failsafe.count) { (symbols) in
            Form.compressed.writeFailsafe(to: &symbols)
            for index in failsafe { frame[index] = symbols.span[index] }
        }
        return .compressedFrame
    }

    /// Appends the digits of a frame's message. If the frame is in the plain form, first compresses its
    /// message. Returns false if `digits` has no room for the digits.
    @_lifetime(digits: copy digits)
    private static func appendDigits(
        of frame: Span<UInt8>, to digits: inout OutputSpan<UInt8>
    ) -> Bool {
        let field = frame.extracting(text)
        switch Form(named: frame.extracting(failsafe)) {
        case .plain: return compress(plain: field, into: &digits)
        case .compressed: digits.append(copying: field)
        case .receipt, nil: return false
        }
        return true
    }

    /// Compresses the message of a plain text field. Returns false if the compressed message does not fit
    /// in a text field.
    private static func compress(plain field: Span<UInt8>, into digits: inout OutputSpan<UInt8>)
        -> Bool
    {
        withScratch(field.count * Alphabet.longestUTF8) { (text) in
            PlainForm.read(field, into: &text)
            return (try? Compression.compress(text.span, into: &digits)) != nil
        }
    }
}
