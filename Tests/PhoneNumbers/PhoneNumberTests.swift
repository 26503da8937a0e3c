import PhoneNumbers
import Support
import Testing

/// Tests that telephone numbers are stored correctly, or not at all, however they are written.
@Suite(.measured) struct PhoneNumberTests {
    @Test(
        arguments: [
            // Prefix 0
            ("27", "082 123 4567", "+27821234567"), ("27", "(0)82 123 4567", "+27821234567"),
            ("27", "27 82 123 4567", "+27821234567"), ("27", "27821234567", "+27821234567"),
            ("27", "27 (0)82 123 4567", "+27821234567"),
            ("27", "+27 (0)82 123 4567", "+27821234567"),
            ("", "+44(0)7700 900123", "+447700900123"),
            ("27", "0044 (0) 7700-900123", "+447700900123"),
            ("49", "0151 2345 6789", "+4915123456789"), ("54", "011 2345 6789", "+541123456789"),
            // No prefix
            ("258", "82 123 4567", "+258821234567"), ("258", "86 123 4567", nil),
            ("351", "912 345 678", "+351912345678"), ("34", "612 34 56 78", "+34612345678"),
            ("225", "07 12 34 56 78", "+2250712345678"), ("229", "0197123456", "+2290197123456"),
            ("242", "06 612 3456", "+242066123456"), ("39", "312 345 6789", "+393123456789"),
            ("1", "(202) 555-0143", "+12025550143"), ("1", "1 202 555 0143", "+12025550143"),
            ("1", "12025550143", "+12025550143"),
            // Other prefixes
            ("7", "8 912 345 67 89", "+79123456789"), ("7", "89123456789", "+79123456789"),
            ("7", "8 (495) 123-45-67", "+74951234567"), ("36", "06 20 123 4567", "+36201234567"),
            ("692", "1 235 1234", "+6922351234"), ("375", "8 294 911 911", "+375294911911"),
            // Short codes
            ("27", "40404", "40404"), ("61", "000", "000"), ("995", "011", "011"),
            ("", "112", "112"),
            ("298", "short:211234", "211234"), ("", "short: 21-12", "2112"),
            // International numbers
            ("27", "+225 07 12 34 56 78", "+2250712345678"), ("", "+31 6 1234", "+3161234"),
            ("", "+800 1234 5678", "+80012345678"), ("39", "0039 06 1234 5678", "+390612345678"),
        ] as [(String, String, String?)])
    func numbersWithOneMeaningAreComplete(_ country: String, _ text: String, _ stored: String?) {
        guard let stored else { return }
        #expect(PhoneNumber(text, country: country) == .complete(stored))
        #expect(PhoneNumber.lookUps(text, country: country) == [stored])
    }

    @Test(arguments: [
        // The prefix is missing, or also stands behind the calling code.
        ("27", "82 123 4567", ["+27821234567"]), ("27", "+27 082 123 4567", ["+27821234567"]),
        ("", "+44 (07700) 900123", ["+447700900123"]),
        ("7", "+7 8 912 345 67 89", ["+79123456789"]),
        ("27", "27 082 123 4567", ["+27821234567"]), ("36", "20 123 4567", ["+36201234567"]),
        ("36", "+36 06 20 123 4567", ["+36201234567"]),
        ("686", "31234", ["+68631234", "short:31234"]),
        // (0) in a country without the prefix 0
        ("", "+258 (0)82 123 4567", ["+258821234567"]),
        ("", "+225 (0)1 23 45 67 89", ["+2250123456789"]),
        ("", "+39 (0)6 1234 5678", ["+390612345678", "+39612345678"]),
        ("", "+36 (0)20 123 4567", ["+36201234567"]), ("27", "821 (0) 123", []),
        ("", "+999 (0)12345", []),
        // Another country's number
        ("27", "44 (0)7700 900123", ["+447700900123"]),
        ("", "44 (0)7700 900123", ["+447700900123"]),
        ("27", "447700900123", ["+447700900123"]), ("27", "8613123456789", ["+8613123456789"]),
        ("258", "861234567", ["+258861234567", "+861234567"]),
        ("1", "2025550143", ["+12025550143", "+2025550143"]),
        ("7", "84951234567", ["+74951234567", "+84951234567"]),
        ("39", "3912345678", ["+393912345678", "+3912345678"]),
        // A short code, or a subscriber
        ("298", "211234", ["+298211234", "short:211234"]),
        ("290", "51234", ["+29051234", "short:51234"]),
        ("49", "012345", ["+4912345", "short:012345"]),
        // With and without 0
        ("241", "06 03 12 34", ["+24106031234", "+2416031234"]),
        ("221", "077 123 45 67", ["+221771234567"]),
        // Argentina's 15, Belarus' 8 0, Lithuania's former 8
        ("54", "011 15 2345 6789", ["+5491123456789"]),
        ("54", "11 15-2345-6789", ["+5491123456789"]),
        ("54", "+54 2966 15 123456", ["+5492966123456"]),
        ("54", "11 2345 6789", ["+541123456789", "+5491123456789"]),
        ("375", "8 029 491 19 11", ["+375294911911"]), ("375", "029 491 19 11", ["+375294911911"]),
        ("370", "8 612 34567", ["+37061234567"]),
        // 00 is not the international prefix everywhere.
        ("61", "0011 27 82 123 4567", ["+1127821234567"]),
        ("", "00 800 1234 5678", ["+80012345678"]),
    ])
    func unclearNumbersAreNotStored(_ country: String, _ text: String, _ readings: [String]) {
        #expect(PhoneNumber(text, country: country) == .unclear(readings))
        for reading in readings {
            let number = PhoneNumber(reading, country: country)
            #expect(number == .complete(reading.replacing("short:", with: "")))
        }
    }

