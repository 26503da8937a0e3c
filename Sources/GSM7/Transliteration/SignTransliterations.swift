/// Transliterations of punctuation, spaces, signs, ligatures, numbers and Greek capitals.
///
/// The replacements come from the compatibility mappings in UnicodeData.txt (Unicode 14.0), and from
/// CLDR's Latin-ASCII transform (common/transforms/Latin-ASCII.xml). If a character of the GSM alphabet is
/// more suitable than the mapping, the GSM character is used. All quotation marks are replaced with
/// straight single or double quotation marks. `₤` is replaced with £, and `×` with x.
enum SignTransliterations {
    /// Characters, and the text that replaces each of them.
    static let rows: [(characters: String, text: String)] = [
        // Spaces (all characters in the general category Zs except U+0020), line separator, paragraph
        // separator.
        ("\u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}", " "),
        ("\u{2008}\u{2009}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}", " "),
        // Quotation marks, apostrophes, primes.
        ("`´ʹʻʼʽʾʿˈˊˋ‘’‚‛‹›′‵〈〉ꞌ｀｢｣", "'"),
        ("«»ʺ˝“”„‟″‶《》「」『』〝〞〟", "\""),
        ("‴‷", "'''"),
        // Dashes and hyphens.
        ("¯˗‐‑‒–—―‾⁃⁻₋−─━⸺⸻﹘﹣￣", "-"),
        // Dots and other punctuation.
        ("·․‧∙⋅・。｡﹒ꞏ", "."), ("‥", ".."), ("…⋯", "..."),
        ("、､﹐﹑", ","), ("ː∶﹕", ":"), ("﹔", ";"), ("﹗", "!"), ("﹖", "?"),
        ("‼", "!!"), ("⁇", "??"), ("⁈‽", "?!"), ("⁉", "!?"),
        ("•‣◦●■▪⁎∗﹡★☆", "*"), ("‗﹍﹎﹏", "_"),
        ("⁄∕", "/"), ("∖﹨", "\\"), ("¦∣￤", "|"), ("‖∥", "||"),
        ("⁽₍❨❪﹙⦅", "("), ("⁾₎❩❫﹚⦆", ")"),
        ("⁅〔〖〘〚【﹝", "["), ("⁆〕〗〙〛】﹞", "]"), ("❴﹛", "{"), ("❵﹜", "}"),
        ("˂﹤⟨", "<"), ("˃﹥⟩", ">"), ("˄ˆ", "^"), ("˜∼∿〜≈", "~"),
        ("﹟", "#"), ("﹠", "&"), ("﹩", "$"), ("﹪", "%"), ("﹫", "@"),
        // Arithmetic and arrows.
        ("⁺₊˖﹢", "+"), ("⁼₌﹦", "="), ("≠", "!="), ("≤⩽", "<="), ("≥⩾", ">="),
        ("≪", "<<"), ("≫", ">>"), ("✕✖", "x"), ("∓", "-/+"),
        ("←", "<-"), ("→", "->"), ("↔", "<->"), ("⇐", "<="), ("⇒", "=>"), ("⇔", "<=>"),
        // Letterlike signs, currencies and units.
        ("™", "TM"), ("℠", "SM"), ("℗", "(P)"), ("№", "No"), ("℅", "c/o"), ("℀", "a/c"),
        ("℡", "TEL"), ("℃", "degC"), ("℉", "degF"), ("ℓ", "l"), ("℮", "e"), ("ℹ", "i"),
        ("₠", "CE"), ("₢", "Cr"), ("₣", "Fr."), ("₤￡", "£"), ("₧", "Pts"), ("₨₹", "Rs"),
        ("₺", "TL"), ("￠", "c"), ("￥", "¥"), ("‰", "o/oo"), ("⸮", "?"), ("∆", "Δ"), ("∑", "Σ"),
        ("∏", "Π"),
        // Ligatures.
        ("ﬀ", "ff"), ("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬃ", "ffi"), ("ﬄ", "ffl"), ("ﬅﬆ", "st"),
        // Superscript and subscript digits, fractions, and Roman numerals.
        ("⁰₀", "0"), ("₁", "1"), ("₂", "2"), ("₃", "3"), ("⁴₄", "4"), ("⁵₅", "5"), ("⁶₆", "6"),
        ("⁷₇", "7"), ("⁸₈", "8"), ("⁹₉", "9"), ("ⁱ", "i"), ("ⁿ", "n"),
        ("⅓", " 1/3"), ("⅔", " 2/3"), ("⅕", " 1/5"), ("⅖", " 2/5"), ("⅗", " 3/5"), ("⅘", " 4/5"),
        ("⅙", " 1/6"), ("⅚", " 5/6"), ("⅐", " 1/7"), ("⅛", " 1/8"), ("⅜", " 3/8"), ("⅝", " 5/8"),
        ("⅞", " 7/8"), ("⅑", " 1/9"), ("⅒", " 1/10"),
        ("Ⅰ", "I"), ("Ⅱ", "II"), ("Ⅲ", "III"), ("Ⅳ", "IV"), ("Ⅴ", "V"), ("Ⅵ", "VI"),
        ("Ⅶ", "VII"), ("Ⅷ", "VIII"), ("Ⅸ", "IX"), ("Ⅹ", "X"), ("Ⅺ", "XI"), ("Ⅻ", "XII"),
        ("Ⅼ", "L"), ("Ⅽ", "C"), ("Ⅾ", "D"), ("Ⅿ", "M"),
        // Greek capitals that look like Latin letters, and accented Greek capitals. The replacements have
        // no accent.
        ("ΑΆ", "A"), ("Β", "B"), ("ΕΈ", "E"), ("Ζ", "Z"), ("ΗΉ", "H"), ("ΙΊΪ", "I"), ("Κ", "K"),
        ("Μ", "M"), ("Ν", "N"), ("ΟΌ", "O"), ("Ρ", "P"), ("Τ", "T"), ("ΥΎΫ", "Y"), ("Χ", "X"),
        ("Ώ", "Ω"),
    ]

    /// Invisible characters, which are removed. The invisible characters are the soft hyphen, grapheme
    /// joiner, Arabic letter mark, Mongolian vowel separator, zero-width space, zero-width joiners,
    /// direction marks, embeddings, word joiner, invisible operators, isolates, variation selectors, and
    /// the byte order mark.
    static let invisible: [ClosedRange<Int>] = [
        0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200F,
        0x202A...0x202E, 0x2060...0x2064, 0x2066...0x206F, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
    ]

    /// Replacements for characters of the extension table, which are used if only the basic alphabet is
    /// permitted. The circumflex, the backslash and the vertical bar have no suitable replacement.
    static let basic: [Unicode.Scalar: String] = [
        "[": "(", "]": ")", "{": "(", "}": ")", "~": "-", "€": "EUR",
    ]
}
