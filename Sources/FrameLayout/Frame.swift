internal import GSM7

/// The plaintext of one SMS, which has 160 symbols (smsenc-protocol(7), Frames).
///
///     symbols       field
///     0 ..< 6       failsafe, names the form of the text
///     6 ..< 150     text
///     150 ..< 160   next key, blank outside smsenc-pad
///
/// This target, FrameLayout, defines the lengths and fields of a frame and the names of its forms. The
/// target Protocol depends on FrameLayout, but not on the target Frames, which encodes messages as frames.
package enum Frame {
    /// Number of symbols in a frame. An SMS has 140 octets, which contain 160 septets (3GPP TS 23.040).
    package static let length = 160
    package static let failsafe = 0..<6
    package static let text = 6..<150
    package static let nextKey = 150..<160

    /// Number of symbols in the longest receipt. A frame with the longest receipt contains no message.
    package static let longestReceipt = text.count - 1

    /// Maximum length of a frame in UTF-8, in bytes.
    package static let longestUTF8 = length * Alphabet.longestUTF8
}
