/// The digits that a user wrote as a telephone number, and their possible meanings.
struct NumberReader {
    /// Permitted number of digits. ITU-T E.164 allows at most 15 digits. Before these digits, a user can
    /// write a prefix of up to three digits.
    static let lengths = 2...18
    static let longestShortCode = 6
    /// The mark that a user writes before a short code whose digits could also be the number of a
    /// subscriber.
    private static let shortCodeMark = "short:"

    private static let zero = UInt8(ascii: "0")
    static func isDigit(_ byte: UInt8) -> Bool { zero...UInt8(ascii: "9") ~= byte }

    /// The digits, as ASCII, without `00` at the beginning of an international number.
    private var digits: [UInt8] = []
    private var form = Form.unmarked
    /// The bit `1 << n` is set if spaces or punctuation precede the digit with index n.
    private var gaps: UInt64 = 0
    /// Index of the zero in `(0)`. Nil if the number does not contain `(0)`, or if it begins with `(0)`.
    private var bracketedZero: Int?

    private enum Form {
        case unmarked, shortCode
        /// The number begins with `+`, or with `00`.
        case plus, doubleZero
    }

    /// Parses a text. Returns nil if the text cannot be a telephone number.
    init?(_ text: String) {
        var scalars = text.unicodeScalars[...]
        if scalars.starts(with: Self.shortCodeMark.unicodeScalars) {
            form = .shortCode
            scalars.removeFirst(Self.shortCodeMark.unicodeScalars.count)
        }
        var bracket: Int?
        for scalar in scalars {
            switch scalar {
            case "0"..."9":
                guard digits.count <= Self.lengths.upperBound + 2 else { return nil }
                digits.append(UInt8(ascii: scalar))
                continue
            case "+":
                guard digits.isEmpty, form == .unmarked else { return nil }
                form = .plus
                continue
            case "(": bracket = digits.count
            case ")":
                if let start = bracket, start > 0, digits[start...].elementsEqual([Self.zero]) {
                    guard bracketedZero == nil else { return nil }
                    bracketedZero = start
                }
                bracket = nil
            case " ", "-", ".", "/", "\u{A0}", "\u{202F}", "\u{2010}"..."\u{2013}": break
            default: return nil
            }
            gaps |= 1 << UInt64(digits.count)
        }
        if form == .unmarked, digits.count > Self.longestShortCode,
            digits.starts(with: [Self.zero, Self.zero])
        {
            form = .doubleZero
            digits.removeFirst(2)
            gaps >>= 2
            bracketedZero = bracketedZero.map { $0 - 2 }
        }
        guard Self.lengths.contains(digits.count) else { return nil }
    }

    private init(_ digits: some Sequence<UInt8>, form: Form = .unmarked) {
        (self.digits, self.form) = (Array(digits), form)
    }
}

extension NumberReader {
    /// Returns the meaning that the number has for people in the given country.
    func meaning(in country: NumberingPlan?) -> PhoneNumber {
        switch form {
        case .plus, .doubleZero: return international(strictly: form == .doubleZero)
        case .shortCode:
            return digits.count <= Self.longestShortCode ? .complete(text) : .invalid
        case .unmarked: break
        }
        if let zero = bracketedZero { return meaning(ofZeroAt: zero, in: country) }
        let isShort = digits.count <= Self.longestShortCode
        guard let country else { return isShort ? .complete(text) : .national(text) }
        let readings = Readings(self, in: country)
        if isShort {
            let subscribers = readings.own + readings.guesses
            return subscribers.isEmpty
                ? .complete(text) : .unclear(subscribers + [Self.shortCodeMark + text])
        }
        if readings.all.isEmpty { return .national(text) }
        return readings.own.count == 1 && readings.all.count == 1
            ? .complete(readings.own[0]) : .unclear(readings.all)
    }

    /// Returns the forms in which the keyring may contain the number (see `PhoneNumber.lookUps`).
    func lookUps(in country: NumberingPlan?) -> [String] {
        switch meaning(in: country) {
        case .complete(let number): return [number]
        case .invalid: return []
        case .national, .unclear: break
        }
        let marked = "+" + text
        guard form == .unmarked else { return [marked] }
        let readings = country.map { Readings(self, in: $0) }
        let numbers = (readings.map { $0.own + $0.foreign } ?? []) + [text]
        let isShort = digits.count <= Self.longestShortCode
        return isShort || numbers.contains(marked) ? numbers : numbers + [marked]
    }

    private var text: String { String(decoding: digits, as: UTF8.self) }

