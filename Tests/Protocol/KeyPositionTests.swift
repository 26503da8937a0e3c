import Crypto
import Protocol
import Support
import Testing

/// Checks that both sides give a message the same position (smsenc-protocol(7), Positions).
@Suite(.measured) struct KeyPositionTests {
    @Test func bothSidesNameTheDirectionsAlike() throws {
        let (a, b) = try Party.pair("ZWNH7B6ESH", "EZWRAEFJX0")
        #expect(a.conversation.sending.name == b.conversation.receiving.name)
        #expect(a.conversation.receiving.name == b.conversation.sending.name)
        #expect(a.conversation.sending.name != a.conversation.receiving.name)
    }

    /// Messages are lost and delayed, and both sides begin new chains at any time.
    @Test func bothSidesCountAlike() throws {
        var generator = Generator(seed: 1)
        var delayed: [(from: Int, position: KeyPosition, ciphertext: [UInt8])] = []
        for seed in 0..<20 as Range<UInt64> {
            let pair = try Party.pair(seed: seed)
            let parties = [pair.0, pair.1]
            delayed.removeAll()
            var seen: [Set<KeyPosition>] = [[], []]
            for number in 0..<60 {
                let from = generator.number(below: 2)
                let ciphertext = try parties[from].send("Message \(number)")
                let next = parties[from].conversation.sending.chain.position
                let position = KeyPosition(chain: next.chain, key: next.key - 1)
                #expect(seen[from].insert(position).inserted)
                if generator.once(in: 4) { continue }
                delayed.append((from, position, ciphertext))
                while delayed.count > generator.number(below: 6) {
                    let message = delayed.remove(at: generator.number(below: delayed.count))
                    #expect(
                        try parties[1 - message.from].receive(message.ciphertext)?.position
                            == message.position)
                }
            }
        }
    }
}
