import FrameLayout
import Foundation
import Support
import Testing

@testable import Protocol

/// The test vectors in Vectors/receipts.json. Those of frames are checked by ReceiptFormTests.
struct ReceiptVectors: Decodable {
    let cases: [Case]

    struct Case: Decodable, Sendable {
        let chains: [Chain]?
        /// Maximum number of symbols, and what the receipt lists then.
        let room: Int?
        let listed: [Chain]?
        let symbols: String?
        let position: String?
        let name: String?
        let chain: UInt32?
        let key: UInt32?
        let error: String?
    }

    struct Chain: Decodable, Sendable {
        let number: UInt32
        let from: UInt32
        let next: UInt32
        /// First and last number of each run.
        let skipped: [[UInt32]]

        var value: Receipt.Chain {
            Receipt.Chain(
                number: number, from: from, next: next, skipped: skipped.map { $0[0]..<($0[1] + 1) }
            )
        }
    }

    static let all = (try? vectors("receipts", as: Self.self).cases) ?? []
}

@Suite(.measured) struct ReceiptTests {
    private func encoded(_ receipt: Receipt) -> [UInt8] {
        var symbols: [UInt8] = []
        symbols.append(atMost: 20_000) { receipt.encode(into: &$0) }
        return symbols
    }

    private func shown(_ receipt: Receipt) -> String { text(encoded(receipt).span) }

    private func decoded(_ symbols: [UInt8]) -> Receipt? { Receipt(decoding: symbols.span) }

    private func receipt(_ chains: [ReceiptVectors.Chain]) -> Receipt {
        Receipt(chains: chains.map(\.value))
    }

    @Test func receiptsMatchTheVectors() {
        var (written, read, refused) = (0, 0, 0)
        for vector in ReceiptVectors.all where vector.position == nil {
            if let chains = vector.chains {
                written += 1
                let whole = receipt(chains)
                let shortened = vector.room.map { whole.shortened(to: $0) } ?? whole
                #expect(shortened.map(shown) == vector.symbols)
                guard let shortened, let symbols = vector.symbols.map(symbols) else { continue }
                read += 1
                #expect(shortened == receipt(vector.listed ?? chains))
                #expect(decoded(symbols) == shortened)
            } else if let symbols = vector.symbols.map(symbols) {
                refused += 1
                #expect(decoded(symbols) == nil, "\(vector.error ?? "")")
            }
        }
        #expect((written, read, refused) == (43, 41, 30))
    }

    @Test func randomReceiptsSurviveEncoding() {
        var generator = Generator(seed: 31)
        for _ in 0..<5000 {
            let receipt = randomReceipt(&generator)
            let symbols = encoded(receipt)
            guard symbols.count <= Receipt.maximumLength else { continue }
            #expect(decoded(symbols) == receipt)
            let padded =
                symbols + [UInt8](repeating: 0, count: Receipt.maximumLength - symbols.count)
            #expect(decoded(padded) == receipt)
            #expect(decoded(symbols.dropLast()) != receipt)
        }
    }

    @Test func shorteningKeepsTheNewestChainsAndNumbers() throws {
        var generator = Generator(seed: 32)
        for _ in 0..<3000 {
            let receipt = randomReceipt(&generator)
            let room = 19 + generator.number(below: 125)
            let short = try #require(receipt.shortened(to: room))
            #expect(encoded(short).count <= room)
            #expect(encoded(receipt).count > room || short == receipt)
            // Only the newest chain says less than before, and only if it is alone.
            #expect(
                short.chains.dropFirst()
                    == receipt.chains.dropFirst().prefix(short.chains.count - 1))
            let (newest, whole) = (short.chains[0], receipt.chains[0])
            #expect((newest.number, newest.next) == (whole.number, whole.next))
            #expect(newest.skipped == whole.skipped.suffix(newest.skipped.count))
            if newest.from > whole.from {
                let dropped = whole.skipped.dropLast(newest.skipped.count)
                #expect(newest.from == dropped.last?.upperBound)
                // One more run would not fit.
                let more = Receipt.Chain(
                    number: whole.number, from: dropped.dropLast().last?.upperBound ?? whole.from,
                    next: whole.next, skipped: dropped.suffix(1) + newest.skipped)
                #expect(encoded(Receipt(chains: [more])).count > room)
            } else {
                #expect(newest.from == whole.from)
            }
        }
    }

    /// Whatever a contact writes is decoded to a receipt that encodes to the same symbols, or refused.
    @Test func hostileReceiptsAreCanonicalOrRefused() {
        var generator = Generator(seed: 33)
        let sound = (0..<300).map { _ in encoded(randomReceipt(&generator)) }
            .filter { $0.count <= 143 }
        var valid = 0
        for round in 0..<100_000 {
            // Half of the texts are random, and the others are receipts with some changed symbols.
            var symbols = generator.bytes(143).map { round % 8 == 0 ? $0 : $0 % 125 }
            if round % 2 == 1 {
                let receipt = generator.pick(sound)
                symbols = receipt + [UInt8](repeating: 0, count: 143 - receipt.count)
                for _ in 0..<generator.number(below: 4) {
                    symbols[generator.number(below: receipt.count)] = UInt8(
                        generator.number(below: 125))
                }
            }
            if round % 3 == 0 { symbols.removeLast(generator.number(below: 143)) }
            guard let receipt = decoded(symbols) else { continue }
            valid += 1
            let again = encoded(receipt)
            let padding =
                symbols.count == 143 ? [UInt8](repeating: 0, count: 143 - again.count) : []
            #expect(again + padding == symbols)
        }
        #expect(valid > 1000)
    }

    /// Runs stay runs, so the time does not depend on the numbers.
    @Test func aRunOfFourThousandMillionNumbersIsDecoded() {
        let chain = Receipt.Chain(number: .max, from: 0, next: .max, skipped: [1..<(.max)])
        let receipt = Receipt(chains: [chain])
        #expect(decoded(encoded(receipt)) == receipt)
    }

    private func randomReceipt(_ generator: inout Generator) -> Receipt {
        var chains: [Receipt.Chain] = []
        let isLarge = generator.once(in: 3)
        let top = isLarge ? Int(UInt32.max) : 3000
        var number = generator.number(below: top)
        for _ in 0...generator.number(below: 8) {
            let from = generator.once(in: 2) ? 0 : generator.number(below: top / 4)
            var (end, skipped) = (from, [Range<UInt32>]())
            for run in 0..<generator.number(below: generator.pick([2, 5, 60])) {
                let start = end + generator.number(below: 40) + (run > 0 ? 1 : 0)
                end =
                    start + 1
                    + generator.number(below: generator.pick([1, 5, isLarge ? 1_000_000 : 200]))
                skipped.append(UInt32(start)..<UInt32(end))
            }
            let next =
                end + generator.number(below: generator.pick([1, 10, isLarge ? 100_000 : 100]))
            chains.append(
                Receipt.Chain(
                    number: UInt32(number), from: UInt32(from), next: UInt32(next), skipped: skipped
                ))
            number -= 1 + generator.number(below: generator.pick([1, 1, 3, 500]))
            if number < 0 { break }
        }
        return Receipt(chains: chains)
    }
}
