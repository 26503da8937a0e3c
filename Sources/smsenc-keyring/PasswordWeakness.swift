import Crypto
import GSM7

/// The reason why programs that guess passwords would try a password early.
enum PasswordWeakness {
    /// The password is one of the thousand most common passwords, or a typical variation of such a
    /// password.
    case common
    /// The password repeats a pattern, or consists of sequences such as `abc`, `123` or `qwerty`.
    case pattern
    case userName

    /// Looks for a weakness in a password. Returns nil if the password has no weakness.
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

    /// Returns the whole name of the user, and each word of the name. The results are folded. Words with
    /// fewer than three characters are omitted.
    private static func names(of user: String) -> [[UInt8]] {
        var names: [[UInt8]] = [[], []]
        for scalar in user.unicodeScalars {
            guard let code = FoldedText.fold(scalar) else { continue }
            if FoldedText.isAdded(code) {
                names.append([])
            } else {
                names[0].append(code)
                names[names.count - 1].append(code)
            }
        }
        return names.filter { $0.count >= 3 }
    }
}

/// Decides which characters of a password count towards its length.
///
/// All visible code points in NFC are counted, except combining marks. The length of a password is nearly
/// always its number of extended grapheme clusters. The length differs from this number only for emoji
/// sequences and some Indic conjuncts. Clusters are not counted, because the standard library finds them
/// only in a `String`, whose memory cannot be overwritten.
enum PasswordCharacter {
    static func isCounted(_ scalar: Unicode.Scalar) -> Bool {
        !CodePoint.isMark(scalar) && !scalar.properties.isDefaultIgnorableCodePoint
    }
}

