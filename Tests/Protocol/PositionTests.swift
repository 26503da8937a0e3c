import Protocol
import Support
import Testing

func parsed(_ text: String) -> Position? { Position(Array(text.utf8).span) }

func directionName(_ text: String) -> DirectionName? { DirectionName(text.utf8) }

@Suite(.measured) struct PositionTests {
    @Test func positionsMatchTheVectors() throws {
        var (valid, refused) = (0, 0)
        for vector in ReceiptVectors.all {
            guard let shown = vector.position else { continue }
            let position = parsed(shown)
            guard let name = vector.name else {
                refused += 1
                #expect(position == nil, "\(vector.error ?? "")")
                continue
            }
            valid += 1
            let direction = try #require(directionName(name))
            #expect(
                try position
                    == Position(direction, chain: #require(vector.chain), key: #require(vector.key))
            )
            #expect(position?.text == shown)
        }
        #expect((valid, refused) == (4, 22))
    }

    @Test func aPrintedPositionIsParsed() throws {
        var generator = Generator(seed: 41)
        for _ in 0..<10_000 {
            let direction = try #require(DirectionName(bits: generator.next() >> 24))
            let position = Position(
                direction, chain: UInt32(generator.next() >> (32 + generator.next() % 32)),
                key: UInt32(generator.next() >> (32 + generator.next() % 32)))
            #expect(parsed(position.text) == position)
        }
        #expect(DirectionName(bits: 1 << 40) == nil)
    }

    @Test func whateverIsParsedIsPrintedTheSame() {
        var generator = Generator(seed: 42)
        let characters = Array("0123456789AKZIUaz..... \n-+é".unicodeScalars)
        for _ in 0..<20_000 {
            let name = generator.text(
                8, from: Array("0123456789ABCDEFGHJKMNPQRSTVWXYZIU".unicodeScalars))
            let rest = generator.text(1 + generator.number(below: 6), from: characters)
            let shown = name + "." + rest
            guard let position = parsed(shown) else { continue }
            #expect(position.text == shown)
        }
    }
}
