import Crypto
import GSM7

/// The reason why a password is among the first that guessing programs try.
enum PasswordWeakness {
    /// The password is one of the thousand most common passwords, or a common variation of one.
    case common
    /// The password is a repetition, or consists of sequences from the alphabet, the digits or a row of
    /// the keyboard.
    case pattern
    case userName

    /// Looks for a weakness in a password. Returns nil if there is none.
    init?(of password: borrowing SecretBytes, user: String) {
        let names = Self.names(of: user)
        for keepsSeparators in [true, false] {
            let text = FoldedText(password, keepsSeparators: keepsSeparators)
            guard let found = text.weakness(names) else { continue }
            self = found
            return
        }
        return nil
    }

    /// Returns the whole name of the user and each word of it, folded. Words shorter than three bytes are
    /// omitted.
    private static func names(of user: String) -> [[UInt8]] {
        var names: [[UInt8]] = [[], []]
        for scalar in user.unicodeScalars {
            let bytes = FoldedText.fold(scalar)
            if bytes.count == 1, FoldedText.isAdded(bytes[0]) {
                names.append([])
            } else {
                names[0] += bytes
                names[names.count - 1] += bytes
            }
        }
        return names.filter { $0.count >= 3 }
    }
}

/// A password in the form that guessing programs look up: a core with digits and symbols before and after
/// it.
private struct FoldedText: ~Copyable {
    /// The password in lower case. Non-ASCII symbols are replaced by `#`.
    private var bytes: SecretBytes
    private var count = 0
    /// Maximum number of digits and symbols before and after the core, not counting those in sequences.
    private static let maximumBefore = 4
    private static let maximumAfter = 6
    /// Maximum length in bytes of a core that is looked up.
    private static let maximumCoreLength = 64
    private static let minimumRunLength = 3
    /// Maximum number of characters outside sequences in a password that counts as a pattern, such as
    /// `Aa123456!`.
    private static let maximumOutsideRuns = 3
    /// Maximum length of a repeated pattern in characters, and minimum length of a repetition in bytes.
    private static let maximumPeriod = 4
    private static let minimumRepetitionLength = 6

    /// Folds a password.
    ///
    /// - Parameter keepsSeparators: false to remove spaces, hyphens and other separators between words.
    init(_ password: borrowing SecretBytes, keepsSeparators: Bool) {
        bytes = SecretBytes(count: password.count)
        var index = 0
        password.withSpan { span in
            while let (scalar, length) = CodePoint.decode(span, at: index) {
                index += length
                if !keepsSeparators, " -_.,/".unicodeScalars.contains(scalar) { continue }
                for byte in Self.fold(scalar) {
                    let place = count
                    bytes.withMutableSpan { $0[place] = byte }
                    count += 1
                }
            }
        }
    }

