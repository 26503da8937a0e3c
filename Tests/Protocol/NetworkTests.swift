import Crypto
import Protocol
import Support
import Testing

/// Random conversations over a bad network: what can be read is read exactly once, and what is
/// refused changes nothing.
@Suite struct NetworkTests {
    /// Few keys are under way at a time, and few are lost one after the other: no limit is reached.
    static let fair = Network.Weather(
        description: "fair", burst: 3, keysUnderWay: 5, loss: 6, repetition: 5, alteration: 8)
    /// Bursts past the windows, and much that is never read.
    static let storm = Network.Weather(
        description: "storm", burst: 50, keysUnderWay: 400, loss: 4, repetition: 8, alteration: 30)
    /// Nobody answers for long, and everything that was passed over comes in the end.
    static let silence = Network.Weather(
        description: "silence", burst: 140, keysUnderWay: 4000, loss: 30, repetition: 0,
        alteration: 0)

    @Test(arguments: Array(UInt64(1)...8))
    func withinTheLimitsAllThatArrivesIsRead(seed: UInt64) throws {
        var network = try run(seed: seed, Self.fair, rounds: 200)
        for way in 0..<2 {
            try deliverTheRest(of: &network, on: way)
            let (sent, read) = (network.ways[way].sent, network.ways[way].read)
            #expect(read == network.ways[way].delivered)
            #expect(read.count > sent / 3 && network.ways[way].chain > 8)
        }
    }

    @Test(arguments: [storm, silence], Array(UInt64(31)...32))
    func readIsWhatTheLimitsSay(_ weather: Network.Weather, seed: UInt64) throws {
        var network = try run(seed: seed, weather, rounds: 40)
        for way in 0..<2 {
            try deliverTheRest(of: &network, on: way)
            #expect(network.ways[way].read.count > 100)
        }
    }

    /// Rounds in which one sends a burst, or some messages arrive at one.
    private func run(
        seed: UInt64, _ weather: Network.Weather, rounds: Int
    ) throws -> Network {
        var network = try Network(seed: seed, weather)
        for _ in 0..<rounds {
            let way = network.generator.number(below: 2)
            for _ in 0...network.generator.number(below: weather.burst) {
                let message = try network.send(on: way)
                expectItSurvivesCopying(message.ciphertext)
            }
            network.dropExcess(on: way)
            let other = network.generator.number(below: 2)
            for _ in 0..<network.generator.number(below: weather.burst + 2) {
                guard let message = network.deliver(on: other) else { break }
                if network.happens(weather.alteration) {
                    let altered = network.altered(message.ciphertext)
                    try expectRefusal(of: altered, by: network.ways[other].receiver)
                }
                try receive(message, on: other, of: &network)
            }
        }
        return network
    }

    private func deliverTheRest(of network: inout Network, on way: Int) throws {
        while let message = network.deliver(on: way) {
            try receive(message, on: way, of: &network)
        }
    }

    /// The message reads as the model says, once, and unchanged.
    private func receive(
        _ message: Network.Message, on way: Int, of network: inout Network
    ) throws {
        let receiver = network.ways[way].receiver
        let hasOffer = receiver.offer != nil
        let expected = network.ways[way].model.receive(message.mark, hasOffer: hasOffer)
        network.ways[way].delivered.insert(message.number)
        guard expected != .refused else {
            return try expectRefusal(of: message.ciphertext, by: receiver)
        }
        let read = try receiver.receive(message.ciphertext)
        #expect(read?.message == message.text)
        #expect(read?.isLate == (expected == .late))
        #expect(network.ways[way].read.insert(message.number).inserted, "read twice")
        #expect(receiver.skipped.kept.count == network.ways[way].model.keysKept)
        #expect(receiver.skipped.retired.count == network.ways[way].model.chainsRetired)
    }

    private func expectRefusal(of ciphertext: String, by receiver: Party) throws {
        let before = receiver.state
        #expect(try receiver.receive(ciphertext) == nil)
        #expect(receiver.state == before)
    }

    private func expectItSurvivesCopying(_ ciphertext: String) {
        #expect(ciphertext.unicodeScalars.count == 160)
        let isMended = ciphertext.split(separator: " ").joined(separator: " ") == ciphertext
        #expect(isMended, "a space at an end, or two in a row")
    }
}
