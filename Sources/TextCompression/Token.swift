/// A unit of text for the encoder, which is a character or a mark (smsenc-protocol(7), Compressed form).
struct Token: Equatable, BitwiseCopyable, Sendable {
    /// The code point of a character. The raw value of a mark is larger than all code points, but below
    /// 2^21.
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Changes the case of the next character.
    static let shift = Token(rawValue: 0x11_0000)
    /// Changes the case of all following characters up to the next CAPS.
    static let caps = Token(rawValue: 0x11_0001)
    /// Ends a text. In a `TokenHistory`, this token represents the beginning of the text.
    static let end = Token(rawValue: 0x11_0002)

    /// Number of bits in a token.
    static let width: UInt64 = 21

    var isMark: Bool { rawValue >= Self.shift.rawValue }

    /// Creates a token from a character in a language table. In a language table, three special characters
    /// represent the marks.
    init(spelt value: UInt32) {
        switch value {
        case 0x21E7: self = .shift
        case 0x21EA: self = .caps
        case 0x2403: self = .end
        default: self.init(rawValue: value)
        }
    }

    /// True for characters that a compressed text must not contain (smsenc-protocol(7), Compressed form).
    /// The forbidden characters are the C0 control characters except the newline, DEL, the C1 control
    /// characters, the line separator, the paragraph separator, and surrogates.
    var isControl: Bool {
        switch rawValue {
        case 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xD800...0xDFFF: true
        default: false
        }
    }
}

/// The last three tokens that were encoded, without the marks SHIFT and CAPS. At the beginning of a text,
/// the history contains only END.
struct TokenHistory {
    private var tokens = UInt64(Token.end.rawValue)

    mutating func append(_ token: Token) {
        if token.isMark { return }
        tokens = (tokens &<< Token.width | UInt64(token.rawValue)) & Self.mask(3)
    }

    /// Returns the key of the context that consists of the last `length` tokens (1 to 3).
    ///
    /// If the history has fewer than `length` tokens, the key contains U+0000, which no context of a model
    /// contains.
    @inline(__always)
    func key(_ length: UInt64) -> UInt64 {
        Self.key(tokens & Self.mask(length), length)
    }

    /// Returns the key of a context that has `length` tokens. In the key, each token occupies
    /// `Token.width` bits.
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