    /// Converts a character to lower case. In UTF-8, the result needs no more bytes than the character.
    static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
        let value = scalar.value
        switch value {
        case 0x41...0x5A: return [UInt8(value + 32)]
        case 0...0x7F: return [UInt8(value)]
        case _ where !scalar.properties.isAlphabetic: return [UInt8(ascii: "#")]
        case 0xC0...0xDE, 0x391...0x3A9: return utf8(Unicode.Scalar(value + 32) ?? scalar)
        default: return utf8(scalar)
        }
    }

    private static func utf8(_ scalar: Unicode.Scalar) -> [UInt8] { Array(String(scalar).utf8) }

    /// Returns true for a digit, a symbol or a space.
    static func isAdded(_ byte: UInt8) -> Bool {
        switch byte {
        case 97...122, 0x80...: false
        default: true
        }
    }

    func weakness(_ names: [[UInt8]]) -> PasswordWeakness? {
        let count = count
        return bytes.withSpan { span in
            let text = span.extracting(..<count)
            let before = Self.addedCounts(text, fromEnd: false)
            let after = Self.addedCounts(text, fromEnd: true)
            if after[0] <= Self.maximumAfter
                || Self.countOutsideRuns(text) <= Self.maximumOutsideRuns
            {
                return .pattern
            }
            for start in 0..<count where before[start] <= Self.maximumBefore {
                for end in start + 1...count where after[end] <= Self.maximumAfter {
                    let core = text.extracting(start..<end)
                    if Self.isRepetition(core) { return .pattern }
                    if core.count > Self.maximumCoreLength { continue }
                    if names.contains(where: { Self.repeats($0.span, in: core) }) {
                        return .userName
                    }
                    if Self.isCommon(core) { return .common }
                }
            }
            return nil
        }
    }

    /// Returns, for each offset, the number of added characters before it. If `fromEnd` is true, counts
    /// the added characters after the offset instead. Characters in sequences do not count. If there is a
    /// letter among the characters, the result exceeds all limits.
    private static func addedCounts(_ text: Span<UInt8>, fromEnd: Bool) -> [Int] {
        let count = text.count
        let large = count + maximumBefore + maximumAfter + 1
        var least = [Int](repeating: large, count: count + 1)
        least[fromEnd ? count : 0] = 0
        for step in 1..<(count + 1) {
            let place = fromEnd ? count - step : step
            let next = fromEnd ? place + 1 : place - 1
            if isAdded(text[min(place, next)]) { least[place] = min(large, least[next] + 1) }
            var other = fromEnd ? place + minimumRunLength : place - minimumRunLength
            while (0...count).contains(other), isRun(text, min(place, other), max(place, other)) {
                least[place] = min(least[place], least[other])
                other += fromEnd ? 1 : -1
            }
        }
        return least
    }

    /// Returns the minimum number of bytes outside sequences, over all ways to choose the sequences.
    private static func countOutsideRuns(_ text: Span<UInt8>) -> Int {
        var least = [0]
        for end in text.indices.map({ $0 + 1 }) {
            var fewest = least[end - 1] + 1
            var start = end - minimumRunLength
            while start >= 0, isRun(text, start, end) {
                fewest = min(fewest, least[start])
                start -= 1
            }
            least.append(fewest)
        }
        return least[text.count]
    }

    private static let sequences: [String] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm",
        "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "1q2w3e4r5t6y7u8i9o0p",
    ]

    /// Returns true if all bytes are equal, or if their values ascend or descend in steps of one.
    private static func isRun(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        if (start + 1..<end).allSatisfy({ text[$0] == text[start] }) { return true }
        return sequences.contains { sequence in
            let letters = sequence.utf8.span
            return letters.indices.contains { first in
                [1, -1].contains { direction in
                    (start..<end).allSatisfy { place in
                        let letter = first + direction * (place - start)
                        return letters.indices.contains(letter) && letters[letter] == text[place]
                    }
                }
            }
        }
    }

    /// Returns true if the core consists of a repeated short pattern.
    private static func isRepetition(_ core: Span<UInt8>) -> Bool {
        guard core.count >= minimumRepetitionLength else { return false }
        var (period, characters) = (0, 0)
        while characters < maximumPeriod, let (_, length) = CodePoint.decode(core, at: period) {
            characters += 1
            period += length
            if core.count >= 2 * period, isPeriodic(core, period) { return true }
        }
        return false
    }

    private static func isPeriodic(_ core: Span<UInt8>, _ period: Int) -> Bool {
        (period..<core.count).allSatisfy { core[$0] == core[$0 - period] }
    }

    private static func isCommon(_ core: Span<UInt8>) -> Bool {
        let text = CommonPasswords.text
        let list = text.utf8.span
        var start = 0
        for end in 0...list.count where end == list.count || list[end] == UInt8(ascii: " ") {
            if repeats(list.extracting(start..<end), in: core) { return true }
            start = end + 1
        }
        return false
    }

    /// Returns true if the core is a word, possibly repeated, with letters possibly replaced by digits or
    /// symbols.
    private static func repeats(_ word: Span<UInt8>, in core: Span<UInt8>) -> Bool {
        guard core.count.isMultiple(of: word.count) else { return false }
        return word.indices.allSatisfy { canStandFor(word[$0], core[$0]) }
            && isPeriodic(core, word.count)
    }

    private static func canStandFor(_ letter: UInt8, _ byte: UInt8) -> Bool {
        if letter == byte { return true }
        return switch (letter, byte) {
        case (UInt8(ascii: "a"), UInt8(ascii: "@")), (UInt8(ascii: "a"), UInt8(ascii: "4")),
            (UInt8(ascii: "e"), UInt8(ascii: "3")), (UInt8(ascii: "i"), UInt8(ascii: "1")),
            (UInt8(ascii: "i"), UInt8(ascii: "!")), (UInt8(ascii: "l"), UInt8(ascii: "1")),
            (UInt8(ascii: "o"), UInt8(ascii: "0")), (UInt8(ascii: "s"), UInt8(ascii: "$")),
            (UInt8(ascii: "s"), UInt8(ascii: "5")), (UInt8(ascii: "t"), UInt8(ascii: "7")):
            true
        default: false
        }
    }
}
