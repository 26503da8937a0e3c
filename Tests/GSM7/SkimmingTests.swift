import GSM7
import Support
import Testing

@Suite struct SkimmingTests {
    private func skim(
        _ text: String, terminator: Character = "\n", basicOnly: Bool = false
    ) -> [Int] {
        let run = Skimming(
            Array(text.utf8).span, terminator: terminator.asciiValue ?? 0,
            newline: terminator == "\n" ? .symbol : .lineFeed, basicOnly: basicOnly)
        return [run.records, run.length]
    }

    @Test func stopsBeforeWhatNeedsACloserLook() {
        #expect(skim("") == [0, 0])
        #expect(skim("no end") == [0, 0])
        #expect(skim("one\ntwo\nthr") == [2, 8])
        #expect(skim("one\n\nfour\u{301}\n") == [2, 5])
        for bad in ["\t", "\r", "\u{0}", "`", "\u{7F}", "ç", "e\u{301}", "“", "\u{FFFD}"] {
            #expect(skim("Ñ £1\nx\(bad)\ny\n") == [1, 7])
        }
        #expect(skim("{é}\u{240A}€\nx\n") == [2, 13])
        #expect(skim("x\n{é}\n", basicOnly: true) == [1, 2])
        #expect(skim("a\nb\u{0}c\u{0}d", terminator: "\u{0}") == [2, 6])
    }

    /// A record is taken when it can be measured as it stands, wherever it lies between blocks.
    @Test func agreesWithTheMeasure() {
        var generator = Generator(seed: 10)
        let common = Array("abc XYZ09.,?@$".unicodeScalars)
        let rare = Array("éñ£€{~^_Ω\u{240A}ê“\t\r\u{301}".unicodeScalars)
        for _ in 0..<3_000 {
            var text: [UInt8] = []
            let rareness = 1 + generator.number(below: 200)
            var good = [0, 0]
            var isOver = false
            for _ in 0..<(1 + generator.number(below: 30)) {
                var record: [UInt8] = []
                for _ in 0..<generator.number(below: 150) {
                    let isRare = generator.number(below: rareness) == 0
                    let from = isRare ? rare : common
                    let scalar = from[generator.number(below: from.count)]
                    record += Array(String(scalar).utf8)
                }
                text += record + [10]
                isOver = isOver || (try? Measure(record.span, newline: .symbol)) == nil
                if !isOver { good = [good[0] + 1, text.count] }
            }
            let run = Skimming(text.span, terminator: 10, newline: .symbol, basicOnly: false)
            #expect([run.records, run.length] == good)
        }
    }

    /// What is long is left to the closer look, before and behind other records.
    @Test func leavesLongRecords() {
        let long = String(repeating: "x", count: 20_000) + "\n"
        #expect(skim(long) == [0, 0])
        let lines = String(repeating: "some words\n", count: 5_000)
        #expect(skim(lines) == [5_000, 55_000])
        #expect(skim(lines + long + lines) == [5_000, 55_000])
    }
}
