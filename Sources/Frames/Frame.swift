internal import GSM7

/// One SMS before it is enciphered: 160 symbols.
///
///     symbols       field
///     0 ..< 6       failsafe: the form of the text
///     6 ..< 150     text
///     150 ..< 160   next key: spaces, but within the padding tool
package enum Frame {
    /// Characters in one SMS of the GSM alphabet: 140 octets of 8 bits in septets (3GPP TS 23.040).
    package static let length = 160
    package static let failsafe = 0..<6
    package static let text = 6..<150
    package static let nextKey = 150..<160

    /// Bytes of UTF-8 that a frame takes at most.
    package static let longestUTF8 = length * Alphabet.longestUTF8
    /// Bytes of UTF-8 that a message takes at most once unpacked: packed bytes that are all newlines
    /// spelt `␊`, or that all triple when brought to NFC.
    package static let longestMessage = 3 * Packing.room
}
