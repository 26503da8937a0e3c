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
        add(PlainRun.length(utf8, from: 0))
        if septets == utf8.count { return }
        let decoder = CharacterCode.Decoder(newline: newline)
        var index = septets
        while index < utf8.count {
            let end = min(index + PlainRun.block, utf8.count)
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
            let plain = PlainRun.length(utf8, from: index)
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
}
