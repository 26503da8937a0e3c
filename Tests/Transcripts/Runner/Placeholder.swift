/// Represents text in a transcript that differs in every run. Each placeholder matches only its own
/// format.
enum Placeholder: String, CaseIterable {
    /// A sync key, which has the format `XXXXX-XXXXX` in Crockford's Base32.
    case key
    /// An offer, which consists of `smsenc1-` and 56 characters of Crockford's Base32.
    case offer
    /// A verification code of sync keys, which consists of ten digits.
    case code
    /// A verification code of offers, which consists of twenty digits in groups of five.
    case longcode
    /// A ciphertext of 160 characters of the GSM alphabet, without a space at either end and without two
    /// consecutive spaces.
    case ciphertext
    /// A time in UTC, such as `2026-01-31T23:59:59Z`.
    case time
    /// The session that `unlock` prints for the shell. It consists of at least eight letters, digits and
    /// characters `_ - . / + = :`.
    case token
    /// One or more decimal digits.
    case number
    /// The id of a contact, which consists of `#` and 16 hexadecimal digits.
    case id
    /// The position of a message, such as `K3F9Q7ZM.17.5`.
    case position

    /// Matches the beginning of `bytes`. Returns the end of the match, or nil.
    func end(in bytes: ArraySlice<UInt8>) -> Int? {
        switch self {
        case .key: Self.end(of: "KKKKK-KKKKK", in: bytes)
        case .offer: Self.end(of: "smsenc1-" + String(repeating: "K", count: 56), in: bytes)
        case .code: Self.end(of: "dddddddddd", in: bytes)
        case .longcode: Self.end(of: "ddddd ddddd ddddd ddddd", in: bytes)
        case .time: Self.end(of: "dddd-dd-ddTdd:dd:ddZ", in: bytes)
        case .ciphertext: Self.endOfCiphertext(in: bytes)
        case .token: Self.endOfRun(ofAtLeast: 8, in: bytes, where: Self.tokenBytes.contains)
        case .number: Self.endOfNumber(in: bytes)
        case .id: Self.end(of: "#hhhhhhhhhhhhhhhh", in: bytes)
        case .position: Self.endOfPosition(in: bytes)
        }
    }

    private static let digits = Set("0123456789".utf8)
    private static let crockford = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let hexadecimal = Set("0123456789abcdef".utf8)
    private static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let tokenBytes = digits.union(letters).union("_-./+=:".utf8)

    /// The 125 printable characters of the default alphabet of 3GPP TS 23.038, in the order of their
    /// codes.
    static let gsm = Array(
        """
        @£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
        ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
        """.unicodeScalars)

    /// Matches a format in which `d` stands for a digit, `h` for a hexadecimal digit, and `K` for a symbol of Base32. No digit or letter
    /// may follow the match.
    private static func end(of form: String, in bytes: ArraySlice<UInt8>) -> Int? {
        var position = bytes.startIndex
        for expected in form.utf8 {
            guard position < bytes.endIndex else { return nil }
            let byte = bytes[position]
            let fits =
                switch expected {
                case UInt8(ascii: "d"): digits.contains(byte)
                case UInt8(ascii: "h"): hexadecimal.contains(byte)
                case UInt8(ascii: "K"): crockford.contains(byte)
                default: byte == expected
                }
            guard fits else { return nil }
            position += 1
        }
        if position < bytes.endIndex, digits.union(letters).contains(bytes[position]) { return nil }
        return position
    }

    private static func endOfRun(
        ofAtLeast least: Int, in bytes: ArraySlice<UInt8>, where fits: (UInt8) -> Bool
    ) -> Int? {
        let end = bytes.firstIndex { !fits($0) } ?? bytes.endIndex
        return end - bytes.startIndex >= least ? end : nil
    }

    private static func endOfNumber(in bytes: ArraySlice<UInt8>) -> Int? {
        endOfRun(ofAtLeast: 1, in: bytes, where: digits.contains)
    }

    private static func endOfPosition(in bytes: ArraySlice<UInt8>) -> Int? {
        var end: Int? = self.end(of: "KKKKKKKK", in: bytes)
        for _ in 0..<2 {
            guard let dot = end, dot < bytes.endIndex, bytes[dot] == UInt8(ascii: ".") else {
                return nil
            }
            end = endOfNumber(in: bytes[(dot + 1)...])
        }
        return end
    }

    private static func endOfCiphertext(in bytes: ArraySlice<UInt8>) -> Int? {
        // Every character of the alphabet has at most two bytes in UTF-8.
        let scalars = Array(String(decoding: bytes.prefix(320), as: UTF8.self).unicodeScalars)
        let text = scalars.prefix(160)
        guard text.count == 160, text.allSatisfy(gsm.contains) else { return nil }
        guard text.first != " ", text.last != " " else { return nil }
        guard !zip(text, text.dropFirst()).contains(where: { $0 == " " && $1 == " " }) else {
            return nil
        }
        return bytes.startIndex + text.reduce(0) { $0 + UTF8.width($1) }
    }
}
