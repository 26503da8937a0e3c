internal import GSM7

/// What a message would take of a frame in each form.
struct Load {
    private var characters = 0
    /// Characters that take two symbols in the escaped form.
    private var pairs = 0
    private var bytes = 0
    /// True when the plain form will not do.
    private var isEscaped = false
    private var isGSM = true

    init() {}

    /// The number at the beginning of a part: digits, `/` and a space.
    init(number length: Int) {
        characters = length
        bytes = length
    }

    /// A whole message, in NFC.
    init(_ text: Span<UInt8>, newline: Newline) {
        var index = 0
        while let (scalar, length) = CodePoint.next(text, at: index) {
            add(scalar, newline: newline)
            index += length
        }
        addTrailingSpaces(Self.trailingSpaces(text))
    }

    /// Spaces at the end of a text.
    static func trailingSpaces(_ text: Span<UInt8>) -> Int {
        var count = 0
        while count < text.count, text[text.count - 1 - count] == UInt8(ascii: " ") { count += 1 }
        return count
    }

    /// Symbols of the text field, where it is not packed.
    var symbols: Int { characters + (isEscaped ? pairs : 0) }

    mutating func add(_ scalar: Unicode.Scalar, newline: Newline) {
        let code = Code(scalar, newline: newline)
        characters += 1
        bytes += code == .newline ? 1 : UTF8.width(scalar)
        if code == .none { isGSM = false }
        if !code.isBasic { isEscaped = true }
        if !code.isBasic || code.symbol == Escaping.currency { pairs += 1 }
    }

    mutating func add(_ other: Load) {
        characters += other.characters
        pairs += other.pairs
        bytes += other.bytes
        isEscaped = isEscaped || other.isEscaped
        isGSM = isGSM && other.isGSM
    }

    /// Counts what spaces at the end of a message take on top.
    mutating func addTrailingSpaces(_ count: Int) {
        pairs += count
        if count > 0 { isEscaped = true }
    }

    func fits(_ packing: Bool) -> Bool {
        if !isGSM { return packing && bytes <= Packing.room }
        return symbols <= Frame.text.count
    }
}
