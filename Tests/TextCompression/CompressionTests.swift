import GSM7
import TextCompression
import Support
import Testing

@Suite(.measured) struct CompressionTests {
    static let texts = CompressionVectors.texts

    @Test func mixedLanguagesSurviveCompression() throws {
        var random = Generator(seed: 16)
        var fitted = 0
        for _ in 0..<150 {
            var words: [Substring] = []
            for _ in 0..<3 { words += random.pick(Self.texts).split(separator: " ") }
            words.shuffle(using: &random)
            let text = words.joined(separator: " ")
            let changed = random.once(in: 3) ? text.uppercased() : text
            let beginning = changed.unicodeScalars.prefix(random.number(below: 300))
            fitted += try roundTrip(String(beginning)) ? 1 : 0
        }
        #expect(fitted > 100)
    }

    @Test func charactersOfNoLanguageSurviveCompression() throws {
        var random = Generator(seed: 9)
        for _ in 0..<60 {
            var text = String.UnicodeScalarView()
            for _ in 0..<random.number(below: 70) {
                let value = UInt32(random.next() % (random.once(in: 2) ? 0x3000 : 0x11_0000))
                if let scalar = Unicode.Scalar(value), !isRefused(value) { text.append(scalar) }
            }
            _ = try roundTrip(String(text))
        }
    }

    /// Tries every sequence of eight uppercase and lowercase letters, which are encoded with SHIFT and
    /// CAPS.
    @Test func everyPatternOfCapitalsSurvivesCompression() throws {
        for pattern in 0..<256 {
            var text = ""
            for place in 0..<8 {
                text += pattern >> place & 1 == 0 ? "e" : "E"
                if pattern % 7 == place { text += " 1" }
            }
            #expect(try roundTrip(text))
        }
    }

    @Test func charactersThatStandForMarksInTablesSurviveCompression() throws {
        #expect(try roundTrip("⇧⇪␃a⇧B⇪CDE␃"))
    }

    /// Appends one character at a time to a text that is near the limit. All functions must agree on
    /// whether the text fits. After a text that is too long, only a few longer texts may fit.
    /// `fittingPrefixLength` must be close to the longest text that fits.
    @Test(arguments: [
        "Meet me at seven, ", "ЗУСТРІНЕМОСЯ о шостій, ", "कल सुबह पुल के पास मिलो। ", "今どこですか？",
        "안녕 Maria, ", "🫠 ", "👍🏽",
    ])
    func allFunctionsAgreeAboutWhatFits(_ words: String) throws {
        let text = String(repeating: words, count: 60)
        let scalars = Array(text.unicodeScalars.prefix(600))
        var (last, first) = (0, scalars.count)
        func beginning(_ count: Int) -> String {
            String(String.UnicodeScalarView(scalars[..<count]))
        }
        // Find the limit roughly by bisection, then try every length near it.
        var (low, high) = (0, scalars.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if fits(beginning(middle)) { low = middle } else { high = middle }
        }
        for count in max(0, low - 4)...min(scalars.count, low + 6) {
            if try roundTrip(beginning(count)) { last = count } else { first = min(first, count) }
        }
        #expect(last >= low)
        #expect(last - first < 8)
        let found = fittingPrefixLength(of: text)
        #expect(text.utf8.count > found)
        #expect(beginning(last).utf8.count - found <= 8)
        #expect(try roundTrip(String(decoding: Array(text.utf8.prefix(found)), as: UTF8.self)))
    }

    /// Encoding an asterisk takes so few bits that only the limit on characters applies.
    @Test func compressingMoreThanThousandCharactersIsRefused() throws {
        let text = String(repeating: "*", count: 1000)
        #expect(try roundTrip(text))
        #expect(throws: CompressionFault.tooManyCharacters(1001)) { try compressed(text + "*") }
        #expect(!fits(text + "*"))
        #expect(try digitsNeeded(for: text + "*") > Compression.digitCount)
        #expect(fittingPrefixLength(of: text + "*") == 1000)
    }

    /// These are 1001 asterisks, written by an encoder without the limit.
    @Test func decompressingMoreThanThousandCharactersIsRefused() {
        let digits: [UInt8] =
            [81, 122, 2, 16, 108, 41, 50, 115, 31] + [UInt8](repeating: 0, count: 13) + [7, 103]
        let field = digits + [UInt8](repeating: 0, count: Compression.digitCount - digits.count)
        #expect(throws: DecompressionFault.tooManyCharacters) { try decompressed(field) }
    }

