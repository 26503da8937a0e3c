extension Code {
    /// What a reader takes for good.
    package enum Acceptance: Equatable, Sendable {
        case basic
        /// Basic characters, and `ç` for `Ç`, which is how some phones show code 0x09.
        case basicFromPhone
        /// Basic characters, the extension table, and newlines as they are spelt.
        case all(Newline)

        var newline: Newline {
            switch self {
            case .basic, .basicFromPhone: .symbol
            case .all(let newline): newline
            }
        }
    }

    /// What a reader has found.
    package struct Tally: Equatable, Sendable {
        /// All characters, those that had no room included.
        package var characters = 0
        /// True when every one is basic.
        package var isBasic = true
    }

    /// Appends the codes of a text's characters, a byte each, as far as there is room, and goes on
    /// counting where there is none. A text that is not in NFC is read as if it were.
    ///
    /// - Parameter limit: codes appended at most.
    /// - Throws: the first fault. Nothing is appended then.
    package static func read(
        _ utf8: Span<UInt8>, into codes: inout OutputSpan<UInt8>, atMost limit: Int = .max,
        accepting acceptance: Acceptance
    ) throws(TextFault) -> Tally {
        let room = min(limit, codes.freeCapacity)
        do throws(TextFault) {
            return try readNormal(utf8, into: &codes, room, acceptance)
        } catch {
            return try readOther(utf8, into: &codes, room, acceptance)
        }
    }

    private static func readNormal(
        _ utf8: Span<UInt8>, into codes: inout OutputSpan<UInt8>, _ room: Int,
        _ acceptance: Acceptance
    ) throws(TextFault) -> Tally {
        let newline = acceptance.newline
        var index = 0
        var count = 0
        var all: UInt8 = 0
        while index < utf8.count {
            let start = index
            var code = next(in: utf8, at: &index, newline: newline)
            if !code.isBasic, !accepts(code, acceptance) {
                guard acceptance == .basicFromPhone, isSmallCedilla(utf8, at: start) else {
                    codes.removeLast(min(count, room))
                    throw .at(start, column: count + 1, in: utf8)
                }
                code = cedilla
                index = start + 2
            }
            if count < room { codes.append(code.rawValue) }
            all |= code.rawValue
            count &+= 1
        }
        return Tally(characters: count, isBasic: Code(rawValue: all).isBasic)
    }

    @inline(never)
    private static func readOther(
        _ utf8: Span<UInt8>, into codes: inout OutputSpan<UInt8>, _ room: Int,
        _ acceptance: Acceptance
    ) throws(TextFault) -> Tally {
        try NormalText.read(utf8) { (text) throws(TextFault) in
            try readNormal(text, into: &codes, room, acceptance)
        }
    }

    @inline(__always)
    private static func accepts(_ code: Code, _ acceptance: Acceptance) -> Bool {
        if case .all = acceptance { return code != .none }
        return false
    }

    /// `Ç`, code 0x09.
    private static let cedilla = Code.basic(9)

    /// True where `ç` (0xC3 0xA7) begins.
    private static func isSmallCedilla(_ utf8: Span<UInt8>, at index: Int) -> Bool {
        index + 1 < utf8.count && utf8[index] == 0xC3 && utf8[index + 1] == 0xA7
    }
}
