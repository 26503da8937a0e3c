/// The length of a text, measured in septets, characters and SMS.
package struct SMSLength: Equatable, Sendable {
    /// Number of septets in a single SMS, which has 140 octets (3GPP TS 23.040).
    package static let septetsInSingle = 160
    /// Number of septets in each part of a message that needs several SMS. The header of a part has 6
    /// octets, which occupy the space of 7 septets.
    package static let septetsInPart = 153

    package private(set) var septets = 0
    /// Number of code points. A newline counts as a single code point.
    package private(set) var characters = 0
    /// Number of unused septets at the ends of parts. If an escape and its code do not both fit in a part,
    /// the last septet of the part is unused.
    private var unused = 0

    /// Number of SMS that the text needs.
    package var messages: Int {
        if septets <= Self.septetsInSingle { return 1 }
        return (septets + unused + Self.septetsInPart - 1) / Self.septetsInPart
    }

    /// Computes the length of a text of GSM characters. The text is not normalised.
    ///
    /// - Parameter basicOnly: true to treat characters of the extension table as faults.
    /// - Throws: the first fault. Normalisation to NFC can remove the fault, unless the fault is `malformed`.
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
