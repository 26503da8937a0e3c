/// What a text is a sequence of when it is coded: a character, or a mark (smsenc(7),
/// Compressed text; here that word is left to the characters of an SMS).
struct Token: Equatable, BitwiseCopyable, Sendable {
    /// A code point, or a number after the last of them; below 2^21.
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Gives the next character the other case.
    static let shift = Token(rawValue: 0x11_0000)
    /// Gives every character up to the next such mark the other case.
    static let caps = Token(rawValue: 0x11_0001)
    /// Ends a text, and begins its history.
    static let end = Token(rawValue: 0x11_0002)

    /// Bits that hold any token.
    static let width: UInt64 = 21

    var isMark: Bool { rawValue >= Self.shift.rawValue }

    /// A token as a table spells it: the marks have characters of their own there.
    init(spelt value: UInt32) {
        switch value {
        case 0x21E7: self = .shift
        case 0x21EA: self = .caps
        case 0x2403: self = .end
        default: self.init(rawValue: value)
        }
    }

    /// True for a character that no text holds: C0 but the newline, DEL, C1, the separators of lines
    /// and paragraphs, surrogates (smsenc(7), Compressed text).
    var isControl: Bool {
        switch rawValue {
        case 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xD800...0xDFFF: true
        default: false
        }
    }
}

/// The last three tokens of a text as it was coded, marks left out; `end` stands before the first.
struct TokenHistory {
    private var tokens = UInt64(Token.end.rawValue)

    mutating func append(_ token: Token) {
        if token.isMark { return }
        tokens = (tokens &<< Token.width | UInt64(token.rawValue)) & Self.mask(3)
    }

    /// What the last `length` tokens, one to three, are found by. Where the text has fewer, no context
    /// has the key: U+0000 is in no text.
    @inline(__always)
    func key(_ length: UInt64) -> UInt64 {
        Self.key(tokens & Self.mask(length), length)
    }

    /// The key of so many tokens, each in `Token.width` bits.
    @inline(__always)
    static func key(_ tokens: UInt64, _ length: UInt64) -> UInt64 {
        1 &<< (length &* Token.width) | tokens
    }

    static func length(ofKey key: UInt64) -> UInt64 {
        UInt64(63 - key.leadingZeroBitCount) / Token.width
    }

    @inline(__always)
    static func mask(_ length: UInt64) -> UInt64 { 1 &<< (length &* Token.width) &- 1 }
}
