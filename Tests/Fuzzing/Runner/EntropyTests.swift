import Foundation
import GSM7
import Support
import TestPeople
import Testing

/// Checks that ciphertexts look random, regardless of the messages.
@Suite(.measured) struct EntropyTests {
    private static let count = 10_000

    /// Encrypts messages of all kinds, including equal messages and empty messages.
    @Test func ciphertextsOfAllKindsOfMessagesLookRandom() throws {
        var generator = Generator(seed: Campaign.seed)
        try judge(
            (0..<Self.count).map { number in
                switch number % 4 {
                case 0: ""
                case 1: "The same again"
                case 2:
                    String(decoding: generator.gsmText(generator.number(below: 60)), as: UTF8.self)
                default: String(repeating: generator.pick(["a", "0", "é"]), count: number % 140)
                }
            })
    }

    @Test func ciphertextsOfARepeatedMessageLookRandom() throws {
        try judge([String](repeating: "Come at dawn. The road is clear.", count: Self.count))
    }

    private func judge(_ messages: [String]) throws {
        let sandbox = try Sandbox()
        for person in ["amina", "bela"] { try sandbox.add(person: person) }
        try sandbox.introduce("amina", "bela")
        let ciphertexts = try sandbox.encrypt(messages, from: "amina", to: "bela")
        let records = try ciphertexts.split(separator: 10).map { line in
            try String(decoding: line, as: UTF8.self).unicodeScalars.map {
                Int(try #require(Alphabet.symbol(of: $0)))
            }
        }
        try #require(records.count == messages.count)
        #expect(faults(of: records) == [])
    }

    private enum Bias: CaseIterable {
        case none, symbol, symbolAtOnePlace, tooEven
        case moreSpaces, noSpacesAtOnePlace, spaceAtTheEnd, twoSpaces
    }

    /// Returns random records that comply with the rule about spaces. All such records have the same
    /// probability.
    private static let fairRecords: [[Int]] = {
        var generator = Generator(seed: 1)
        return (0..<count).map { _ in
            while true {
                let record = (0..<160).map { _ in generator.number(below: Alphabet.symbolCount) }
                let spaces = record.indices.filter { record[$0] == Int(Alphabet.space) }
                let areAdjacent = zip(spaces, spaces.dropFirst()).contains { $0 + 1 == $1 }
                if !areAdjacent && spaces.first != 0 && spaces.last != 159 { return record }
            }
        }
    }()

    @Test(arguments: Bias.allCases) private func biasedRecordsAreDetected(_ bias: Bias) {
        var (records, generator) = (Self.fairRecords, Generator(seed: 2))
        let space = Int(Alphabet.space)
        for index in records.indices {
            let place = 1 + generator.number(below: 158)
            let isAmongOthers = !records[index][place - 1...place + 1].contains(space)
            switch bias {
            case .symbol where index % 8 == 0 && isAmongOthers: records[index][place] = 7
            case .symbolAtOnePlace where index % 64 == 0 && records[index][80] != space:
                records[index][80] = 7
            case .tooEven:
                for place in 0..<160 where records[index][place] != space {
                    let others = (index + place) % 124
                    records[index][place] = others < space ? others : others + 1
                }
            case .moreSpaces where index % 8 == 0 && isAmongOthers: records[index][place] = space
            case .noSpacesAtOnePlace where records[index][120] == space:
                records[index][120] = generator.number(below: space)
            case .spaceAtTheEnd where index == 0: records[0][159] = space
            case .twoSpaces where index == 0: records[0][80...81] = [space, space]
            default: break
            }
        }
        #expect(faults(of: records).isEmpty == (bias == .none), "\(faults(of: records))")
    }

    /// Describes how records of 160 symbols differ from random records, both in total and at each
    /// position.
    ///
    /// At each position without a space, the 124 symbols other than the space are equally likely. A
    /// correct implementation deviates by more than 6 standard deviations in one of five hundred million
    /// tests. The limit is slightly higher, because there are 160 positions.
    private func faults(of records: [[Int]]) -> [String] {
        let (space, all) = (Int(Alphabet.space), Double(records.count))
        var (pooled, faults) = ([Int](repeating: 0, count: Alphabet.symbolCount), [String]())
        func note(_ deviation: Double, most: Double, _ what: String) {
            if !(abs(deviation) < most) { faults.append("\(what): \(deviation) deviations") }
        }
        let (chance, mean, variance) = expectedSpaces()
        for place in 0..<160 {
            var counts = [Int](repeating: 0, count: Alphabet.symbolCount)
            for record in records { counts[record[place]] += 1 }
            for (symbol, count) in counts.enumerated() { pooled[symbol] += count }
            note(chiSquareDeviation(counts), most: 6.5, "symbols at place \(place)")
            let due = all * chance[place]
            let off = Double(counts[space]) - due
            let width = max(1, due * (1 - chance[place])).squareRoot()
            note(off / width, most: chance[place] == 0 ? 1 : 6.5, "spaces at place \(place)")
        }
        note(chiSquareDeviation(pooled), most: 6, "symbols")
        let width = (all * variance).squareRoot()
        note((Double(pooled[space]) - all * mean) / width, most: 6, "spaces")
        let pairs = records.count {
            zip($0, $0.dropFirst()).contains { $0 == space && $1 == space }
        }
        if pairs > 0 { faults.append("two spaces in a row") }
        return faults
    }

    /// Returns the deviation of the chi-square statistic of the counts in standard deviations (Wilson and
    /// Hilferty).
    private func chiSquareDeviation(_ counts: [Int]) -> Double {
        let others = counts.indices.filter { $0 != Int(Alphabet.space) }.map { Double(counts[$0]) }
        let due = others.reduce(0, +) / 124
        let chiSquare = others.reduce(0) { $0 + pow($1 - due, 2) / due }
        let width = 2.0 / (9 * 123)
        return (cbrt(chiSquare / 123) - (1 - width)) / width.squareRoot()
    }

    /// Returns the probability of a space at each position, and the mean and variance of the number of
    /// spaces. They apply to records without spaces at either end and without two consecutive spaces
    /// (smsenc-protocol(7), The pad).
    private func expectedSpaces() -> (chance: [Double], mean: Double, variance: Double) {
        // This is the share of all sequences of a given length that comply with the rule and do not end
        // with a space.
        let other = 124.0 / 125
        var share = [1, other, other * other]
        for length in 3...160 {
            share.append((share[length - 1] + share[length - 2] / 125) * other)
        }
        let chance = (0..<160).map { place in
            place % 159 == 0 ? 0 : share[place] * share[159 - place] / 125 / share[160]
        }
        let mean = chance.reduce(0, +)
        // For spaces at two positions, the sequence between them neither begins nor ends with a space.
        var pairs = 0.0
        for first in 1..<157 {
            for second in first + 2..<159 {
                pairs += share[first] * share[second - first - 1] * share[159 - second]
            }
        }
        return (chance, mean, mean + 2 * pairs / 125 / 125 / share[160] - mean * mean)
    }
}
