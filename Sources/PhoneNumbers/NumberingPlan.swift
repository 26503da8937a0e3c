/// The numbering plan of a calling code. The plan consists of the prefix of national numbers and the
/// permitted lengths of subscriber numbers.
struct NumberingPlan {
    /// The calling code, as ASCII digits.
    let code: [UInt8]
    /// The prefix of national numbers, as ASCII digits. `prefix` is empty if national numbers have no
    /// prefix, or if their prefix is equal to the calling code.
    let prefix: [UInt8]
    /// The bit `1 << n` is set if the calling code has subscriber numbers of n digits.
    private let lengths: UInt32

    /// Returns true if the calling code has subscriber numbers of the same length as the given number.
    func fits(_ number: some Collection<UInt8>) -> Bool {
        number.count < 32 && lengths & 1 << UInt32(number.count) != 0
    }

    /// Returns the plan of the calling code with which a number begins. At most one plan matches, because
    /// no calling code is the beginning of another calling code.
    static func plan(of digits: some Collection<UInt8>) -> NumberingPlan? {
        all.first { digits.starts(with: $0.code) }
    }

    /// Returns the plan of a calling code.
    static func plan(ofCode code: String) -> NumberingPlan? {
        all.first { $0.code.elementsEqual(code.utf8) }
    }

    private static let zero = UInt8(ascii: "0")

    /// Returns a subscriber number as an international number.
    func international(_ number: some Collection<UInt8>) -> String {
        "+" + String(decoding: code + number, as: UTF8.self)
    }

    /// Returns the numbers that may be meant if a superfluous prefix precedes the number.
    func numbers(withoutPrefixOf number: ArraySlice<UInt8>) -> [String] {
        prefixes.filter { number.starts(with: $0) }.map { number.dropFirst($0.count) }
            .filter { prefix.isEmpty || $0.first != Self.zero }.flatMap {
                numbers(withPrefixOf: $0)
            }
    }

    /// Returns the numbers that may be meant if the number was written without its prefix.
    func numbers(withPrefixOf number: ArraySlice<UInt8>) -> [String] {
        guard fits(number) else { return [] }
        let isAmbiguous = isArgentina && number.count == 10
        return [international(number)] + (isAmbiguous ? [argentineMobile(number)] : [])
    }

    /// Returns the numbers that may be meant if the number is a mobile number in Argentina, and was
    /// written with 15 after the area code.
    func numbers(without15In number: ArraySlice<UInt8>) -> [String] {
        guard isArgentina, number.count == 12 else { return [] }
        return (2...4).filter { number.dropFirst($0).starts(with: "15".utf8) }
            .map { argentineMobile(number.prefix($0) + number.dropFirst($0 + 2)) }
    }

    private func argentineMobile(_ number: ArraySlice<UInt8>) -> String {
        international([UInt8(ascii: "9")] + number)
    }

    /// The prefix, and the wrong or outdated prefixes that people still write.
    private var prefixes: [[UInt8]] {
        let others =
            switch prefix {
            case [Self.zero]: code.elementsEqual("370".utf8) ? ["8"] : []
            case [UInt8(ascii: "8")]: ["0", "80"]
            default: ["0"]
            }
        return (prefix.isEmpty ? [] : [prefix]) + others.map { Array($0.utf8) }
    }

    private var isArgentina: Bool { code.elementsEqual("54".utf8) }
    /// True if people write subscriber numbers of up to 6 digits without the prefix, as in Kiribati and Saint
    /// Pierre.
    var hasShortNumbers: Bool {
        ["508", "686"].contains { code.elementsEqual($0.utf8) }
    }

    private static let all = table.utf8.split {
        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n")
    }
    .map { NumberingPlan($0) }

