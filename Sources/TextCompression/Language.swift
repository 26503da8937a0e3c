// This target compresses text. It contains statistics of languages. A range coder uses the statistics to
// convert text into digits of base 125, and the digits into text (smsenc-protocol(7), Compressed form).
// This target does not depend on frames.
//
// Adding a language:
// 1. Add Tables/<Language>.swift and a row at the end of `Language.all`.
// 2. Some test cases in Tests/Vectors/compressed.json use numbers that no language has. Delete the test
//    cases that use the number of the new language.
//
// The number of a language is stored in messages. Never assign it to another language, and never change a
// table that has been in use. If a recipient's version of smsenc does not have a language, the recipient
// cannot read texts that were compressed with this language.
//
// To create a table, use about 400,000 characters of everyday sentences, and remove duplicates. Also use
// the words of a frequency list, and give the list a weight of its own. First replace uppercase letters
// with lowercase letters and the marks SHIFT and CAPS, as `TextEncoder.tokenize` does.
// 1. Count how often each token follows each context of up to 3 tokens. Smooth the counts by absolute
//    discounting with 0.7. Each context backs off to the next shorter context. The empty context backs off
//    to literal coding.
// 2. Prune the table. Divide count × log2(p ÷ q) by the number of bytes that the entry occupies, and keep
//    the entry if the result exceeds θ. The count is per million tokens. p is the entry's probability. q
//    is the probability of the same token if the entry is deleted and the shorter contexts are used. An
//    entry occupies 1.5 to 2.5 bytes, and a context 3 to 4 bytes. Apply the same condition to the sum of
//    all entries of a context to decide whether to keep the context. Always keep SHIFT, CAPS and END in
//    the empty context. Bisect θ until the table has the intended size. This is 1.5 KB for alphabets, and
//    up to 24 KB for scripts with thousands of characters.
// 3. Convert probabilities into weights. To compute a weight, divide the probability by the largest
//    probability in the context, and multiply the result by 1024. The escape symbol receives the remaining
//    probability. Replace each weight with the value in `ModelTable.weights` that is nearest on a
//    logarithmic scale. Sort the entries by decreasing probability.
// 4. Manually delete entries that are typical of the source, but not of the language. Examples are
//    placeholders, names and addresses.
//
// smsenc-languages(7) lists the sources of the tables, and Tables/LICENSES lists their licences. The table
// for `data` was counted from random tables, reports and records. The weights were then adjusted to how
// often the encoder uses each entry. Excluded tokens were taken into account.

/// A language, or another kind of text, that has a statistical model for compression.
struct Language: Sendable {
    let number: Int
    /// Language tag (BCP 47), or "data" for text that is not in any language.
    let name: String
    /// Range of code points for which literal coding needs the fewest bits. The range usually contains
    /// characters of the language's script.
    let home: ClosedRange<UInt32>
    private let makeModel: @Sendable () -> LanguageModel

    private init(
        _ number: Int, _ name: String, home: ClosedRange<UInt32>,
        _ model: @escaping @Sendable () -> LanguageModel
    ) {
        self.number = number
        self.name = name
        self.home = home
        self.makeModel = model
    }

    /// The statistical model of the language. The table of a model is parsed when the model is used for
    /// the first time.
    var model: LanguageModel { makeModel() }

    /// All languages, of which there can be at most 32. The index of a language is the number that is
    /// stored in messages.
    static let all = [
        Language(0, "en", home: 0x20...0x7E) { .english },
        Language(1, "es", home: 0xA0...0x17F) { .spanish },
        Language(2, "fr", home: 0xA0...0x17F) { .french },
        Language(3, "pt", home: 0xA0...0x17F) { .portuguese },
        Language(4, "de", home: 0xA0...0x17F) { .german },
        Language(5, "it", home: 0xA0...0x17F) { .italian },
        Language(6, "nl", home: 0xA0...0x17F) { .dutch },
        Language(7, "pl", home: 0xA0...0x17F) { .polish },
        Language(8, "tr", home: 0xA0...0x17F) { .turkish },
        Language(9, "id", home: 0x20...0x7E) { .indonesian },
        Language(10, "sw", home: 0x20...0x7E) { .swahili },
        Language(11, "ha", home: 0x180...0x25F) { .hausa },
        Language(12, "vi", home: 0x1EA0...0x1EF9) { .vietnamese },
        Language(13, "ru", home: 0x400...0x45F) { .russian },
        Language(14, "uk", home: 0x400...0x49F) { .ukrainian },
        Language(15, "el", home: 0x370...0x3FF) { .greek },
        Language(16, "he", home: 0x590...0x5FF) { .hebrew },
        Language(17, "ar", home: 0x600...0x6FF) { .arabic },
        Language(18, "fa", home: 0x600...0x6FF) { .persian },
        Language(19, "ur", home: 0x600...0x6FF) { .urdu },
        Language(20, "am", home: 0x1200...0x137F) { .amharic },
        Language(21, "hi", home: 0x900...0x97F) { .hindi },
        Language(22, "bn", home: 0x980...0x9FF) { .bengali },
        Language(23, "ta", home: 0xB80...0xBFF) { .tamil },
        Language(24, "th", home: 0xE00...0xE7F) { .thai },
        Language(25, "my", home: 0x1000...0x109F) { .burmese },
        Language(26, "ko", home: 0xAC00...0xD7A3) { .korean },
        Language(27, "ja", home: 0x3000...0x9FFF) { .japanese },
        Language(28, "zh", home: 0x4E00...0x9FFF) { .chinese },
        Language(29, "zh-Hant", home: 0x4E00...0x9FFF) { .traditionalChinese },
        data,
    ]

    /// Text that is not in any language, such as tables of numbers, key=value pairs, times, coordinates,
    /// codes and links. The range `home` contains only the newline, because the table contains all other
    /// ASCII characters.
    private static let data = Language(30, "data", home: 0x0A...0x0A) { .data }
}

extension Language {
    /// Returns the languages in which a text may be written. The function selects the languages by the
    /// script of the text. If the text contains no letters, all languages are returned.
    ///
    /// The result includes the language `data` if the text contains digits, or if it contains both
    /// newlines and Latin letters.
    static func candidates(for characters: Span<UInt32>) -> [Language] {
        let isLatin = characters.indices.contains { isLatinLetter(characters[$0]) }
        let hasData = characters.indices.contains { index in
            0x30...0x39 ~= characters[index] || isLatin && data.home.contains(characters[index])
        }
        let candidates = languages.filter { language in
            language.isLatin
                ? isLatin : characters.indices.contains { language.home.contains(characters[$0]) }
        }
        if candidates.isEmpty { return all }
        return hasData ? candidates + [data] : candidates
    }

    private static let languages = all.filter { $0.number != data.number }

    private var isLatin: Bool { home.lowerBound < 0x250 || home.lowerBound >> 8 == 0x1E }

    private static func isLatinLetter(_ value: UInt32) -> Bool {
        switch value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF: true
        default: false
        }
    }
}
