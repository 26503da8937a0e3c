/// Transliterations of Latin letters and of the signs of Latin-1.
///
/// - A letter with marks is decomposed as in UnicodeData.txt (Unicode 14.0; later versions are the same).
///   If the base letter and one of the marks form a GSM character, the letter is replaced with this
///   character. If several marks form a GSM character with the base letter, the first of these marks is
///   used. If no mark forms a GSM character with the base letter, the letter is replaced with the base
///   letter. For example, the letter `Ǖ` is replaced with Ü, and the letter `ê` with e. As the only
///   exception, `ç` is replaced with c, although the GSM alphabet contains the uppercase letter `Ç`.
/// - Other letters are replaced as in CLDR's Latin-ASCII transform (common/transforms/Latin-ASCII.xml).
///   Letters of the GSM alphabet and the letter gha (`Ƣ`) are exceptions to the Latin-ASCII transform.
/// - Letters that are not in CLDR are replaced with similar characters. A tone letter is replaced with the
///   digit from which it is derived. A click is replaced with the most similar sign. A turned or reversed
///   letter is replaced with the letter from which it is derived.
enum LatinTransliterations {
    /// Each row contains the replacements of sixteen code points. `·` stands for a character that needs no
    /// replacement, or that has no replacement. `␣` stands for a space.
    static let rows: [(first: Int, row: String)] = [
        // Latin-1 and Latin Extended-A
        (0x00A0, "· ¡ c £ ¤ ¥ | § · (C) a \" · · (R) -"),
        (0x00B0, "deg +/- 2 3 ' u · . · 1 o \" ␣1/4 ␣1/2 ␣3/4 ¿"),
        (0x00C0, "A A A A Ä Å Æ Ç E É E E I I I I"),
        (0x00D0, "D Ñ O O O O Ö x Ø U U U Ü Y TH ß"),
        (0x00E0, "à a a a ä å æ c è é e e ì i i i"),
        (0x00F0, "d ñ ò o o o ö / ø ù u u ü y th y"),
        (0x0100, "A a A a A a C c C c C c C c D d"),
        (0x0110, "D d E e E e E e E e E e G g G g"),
        (0x0120, "G g G g H h H h I i I i I i I i"),
        (0x0130, "I i IJ ij J j K k q L l L l L l L."),
        (0x0140, "l. L l N n N n N n 'n N n O o O o"),
        (0x0150, "O o OE oe R r R r R r S s S s S s"),
        (0x0160, "S s T t T t T t U u U u U u U u"),
        (0x0170, "U u U u W w Y y Y Z z Z z Z z s"),
        // Latin Extended-B
        (0x0180, "b B B b 6 6 O C c D D D d d E E"),
        (0x0190, "E F f G G hv I I K k l l M N n O"),
        (0x01A0, "O o GH gh P p R 2 2 S s t T t T U"),
        (0x01B0, "u U V Y y Z z Z Z z z 2 5 5 ts w"),
        (0x01C0, "| || = ! DZ Dz dz LJ Lj lj NJ Nj nj A a I"),
        (0x01D0, "i O o U u Ü ü Ü ü Ü ü Ü ü e Ä ä"),
        (0x01E0, "A a Æ æ G g G g K k O o O o Z z"),
        (0x01F0, "j DZ Dz dz G g HV W N n Å å Æ æ Ø ø"),
        (0x0200, "A a A a E e E e I i I i O o O o"),
        (0x0210, "R r R r U u U u S s T t Y y H h"),
        (0x0220, "N d OU ou Z z A a E e Ö ö O o O o"),
        (0x0230, "O o Y y l n t j db qp A C c L T s"),
        (0x0240, "z ' ' B U V E e J j Q q R r Y y"),
        // IPA Extensions
        (0x0250, "a a a b o c d d e e e e e e e j"),
        (0x0260, "g g G g · · h h i i I l l l · m"),
        (0x0270, "m m n n N o OE · · r r r r r r r"),
        (0x0280, "R R s s · s · t t u u v v w y Y"),
        (0x0290, "z z z z ' ' ' c · B e G H j k L"),
        (0x02A0, "q ' ' dz dz dz ts ts tc fn ls lz · · h h"),
        // Latin Extended Additional
        (0x1E00, "A a B b B b B b Ç c D d D d D d"),
        (0x1E10, "D d D d E è É é E e E e E e F f"),
        (0x1E20, "G g H h H h H h H h H h I i I i"),
        (0x1E30, "K k K k K k L l L l L l L l M m"),
        (0x1E40, "M m M m N n N n N n N n O o Ö ö"),
        (0x1E50, "O ò O o P p P p R r R r R r R r"),
        (0x1E60, "S s S s S s S s S s T t T t T t"),
        (0x1E70, "T t U u U u U u U u Ü ü V v V v"),
        (0x1E80, "W w W w W w W w W w X x X x Y y"),
        (0x1E90, "Z z Z z Z z h t w y a s s s SS d"),
        (0x1EA0, "A a A a A a A à A a A a A a A a"),
        (0x1EB0, "A à A a A a A a E e E e E e É é"),
        (0x1EC0, "E è E e E e E e I i I i O o O o"),
        (0x1ED0, "O o O ò O o O o O o O o O ò O o"),
        (0x1EE0, "O o O o U u U u U u U ù U u U u"),
        (0x1EF0, "U u Y y Y y Y y Y y LL ll V v Y y"),
    ]
}
