// This target owns compressed text: the statistics of languages, and the coding of a text with them
// into digits in base 125 and back (smsenc(7), Compressed text). It knows nothing of frames.
//
// To add a language is to add Tables/<Language>.swift and a row at the end of `Language.all`; nothing
// else, but that the fields of Tests/Vectors/compressed.json that name its number as one without a
// model go. The number stands in messages: it is never given to another language, and a table that has
// been used is never changed. A contact whose tools lack it cannot read what is written with it.
//
// A table is counted from some 400,000 characters of everyday sentences, doubles taken out, and with a
// weight from the words of a list of word counts. Case is made SHIFT and CAPS first (`TextEncoder.spell`).
// 1. Count how often each token follows each context of up to 3 tokens. Smooth with an absolute discount
//    of 0.7, each context backed by the next shorter one, the empty one by plain coding.
// 2. Prune: keep an entry if its count in a million tokens times log2(its probability ÷ what the shorter
//    contexts that were kept would give it) is more than θ for each byte it takes (entry 1.5 to 2.5,
//    context 3 to 4), a context if its entries together are. SHIFT, CAPS and END stay in the empty
//    context always. Bisect θ until the table has the size wanted: 1.5 KB for alphabets, up to 24 KB
//    for thousands of characters.
// 3. Weights are probabilities, the escape's being what the entries leave, relative to the context's
//    largest, times 1024, each to the letter of the nearest weight in logarithm (`ModelTable.weights`).
//    Entries stand in the order of falling probability.
// 4. Take out by hand what came from the source and not from the language: tokens, names, addresses.
// Tables/LICENSES lists the sources of the tables here, with their licences. That of data was counted from
// tables, reports and records made at random; the weights of what was kept were then fitted to how often
// it is used, excluded counted.

/// A language, or what is none, whose statistics texts are coded with.
struct Language: Sendable {
    let number: Int
    /// Its tag (BCP 47).
    let name: String
    /// The code points that are plainly coded at the least cost.
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

    /// Its statistics, read from its table the first time.
    var model: LanguageModel { makeModel() }

    /// All languages, by their numbers, which stand in messages: 32 at most.
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

    /// What no language knows: tables of numbers, key=value, times, positions, codes, links. What its
    /// table lacks of ASCII is the newline.
    private static let data = Language(30, "data", home: 0x0A...0x0A) { .data }
}

extension Language {
    /// The languages that a text may be written in by its script: all of them where it has no letters.
    /// With them data, where there are digits; where there are newlines as well, if that makes one more
    /// of many.
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