    /// Parses an item of `table`.
    private init(_ item: Substring.UTF8View) {
        let fields = item.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        (code, prefix) = (Array(fields[0]), Array(fields[1]))
        lengths = fields[2].split(separator: UInt8(ascii: ",")).reduce(0) { (lengths, range) in
            let ends = range.split(separator: UInt8(ascii: "-")).map { digits in
                digits.reduce(0) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
            }
            return (ends[0]...ends[ends.count - 1]).reduce(lengths) { $0 | 1 << $1 }
        }
    }

    /// The items CODE/PREFIX/LENGTHS of all calling codes of countries, in numerical order.
    ///
    /// This table is derived from the metadata of libphonenumber (Apache 2.0), which
    /// Tests/PhoneNumbers/numbering-plans.tsv lists. LENGTHS contains the lengths of all kinds of numbers,
    /// including mobile numbers.
    static let table = """
        1//10 7/8/10 20/0/8-10 27/0/5-9 30//10 31/0/9,11 32/0/8-9 33/0/9 34//9 36/06/8-9 39//6-12
        40/0/6,9 41/0/9 43/0/4-13 44/0/9-10 45//8 46/0/7-9 47//8 48//7,9 49/0/5-15 51/0/8-9 52//10
        53/0/6-8,10 54/0/10-11 55/0/10-11 56//9 57/0/8,10 58/0/10 60/0/8-10 61/0/9 62/0/7-12 63/0/6,8-10
        64/0/8-10 65//8 66/0/8-9 81/0/9-10 82/0/5-6,8-10 84/0/9-10 86/0/7-11 90/0/10 91/0/10 92/0/9-10
        93/0/9 94/0/9 95/0/6-10 98/0/6-7,10 211/0/9 212/0/9 213/0/8-9 216//8 218/0/9 220//7,9 221//9
        222//8 223//8 224//8-9 225//10 226//8 227//8 228//8 229//10 230//7-8 231/0/7-9 232/0/8 233/0/9
        234/0/10 235//8 236//8 237//9 238//7 239//7 240//9 241//7-8 242//9 243/0/7-10 244//9 245//9
        246//7 247//5 248//7 249/0/9 250/0/8-9 251/0/9 252/0/6-9 253//8 254/0/7-9 255/0/9 256/0/9 257//8
        258//8-9 260/0/9 261/0/9 262/0/9 263/0/9 264/0/8-9 265/0/7,9 266//8 267//7-8 268//8 269//7
        290//4-5 291/0/7 297//7 298//6 299//6 350//8 351//9 352//4-11 353/0/7-10 354//7,9 355/0/8-9
        356//8 357//8 358/0/5-10 359/0/6-9 370/0/8 371//8 372//7-8 373/0/8 374/0/8 375/8/9 376//6,9
        377/0/8-9 378//8,10 380/0/9 381/0/7-12 382/0/8 383/0/8-12 385/0/8-9 386/0/8 387/0/8-9 389/0/8
        420//9 421/0/6-7,9 423/0/7,9 500//5 501//7 502//8 503//8 504//8 505//8 506//8 507//7-8 508/0/6,9
        509//8 590/0/9 591/0/8 592//7 593/0/8-9 594/0/9 595/0/7-9 596/0/9 597//6-7 598/0/8 599//7-8
        670//7-8 672//6 673//7 674//7 675//7-8 676//5,7 677//5,7 678//5,7 679//7 680//7 681//6 682//5
        683//4,7 685//5-7,10 686/0/5,8 687//6 688//5-7 689//8 690//4-7 691//7 692/1/7 850/0/8,10 852//8
        853//8 855/0/8-9 856/0/8-10 880/0/6-10 886/0/8-9 960//7 961/0/7-8 962/0/8-9 963/0/8-9 964/0/8-10
        965//8 966/0/9 967/0/7-9 968//8 970/0/8-9 971/0/8-9 972/0/8-9,11-12 973//8 974//8 975//7-8
        976/0/8-10 977/0/8,10 992//9 993/8/8 994/0/9 995/0/9 996/0/9 998//9
        """
}