    @Test func digitsNeededGrowsBeyondTheFieldLength() throws {
        let text = "Meet me at the old bridge at seven, bring the letters. "
        var last = 0
        for count in 1...60 {
            let length = try digitsNeeded(for: String(repeating: text, count: count))
            #expect(length > last)
            last = length
        }
        #expect(last > 8 * Compression.digitCount)
    }

    @Test func emptyTextSurvivesCompression() throws {
        #expect(try roundTrip(""))
        #expect(fittingPrefixLength(of: "") == 0)
    }

    @Test(arguments: [
        "\u{0}", "\t", "\r", "\u{1F}", "\u{7F}", "\u{85}", "\u{9F}", "\u{2028}", "\u{2029}",
    ])
    func compressingControlCharactersIsRefused(_ character: String) throws {
        let scalar = try #require(character.unicodeScalars.first)
        let fault = CompressionFault.control(scalar, column: 3)
        #expect(throws: fault) { try compressed("añ" + character) }
        #expect(throws: fault) { try digitsNeeded(for: "añ" + character) }
        #expect(!fits("añ" + character))
        #expect(fittingPrefixLength(of: "añ" + character) == 0)
    }

    @Test func compressingInvalidUTF8IsRefused() {
        for bytes: [UInt8] in [[0x61, 0xC3], [0x61, 0xFF, 0x62], [0x61, 0xED, 0xA0, 0x80]] {
            #expect(throws: CompressionFault.malformed(bytes[1], column: 2)) {
                _ = try Compression.digitsNeeded(for: bytes.span)
            }
            #expect(Compression.fittingPrefixLength(of: bytes.span) == 0)
        }
    }

    /// Random and damaged digits must give a text or an error. After an error, nothing may have been
    /// appended.
    @Test func randomDigitsDecompressOrFailWithoutOutput() {
        var random = Generator(seed: 733)
        var (texts, faults) = (0, 0)
        for round in 0..<2000 {
            var digits = (0..<Compression.digitCount).map { _ in UInt8(random.number(below: 125)) }
            if round % 4 == 1 { digits = random.bytes(Compression.digitCount) }
            if round % 4 == 2 { digits = (try? compressed(random.pick(Self.texts))) ?? digits }
            if round % 4 == 2 {
                digits[random.number(below: 40)] = UInt8(random.number(below: 125))
            }
            if round % 4 == 3 { digits[0] = 0 }
            var output: [UInt8] = [1, 2, 3]
            output.append(atMost: Compression.longestUTF8) { space in
                do throws(DecompressionFault) {
                    try Compression.decompress(digits.span, into: &space)
                    texts += 1
                } catch {
                    #expect(space.count == 0)
                    faults += 1
                }
            }
            #expect(output[..<3] == [1, 2, 3])
            let text = String(decoding: output[3...], as: UTF8.self)
            #expect(Array(text.utf8) == Array(output[3...]))
            #expect(text.unicodeScalars.count <= Compression.maximumCharacters)
        }
        #expect(texts > 200)
        #expect(faults > 200)
    }

    /// Up to eight missing digits at the end are read as zeros.
    @Test func missingDigitsAreReadAsZeros() throws {
        let digits = try compressed("a")
        #expect(try decompressed(Array(digits[..<3])) == "a")
        #expect(try decompressed(digits + [0, 0]) == "a")
        #expect(throws: DecompressionFault.noEnd) { try decompressed([]) }
        // Decoding this text takes 13 digits.
        #expect(try decompressed([105, 121, 0, 0, 0]) == "彼のためにいす!")
        #expect(throws: DecompressionFault.noEnd) { try decompressed([105, 121, 0, 0]) }
    }

    /// Compresses a text and decompresses it again. Returns false if the text does not fit, after checking
    /// that all functions agree on that.
    private func roundTrip(_ text: String) throws -> Bool {
        let digits: [UInt8]
        do {
            digits = try compressed(text)
        } catch CompressionFault.tooLong {
            #expect(!fits(text))
            #expect(try digitsNeeded(for: text) > Compression.digitCount)
            return false
        }
        #expect(digits.count == Compression.digitCount)
        #expect(digits.allSatisfy { $0 < 125 })
        #expect(try Array(decompressed(digits).unicodeScalars) == Array(text.unicodeScalars))
        #expect(fits(text))
        #expect(try digitsNeeded(for: text) <= Compression.digitCount)
        return true
    }

    private func isRefused(_ value: UInt32) -> Bool {
        (value < 0x20 && value != 0x0A) || (0x7F...0x9F).contains(value) || value == 0x2028
            || value == 0x2029
    }
}
