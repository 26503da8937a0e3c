/// What a text takes of an SMS.
package struct Measure: Equatable, Sendable {
    /// Septets in one SMS: 140 octets of 8 bits (3GPP TS 23.040).
    package static let septetsInOne = 160
    /// Septets in a part of a longer one: a header of 6 octets takes the room of 7.
    package static let septetsInPart = 153

    package private(set) var septets = 0
    /// Code points, a newline counting as one.
    package private(set) var characters = 0
    /// Septets left empty at the ends of parts because an escaped pair is never split.
    private var unused = 0

    /// SMS needed.
    package var messages: Int {
        if septets <= Self.septetsInOne { return 1 }
        return (septets + unused + Self.septetsInPart - 1) / Self.septetsInPart
    }

    /// Measures a text of GSM characters, which is in NFC as it stands.
    ///
    /// - Parameter basicOnly: the extension table's characters are faults.
    /// - Throws: the first fault. Where it is not `malformed` it may be none once the text is brought
    ///   to NFC.
    package init(
        _ utf8: Span<UInt8>, newline: Newline, basicOnly: Bool = false
    ) throws(TextFault) {
        add(Self.plainRun(utf8, from: 0))
        if septets == utf8.count { return }
        let decoder = CharacterCode.Decoder(newline: newline)
        var index = septets
        while index < utf8.count {
            let end = min(index + Self.block, utf8.count)
            while index < end {
                let start = index
                let code = decoder.next(in: utf8, at: &index)
                if code.isBasic || code == .newline {
                    add(1)
                } else if code.isExtended, !basicOnly {
                    addPair()
                } else {
                    throw .at(start, column: characters + 1, in: utf8)
                }
            }
            let plain = Self.plainRun(utf8, from: index)
            add(plain)
            index += plain
        }
    }

    private mutating func add(_ basic: Int) {
        septets &+= basic
        characters &+= basic
    }

    private mutating func addPair() {
        let isAtPartsLast = (septets + unused) % Self.septetsInPart == Self.septetsInPart - 1
        if isAtPartsLast { unused += 1 }
        septets &+= 2
        characters &+= 1
    }

    /// Bytes that are looked at together: those of a vector register.
    private static let block = 16

    /// The length of a run of the commonest characters, one septet and one byte each, as far as it
    /// fills blocks or reaches the end.
    private static func plainRun(_ utf8: Span<UInt8>, from start: Int) -> Int {
        let last = utf8.count - block
        var end = start
        while end <= last {
            guard isPlain(utf8.extracting(end..<(end &+ block))) else { return end - start }
            end &+= block
        }
        // The last block overlaps the one before it.
        if last >= 0, isPlain(utf8.extracting(last...)) { end = utf8.count }
        return end - start
    }

    /// True where all bytes are of the commonest characters: space to `Z` and `a` to `z`.
    ///
    /// Each test answers in bit 7: adding 0x80 − bound sets it exactly for bytes ≥ bound. Without
    /// branches the compiler vectorises the loop; a table is ten times slower.
    @inline(__always)
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        var others: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            let (fromSpace, fromBracket) = (byte &+ (0x80 - 0x20), byte &+ (0x80 - 0x5B))
            let (fromSmall, fromBrace) = (byte &+ (0x80 - 0x61), byte &+ (0x80 - 0x7B))
            let upper = fromSpace & ~fromBracket
            let lower = fromSmall & ~fromBrace
            others |= byte | ~(upper | lower)
        }
        return others & 0x80 == 0
    }
}