    @Test(arguments: [
        ("", "0821234567"), ("", "27821234567"), ("27", "0821 234 567 890"),
        ("27", "18 123 456 789 012"),
        ("999", "0821234567"), ("91", "1160000"),
    ])
    func numbersWithoutACallingCodeAreNational(_ country: String, _ text: String) {
        let digits = text.filter { $0 != " " }
        #expect(PhoneNumber(text, country: country) == .national(digits))
        #expect(PhoneNumber.isNational(digits))
        #expect(PhoneNumber.lookUps(text, country: country) == [digits, "+" + digits])
    }

    @Test(arguments: [
        "", "1", "12a", "+", "+27", "+27 8212", "++27821", "27+821", "1234567890123456789",
        "+1234567890123456789",
        "٠٨٢",
        "+082 123 4567", "00 082 123 4567", "short:", "short:1234567", "short:+27821", "Short:12",
        "+27 (0)82 (0)12", String(repeating: "1", count: 100),
    ])
    func otherTextsAreInvalid(_ text: String) {
        for country in ["", "27", "39"] {
            #expect(PhoneNumber(text, country: country) == .invalid)
            #expect(PhoneNumber.lookUps(text, country: country) == [])
        }
    }

    @Test(arguments: [
        ("27", "27 8 2123 4567", ["+27821234567"]),
        ("27", "447700900123", ["447700900123", "+447700900123"]),
        ("27", "3161234", ["+3161234", "3161234"]),
        ("27", "821234567", ["821234567", "+821234567"]),
        ("27", "40404", ["40404"]), ("", "00316 1234", ["+3161234"]),
        ("1", "2025550143", ["+12025550143", "+2025550143", "2025550143"]),
    ])
    func numbersAreLookedUpInEverySpelling(_ country: String, _ text: String, _ numbers: [String]) {
        #expect(Set(PhoneNumber.lookUps(text, country: country)) == Set(numbers))
    }

    @Test func randomTextsAreStoredInAFixedForm() {
        var generator = Generator(seed: 1)
        let words = ["0", "00", "(0)", "+", "15", "8", " ", "27", "54", "375", "-", "short:", "39"]
        for _ in 0..<200_000 {
            var text = ""
            for _ in 0...generator.number(below: 6) { text += generator.pick(words) }
            for _ in 0..<generator.number(below: 10) { text += String(generator.number(below: 10)) }
            let country = generator.pick(["", "27", "54", "375", "39", "7", "1", "36"])
            switch PhoneNumber(text, country: country) {
            case .complete(let number):
                #expect(
                    PhoneNumber.isStoredForm(number) && !PhoneNumber.isNational(number), "\(text)")
                let isStable = PhoneNumber(number, country: country) == .complete(number)
                #expect(isStable || !number.hasPrefix("+"), "\(text)")
            case .national(let number):
                #expect(
                    PhoneNumber.isStoredForm(number) && PhoneNumber.isNational(number), "\(text)")
                #expect(
                    [nil, number].contains(PhoneNumber(number, country: country).stored), "\(text)")
            case .unclear(let readings):
                for reading in readings {
                    let number = PhoneNumber(reading, country: country)
                    #expect(
                        number == .complete(String(reading.trimmingPrefix("short:"))), "\(text)")
                }
            case .invalid: break
            }
        }
    }

    @Test func storedFormsAreRecognised() {
        for number in ["+27821234567", "0821234567", "12", "+12", "+123456789012345678"] {
            #expect(PhoneNumber.isStoredForm(number))
        }
        for text in ["", "+", "1", "++12", "1+2", "1 2", "short:12", "+1234567890123456789", "٠٨٢"]
        {
            #expect(!PhoneNumber.isStoredForm(text))
        }
        #expect(!PhoneNumber.isNational("+27821234567") && !PhoneNumber.isNational("123456"))
        #expect(PhoneNumber.isCallingCode("27") && !PhoneNumber.isCallingCode("28"))
        #expect(!PhoneNumber.isCallingCode("") && !PhoneNumber.isCallingCode("2"))
    }
}
