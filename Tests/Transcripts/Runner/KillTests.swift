import Foundation
import Testing

/// SIGKILL at random moments: no pad is used twice, no received message is lost, and the
/// conversation goes on (PROTOCOL.md, section 7).
@Suite("Kill", .serialized)
struct KillTests {
    /// Messages in one run, and how often a run is killed: first at once, then at any moment.
    @Test(arguments: [(300, 16), (1, 12)])
    func whileEnciphering(_ count: Int, _ rounds: Int) throws {
        let pair = try Correspondents()
        var killed = 0
        var all: Set<String> = []
        let span = try pair.timeToEncipher(count)
        for round in 0..<rounds {
            let messages = (0..<count).map { "Round \(round), message \($0)" }
            let frames = try pair.layOut(messages)
            let run = try pair.start(.amina, ["-c", "Bela", frames])
            if run.kill(after: round == 0 ? 0 : .random(in: 0...span)) { killed += 1 }
            let ciphertexts = try run.writtenLines()
            // None is written twice, and each reads in its turn, without a search far ahead.
            #expect(all.isDisjoint(with: ciphertexts))
            all.formUnion(ciphertexts)
            let read = try pair.read(.bela, ciphertexts)
            #expect(read == Array(messages.prefix(ciphertexts.count)))
            #expect(try pair.read(.bela, ciphertexts) == [])
            // What was lost with the process was an ordinary loss.
            let next = try pair.encipher(["After round \(round)"])
            #expect(next.count == 1)
            #expect(try pair.read(.bela, next) == ["After round \(round)"])
        }
        #expect(killed > 0)
    }

    @Test(arguments: [(150, 12), (1, 12)])
    func whileDeciphering(_ count: Int, _ rounds: Int) throws {
        let pair = try Correspondents()
        var killed = 0
        var span = 0.2
        for round in 0..<rounds {
            let messages = (0..<count).map { "Round \(round), message \($0)" }
            let ciphertexts = try pair.encipher(messages)
            #expect(ciphertexts.count == count)
            let file = try pair.write(ciphertexts)
            let run = try pair.start(.bela, ["-d", "-c", "Amina", file])
            let started = ContinuousClock.now
            if run.kill(after: round == 0 ? 0 : .random(in: 0...span)) {
                killed += 1
            } else {
                span = max(0.01, (ContinuousClock.now - started) / .seconds(1))
            }
            let printed = try pair.unpack(try run.writtenLines())
            #expect(printed == Array(messages.prefix(printed.count)))
            // All that was not printed still can be, and so may some that was.
            let again = try pair.read(.bela, ciphertexts)
            #expect(again == Array(messages.suffix(again.count)))
            #expect(printed.count + again.count >= count)
            #expect(try pair.read(.bela, ciphertexts) == [])
            let next = try pair.encipher(["After round \(round)"])
            #expect(try pair.read(.bela, next) == ["After round \(round)"])
        }
        #expect(killed > 0)
    }
}
