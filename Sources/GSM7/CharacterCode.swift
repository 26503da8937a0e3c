/// The encoding of one character in an SMS, stored in one byte.
///
///     0 ..< 125      a basic character: its symbol
///     128 ..< 253    a character of the extension table: 128 + the symbol after the escape
///     254            a newline
///     255            none of these
package struct CharacterCode: Equatable, Sendable {
    package let rawValue: UInt8

    package static var newline: CharacterCode { CharacterCode(rawValue: 254) }
    package static var none: CharacterCode { CharacterCode(rawValue: 255) }

    package var isBasic: Bool { rawValue < 128 }
    package var isExtended: Bool { rawValue >= 128 && rawValue < 253 }

    /// Symbol of a basic character, or the symbol after the escape of an extended character.
    package var symbol: UInt8 { rawValue & 127 }

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static func extended(_ symbol: UInt8) -> CharacterCode {
        CharacterCode(rawValue: 128 | symbol)
    }

    /// Looks up the code of a character.
    package init(_ scalar: Unicode.Scalar, newline: Newline) {
        switch scalar {
        case newline.scalar: self = .newline
        case "€": self = .extended(0x62)  // The escape is followed by `e`, which has the code 0x65.
        default:
            switch scalar.value {
            case 0...0xFF: self = Self.table[Int(scalar.value)]
            case 0x380...0x3BF: self = Self.table[Int(scalar.value) - 0x380 + 256]
            default: self = .none
            }
        }
    }

    /// Appends the codes of a text that consists of GSM characters, one byte for each character. The text
    /// is not normalised. Returns true if all characters are basic.
    ///
    /// - Parameter source: the source of a text that must consist of basic characters, or nil to permit
    ///   all GSM characters.
    /// - Throws: the first fault. If `codes` does not have enough room, throws `tooMany` with the number of
    ///   characters. Nothing is appended if an error is thrown. Normalisation to NFC can remove the fault,
    ///   unless the fault is `tooMany` or `malformed`.
    @_lifetime(codes: copy codes)
    package static func decode(
        _ utf8: Span<UInt8>, newline: Newline, from source: Alphabet.Source? = nil,
        into codes: inout OutputSpan<UInt8>
    ) throws(TextFault) -> Bool {
        let decoder = Decoder(newline: newline)
        let limit: UInt8 = source == nil ? none.rawValue : 128
        let room = codes.freeCapacity
        var (index, count) = (0, 0)
        var all: UInt8 = 0
        while index < utf8.count {
            let plain = PlainRun.length(utf8, from: index)
            let kept = min(plain, codes.freeCapacity)
            PlainRun.decode(utf8.extracting(index..<(index + kept)), into: &codes)
            index &+= plain
            count &+= plain
            let end = min(index + PlainRun.block, utf8.count)
            while index < end {
                let start = index
                var code = decoder.next(in: utf8, at: &index)
                if code.rawValue >= limit {
                    guard source == .ciphertext, isSmallCedilla(utf8, at: start) else {
                        codes.removeLast(min(count, room))
                        throw .at(start, column: count + 1, in: utf8)
                    }
                    code = CharacterCode(rawValue: 9)  // `Ç`
                    index = start + 2
                }
                if count < room { codes.append(code.rawValue) }
                all |= code.rawValue
                count &+= 1
            }
        }
        guard count <= room else {
            codes.removeLast(room)
            throw .tooMany(characters: count)
        }
        return all < 128
    }

    /// Returns true if the character at an index is `ç` (0xC3 0xA7).
    private static func isSmallCedilla(_ utf8: Span<UInt8>, at index: Int) -> Bool {
        index + 1 < utf8.count && utf8[index] == 0xC3 && utf8[index + 1] == 0xA7
    }

    /// Looks up the codes of characters one by one.
    struct Decoder {
        private let newline: Newline
        /// A copy of the table. Reading the copy is faster, because each access to the static property
        /// would check whether the property has been initialised.
        private let table = CharacterCode.table

        init(newline: Newline) { self.newline = newline }

        /// Returns the code of the character at `index`, and advances `index` past the character. If there
        /// is no GSM character at `index`, returns `none` and does not change `index`.
        @inline(__always)
        func next(in utf8: Span<UInt8>, at index: inout Int) -> CharacterCode {
            let lead = utf8[index]
            if lead < 0x80 {
                let code = table[Int(lead)]
                if code != .none {
                    index &+= 1
                    return code
                }
            } else if index &+ 1 < utf8.count {
                let trail = utf8[index &+ 1]
                if let row = Self.row(of: lead), trail & 0xC0 == 0x80 {
                    let code = table[row | Int(trail & 0x3F)]
                    if code != .none { index &+= 2 }
                    return code
                }
            }
            return rare(in: utf8, at: &index)
        }

        /// Looks up a character that is not in the table. Among the characters outside the table, only the
        /// euro sign and the newline have a code.
        @inline(never)
        private func rare(in utf8: Span<UInt8>, at index: inout Int) -> CharacterCode {
            guard let (scalar, length) = CodePoint.decode(utf8, at: index) else { return .none }
            let code = CharacterCode(scalar, newline: newline)
            if code != .none { index &+= length }
            return code
        }

        /// Returns the offset in the table at which the codes of the characters with the first byte `lead`
        /// begin.
        @inline(__always)
        private static func row(of lead: UInt8) -> Int? {
            switch lead {
            case 0xC3: 192
            case 0xC2: 128
            case 0xCE: 256
            default: nil
            }
        }
    }

    /// Codes of the characters U+0000 to U+00FF, followed by the codes of U+0380 to U+03BF.
    private static let table: [CharacterCode] = {
        var table = [CharacterCode](repeating: .none, count: 320)
        let basic = Alphabet.text.unicodeScalars.enumerated().map {
            ($1, CharacterCode(rawValue: UInt8($0)))
        }
        for (scalar, code) in basic + ExtensionTable.rows.map({ ($1, extended($0)) }) {
            let value = Int(scalar.value)
            if value < 256 { table[value] = code }
            if 0x380..<0x3C0 ~= value { table[value - 0x380 + 256] = code }
        }
        return table
    }()
}

/// The representation of a newline inside a message.
package enum Newline: Equatable, Sendable {
    /// In records that end in NUL, a newline is LF or CR LF.
    case lineFeed
    /// In records that end in LF, a newline is `␊` (U+240A), the control picture of a line feed.
    case picture

    /// Returns the representation of newlines in records that end in `terminator`, which is NUL or LF.
    package init(inRecordsEndingIn terminator: UInt8) {
        self = terminator == 0 ? .lineFeed : .picture
    }

    package var scalar: Unicode.Scalar { self == .lineFeed ? "\n" : "\u{240A}" }
}