    /// Returns the meaning of digits that probably begin with a calling code.
    ///
    /// - Parameter strictly: true if the digits may also begin with something other than a calling code.
    ///   If `strictly` is true, the number must have a length that the calling code permits.
    private func international(strictly: Bool) -> PhoneNumber {
        guard digits[0] != Self.zero else { return .invalid }
        let isShort = digits.count <= Self.longestShortCode
        let asWritten = PhoneNumber.unclear(["+" + text])
        guard let plan = NumberingPlan.plan(of: digits) else {
            if isShort { return .invalid }
            guard bracketedZero == nil else { return .unclear([]) }
            return strictly ? asWritten : .complete("+" + text)
        }
        let number = digits[plan.code.count...]
        if let zero = bracketedZero {
            guard zero >= plan.code.count else { return .unclear([]) }
            let short = digits[..<zero] + digits[(zero + 1)...]
            if zero == plan.code.count, plan.prefix == [Self.zero] {
                return NumberReader(short, form: form).international(strictly: strictly)
            }
            let fitting = [number, short[plan.code.count...]].filter(plan.fits)
            return .unclear(
                fitting.flatMap { number in
                    let number = NumberReader(plan.code + number, form: .plus)
                    return number.international(strictly: true).numbers
                })
        }
        // Only a few countries have such short numbers. An example is +43 1123 in Austria.
        if isShort, !plan.fits(number) { return .invalid }
        let hasPrefix = plan.prefix == [Self.zero] || !plan.fits(number)
        let corrections =
            plan.numbers(without15In: number)
            + (hasPrefix ? plan.numbers(withoutPrefixOf: number) : [])
        if !corrections.isEmpty { return .unclear(corrections) }
        return !strictly || plan.fits(number) ? .complete("+" + text) : asWritten
    }

    /// Interprets a telephone number that contains `(0)` and does not begin with `+` or `00`. If the digits
    /// before `(0)` are not a calling code, returns that the number is unclear.
    private func meaning(ofZeroAt zero: Int, in country: NumberingPlan?) -> PhoneNumber {
        guard let plan = NumberingPlan.plan(of: digits), plan.code.count == zero else {
            return .unclear([])
        }
        switch international(strictly: true) {
        case .complete(let number) where plan.code != country?.code: return .unclear([number])
        case let meaning: return meaning
        }
    }

    /// The possible meanings of a number that does not begin with `+` or `00`. Each meaning is a number in
    /// stored form.
    private struct Readings {
        /// Numbers in the user's country, if the text is written as people in this country write numbers.
        var own: [String] = []
        /// Numbers in other countries, if the user may have omitted the `+`.
        var foreign: [String] = []
        /// Numbers that may be meant if a prefix or another part is missing or superfluous.
        var guesses: [String] = []
        var all: [String] { own + foreign + guesses }

        init(_ reader: NumberReader, in country: NumberingPlan) {
            let digits = reader.digits
            let isShort = digits.count <= longestShortCode
            let hasPrefix = !country.prefix.isEmpty && digits.starts(with: country.prefix)
            let number = digits[(hasPrefix ? country.prefix.count : 0)...]
            if hasPrefix ? number.first != zero : country.prefix.isEmpty, country.fits(number) {
                own.append(country.international(number))
            }
            let isNational = !own.isEmpty
            if !isShort { addInternational(reader, in: country) }
            if hasPrefix, isNational { return }
            guesses += country.numbers(without15In: number)
            let isComplete = country.prefix.isEmpty || hasPrefix && country.prefix == [zero]
            if !isComplete, !isShort || country.hasShortNumbers {
                guesses += country.numbers(withPrefixOf: digits[...])
            }
            guesses += country.numbers(withoutPrefixOf: digits[...])
        }

        /// Adds the meaning that a number has if the user omitted the `+`.
        private mutating func addInternational(_ reader: NumberReader, in country: NumberingPlan) {
            guard let plan = NumberingPlan.plan(of: reader.digits) else { return }
            let isOwn = plan.code == country.code
            guard isOwn && own.isEmpty || reader.canBeSplit(at: plan.code.count) else { return }
            switch NumberReader(reader.digits).international(strictly: true) {
            case .complete(let number) where isOwn: own.append(number)
            case .complete(let number): foreign.append(number)
            case .unclear(let numbers) where isOwn:
                guesses += numbers.filter { $0 != "+" + reader.text }
            default: break
            }
        }
    }

    /// Returns true if a group of digits begins at this index, or if all digits of the number form a
    /// single group.
    private func canBeSplit(at index: Int) -> Bool {
        gaps & (1 << UInt64(digits.count) - 2) == 0 || gaps & 1 << UInt64(index) != 0
    }
}
