import Protocol
import Support

/// Two parties and the network between them, which loses, delays, repeats, crosses and alters what
/// they send. All that happens follows from the seed.
struct Network {
    /// How bad it is.
    struct Weather: Sendable, CustomStringConvertible {
        let description: String
        /// Messages sent in one go, at most.
        let burst: Int
        /// Message keys of a direction that may be under way; what comes on top is lost first.
        let keysUnderWay: Int
        /// Once in so many times: a message is lost, repeated, altered; 0 for never.
        let loss: Int
        let repetition: Int
        let alteration: Int
    }

    struct Message {
        let number: Int
        let text: String
        let ciphertext: String
        let mark: Mark
        /// Keys it took, those thrown away included.
        let keys: Int
    }

    /// One direction.
    struct Way {
        let sender: Party
        let receiver: Party
        var underWay: [Message] = []
        /// Where the sender is.
        var chain = 0
        var key = 0
        var sent = 0
        var read: Set<Int> = []
        var delivered: Set<Int> = []
        var model = Model()
    }

    let weather: Weather
    var generator: Generator
    var ways: [Way]

    init(seed: UInt64, _ weather: Weather) throws {
        self.weather = weather
        generator = Generator(seed: seed)
        let (amina, bela) = try Party.pair(seed: seed)
        ways = [Way(sender: amina, receiver: bela), Way(sender: bela, receiver: amina)]
    }

    /// Sends a message: it is under way, unless the network loses it at once.
    mutating func send(on way: Int) throws -> Message {
        let sender = ways[way].sender
        if sender.conversation.isPending {
            ways[way].chain += 1
            ways[way].key = 0
        }
        let length = generator.number(below: 120)
        let words = "Message \(ways[way].sent) " + generator.symbolText(length)
        let trimmed = words.split(separator: " ", omittingEmptySubsequences: false).joined(
            separator: "_")
        let ciphertext = try sender.send(trimmed, offer: generator.symbolText(10))
        ways[way].key += sender.keysOfLast
        let message = Message(
            number: ways[way].sent, text: trimmed, ciphertext: ciphertext,
            mark: Mark(chain: ways[way].chain, key: ways[way].key - 1), keys: sender.keysOfLast)
        ways[way].sent += 1
        if !happens(weather.loss) { ways[way].underWay.append(message) }
        return message
    }

    /// Takes one of the messages under way, any of the oldest or sometimes of all; sometimes it
    /// comes once more later.
    mutating func deliver(on way: Int) -> Message? {
        let count = ways[way].underWay.count
        guard count > 0 else { return nil }
        let near = generator.once(in: 4) ? count : min(count, 3)
        let index = generator.number(below: near)
        let message = ways[way].underWay[index]
        if !happens(weather.repetition) { ways[way].underWay.remove(at: index) }
        return message
    }

    /// The oldest messages are lost while more keys are under way than may be.
    mutating func dropExcess(on way: Int) {
        while ways[way].underWay.reduce(0, { $0 + $1.keys }) > weather.keysUnderWay {
            ways[way].underWay.removeFirst()
        }
    }

    /// A ciphertext as something on the way might have made of it.
    mutating func altered(_ ciphertext: String) -> String {
        var all = symbols(ciphertext)
        switch generator.number(below: 4) {
        case 0:
            let place = generator.number(below: all.count)
            all[place] = UInt8((Int(all[place]) + 1 + generator.number(below: 124)) % 125)
        case 1: all.removeLast(1 + generator.number(below: 10))
        case 2: all.append(UInt8(generator.number(below: 125)))
        default:
            // The end of another message, as when two are put together wrongly.
            let place = 1 + generator.number(below: all.count - 1)
            for index in place..<all.count { all[index] = UInt8(generator.number(below: 125)) }
        }
        return text(all.span)
    }

    mutating func happens(_ onceIn: Int) -> Bool {
        onceIn > 0 && generator.once(in: onceIn)
    }
}
