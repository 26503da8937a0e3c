import Protocol
import Testing

/// A ciphertext that is not as it was sent is refused, and nothing changes by it.
@Suite struct AlterationTests {
    @Test func everyChangeOfOneSymbolIsRefused() throws {
        let (amina, bela) = try Party.pair(seed: 1)
        let ciphertext = symbols(try amina.send("The road is clear. Come at dawn."))
        let before = bela.state
        for place in ciphertext.indices {
            for shift in 1..<125 {
                var altered = ciphertext
                altered[place] = UInt8((Int(altered[place]) + shift) % 125)
                let read = try bela.receive(text(altered.span), window: 1)
                #expect(read == nil, "symbol \(place) shifted by \(shift)")
            }
        }
        #expect(bela.state == before)
        #expect(try bela.receive(text(ciphertext.span))?.message.hasPrefix("The road") == true)
    }

    @Test func everyExchangeOfNeighboursIsRefused() throws {
        let (amina, bela) = try Party.pair(seed: 2)
        let ciphertext = symbols(try amina.send("Two by two"))
        let before = bela.state
        for place in 1..<ciphertext.count where ciphertext[place] != ciphertext[place - 1] {
            var altered = ciphertext
            altered.swapAt(place - 1, place)
            #expect(try bela.receive(text(altered.span), window: 4) == nil)
        }
        #expect(bela.state == before)
    }

    /// Neither one's own message nor one of another conversation is taken for the contact's.
    @Test func messagesOfOthersAreRefused() throws {
        let (amina, bela) = try Party.pair(seed: 3)
        let (stranger, _) = try Party.pair(seed: 4)
        for ciphertext in [try bela.send("My own"), try stranger.send("Hello")] {
            let before = bela.state
            #expect(try bela.receive(ciphertext) == nil)
            #expect(bela.state == before)
        }
        #expect(try bela.receive(try amina.send("Hello"))?.message == "Hello")
    }

    @Test func messageReadBeforeIsRefused() throws {
        let (amina, bela) = try Party.pair(seed: 5)
        let early = try amina.send("early")
        let late = try amina.send("late")
        let last = try amina.send("last")
        for (ciphertext, isLate) in [(last, false), (early, true), (late, true)] {
            let read = try bela.receive(ciphertext)
            #expect(read?.isLate == isLate)
            let before = bela.state
            for again in [ciphertext, last] { #expect(try bela.receive(again) == nil) }
            #expect(bela.state == before)
        }
    }
}