/// A password in the form in which guessing programs look up passwords. Such a password consists of a
/// core, and of digits and symbols before and after the core.
private struct FoldedText: ~Copyable {
    /// The characters of the password in lower case, with one byte for each character (see `fold`).
    private var bytes: SecretBytes
    private var count = 0
    /// Maximum numbers of digits and symbols before and after the core of a password. Digits in sequences
    /// such as `123` are not counted.
    private static let maximumBefore = 4
    private static let maximumAfter = 6
    /// Maximum length of a core that is compared with names and common passwords.
    private static let maximumCoreLength = 64
    private static let minimumRunLength = 3
    /// A password is treated as a pattern if at most this number of characters are outside sequences. An
    /// example is `Aa123456!`.
    private static let maximumOutsideRuns = 3
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
                guard let code = Self.fold(scalar) else { continue }
                let place = count
                bytes.withMutableSpan { $0[place] = code }
                count += 1
            }
        }
    }

    /// Converts a character to lower case, and to one byte. Returns nil for a character that does not
    /// count towards the length of a password.
    ///
    /// An ASCII character is only converted to lower case. Other digits, such as Arabic digits, become ASCII
    /// digits. Other symbols become `#`. Letters get different bytes if they are in the same block of 128
    /// code points. All Russian letters, for example, are in the same block.
    static func fold(_ scalar: Unicode.Scalar) -> UInt8? {
        guard PasswordCharacter.isCounted(scalar) else { return nil }
        let properties = scalar.properties
        if scalar.isASCII {
            return UInt8(ascii: properties.lowercaseMapping.unicodeScalars.first ?? scalar)
        }
        if properties.numericType == .decimal, let digit = properties.numericValue {
            return UInt8(ascii: "0") + UInt8(digit)
        }
        guard properties.isAlphabetic else { return UInt8(ascii: "#") }
        let lower = properties.lowercaseMapping.unicodeScalars.first ?? scalar
        return UInt8(0x80 | lower.value & 0x7F)
    }

    /// Returns true for a digit, a symbol or a space, which people add before or after the core of a
    /// password.
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
            // A letter outside sequences makes the number larger than all limits.
            let large = count + Self.maximumBefore + Self.maximumAfter + 1
            let before = Self.countsOutsideRuns(text, fromEnd: false, eachLetter: large)
            let after = Self.countsOutsideRuns(text, fromEnd: true, eachLetter: large)
            let outside = Self.countsOutsideRuns(text, fromEnd: true, eachLetter: 1)[0]
            if after[0] <= Self.maximumAfter || outside <= Self.maximumOutsideRuns {
                return .pattern
            }
            for start in 0..<count where before[start] <= Self.maximumBefore {
                for end in start + 1...count where after[end] <= Self.maximumAfter {
                    let core = text.extracting(start..<end)
                    if Self.isRepetition(core) { return .pattern }
                    if core.count > Self.maximumCoreLength { continue }
                    if let weakness = Self.weakness(ofCore: core, names) { return weakness }
                }
            }
            return Self.consists(text, of: names) ? .userName : nil
        }
    }

    /// Returns, for each offset, the smallest possible number of characters before the offset that are
    /// outside sequences. If `fromEnd` is true, the function instead counts the characters after each
    /// offset.
    ///
    /// - Parameter letter: how often each letter outside sequences is counted.
    private static func countsOutsideRuns(
        _ text: Span<UInt8>, fromEnd: Bool, eachLetter letter: Int
    ) -> [Int] {
        let count = text.count
        var least = [Int](repeating: 0, count: count + 1)
        for step in 1..<(count + 1) {
            let place = fromEnd ? count - step : step
            let next = fromEnd ? place + 1 : place - 1
            least[place] = least[next] + (isAdded(text[min(place, next)]) ? 1 : letter)
            var other = fromEnd ? place + minimumRunLength : place - minimumRunLength
            while (0...count).contains(other), isRun(text, min(place, other), max(place, other)) {
                least[place] = min(least[place], least[other])
                other += fromEnd ? 1 : -1
            }
        }
        return least
    }

    private static let sequences: [[UInt8]] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm",
        "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()",
        "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "1q2w3e4r5t6y7u8i9o0p",
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "абвгдежзийклмноп", "йцукенгшщзхъ", "фывапролджэ",
        "ячсмитьбю", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "ضصثقفغعهخحجد", "شسيبلاتنمكط",
    ].map { $0.unicodeScalars.compactMap(fold) }

    /// Returns true if all bytes of a range are equal, or if these bytes are a part of one of `sequences`,
    /// forwards or backwards.
    private static func isRun(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        if (start + 1..<end).allSatisfy({ text[$0] == text[start] }) { return true }
        return sequences.contains { sequence in
            let letters = sequence.span
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

    /// Returns true if the core of a password repeats a pattern. The last repetition of the pattern may be
    /// incomplete.
    private static func isRepetition(_ core: Span<UInt8>) -> Bool {
        guard core.count >= minimumRepetitionLength else { return false }
        return (1...core.count / 2).contains { period in
            (period..<core.count).allSatisfy { core[$0] == core[$0 - period] }
        }
    }

    /// Returns a weakness if the core consists of one or two words that are names, or names and common
    /// passwords.
    private static func weakness(
        ofCore core: Span<UInt8>, _ names: [[UInt8]]
    ) -> PasswordWeakness? {
        var found = WordsAtEnds(of: core)
        for name in names { found.look(for: name.span, in: core) }
        if found.coverCore { return .userName }
        let text = CommonPasswords.text
        let list = text.utf8.span
        var start = 0
        for end in 0...list.count where end == list.count || list[end] == UInt8(ascii: " ") {
            found.look(for: list.extracting(start..<end), in: core)
            start = end + 1
        }
        return found.coverCore ? .common : nil
    }

    /// Returns true if a name occurs at least twice in a text, and the text contains only few other
    /// characters.
    private static func consists(_ text: Span<UInt8>, of names: [[UInt8]]) -> Bool {
        names.contains { name in
            var (start, outside, occurrences) = (0, 0, 0)
            while start < text.count {
                let isHere = begins(text.extracting(start...), with: name.span)
                start += isHere ? name.count : 1
                if isHere { occurrences += 1 } else { outside += 1 }
            }
            return occurrences >= 2 && outside <= maximumBefore + maximumAfter
        }
    }

    /// Returns true if a text begins with a word. In the text, digits or symbols may replace letters of
    /// the word, such as `@` for a.
    private static func begins(_ text: Span<UInt8>, with word: Span<UInt8>) -> Bool {
        word.count <= text.count && word.indices.allSatisfy { canStandFor(word[$0], text[$0]) }
    }

    /// Pairs of a letter and the digit or symbol that people write instead of this letter.
    private static let substitutes = Array("a@a4e3i1i!l1o0s$s5t7".utf8)

    private static func canStandFor(_ letter: UInt8, _ byte: UInt8) -> Bool {
        letter == byte
            || stride(from: 0, to: substitutes.count, by: 2).contains { index in
                substitutes[index] == letter && substitutes[index + 1] == byte
            }
    }

    /// The words with which the core of a password begins and ends.
    private struct WordsAtEnds {
        /// `first[n]` is true if the core begins with a word of n characters. `last[n]` is true if the
        /// core ends with a word of n characters.
        private var first, last: [Bool]

        init(of core: Span<UInt8>) {
            first = [Bool](repeating: false, count: core.count + 1)
            last = first
        }

        /// True if the whole core consists of one word, or of a word at its beginning and a word at its
        /// end.
        var coverCore: Bool {
            let count = first.count - 1
            return first[count] || (1..<count).contains { first[$0] && last[count - $0] }
        }

        mutating func look(for word: Span<UInt8>, in core: Span<UInt8>) {
            guard word.count <= core.count else { return }
            if begins(core, with: word) { first[word.count] = true }
            if begins(core.extracting(last: word.count), with: word) { last[word.count] = true }
        }
    }
}
