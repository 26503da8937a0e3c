import Foundation
import Support
import TestPeople
import Testing

/// Shuffles, drops, repeats and mixes the parts of several messages of one contact. Each output must be
/// either a complete original message or a single part.
@Suite(.measured) struct PartsTests {
    private static let words = [
        "мост завтра утром не ходите мы ждём вестей от врача ␊ 7 12,5",
        "ο ποταμός φούσκωσε πάλι και 🙂 [x]",
        "明日の朝橋は通れません", "नदी फिर बढ़ गई है हम पार नहीं कर सकते",
    ].map { $0.split(separator: " ").map(String.init) }

    @Test func partsOfDifferentMessagesAreNeverJoined() throws {
        let sandbox = try Sandbox()
        try Campaign.run(12) { generator, seed in
            var messages: Set<String> = []
            for _ in 0...generator.number(below: 10) {
                let words = generator.pick(Self.words)
                let count = 60 + generator.number(below: 100)
                let chosen = (0..<count).map { _ in generator.pick(words) }
                messages.insert(chosen.joined(separator: " "))
            }
            // Each part contains the number of its message. The contact is always the same.
            let table = messages.enumerated().map { "\($0.offset)\tAmina\t\($0.element)" }
            let split = try run(sandbox, ["-s", "-f", "3"], table)
            let all = Array(zip(split, try run(sandbox, ["-d", "-f", "3"], split)))
            var sent = all
            if generator.once(in: 2) { sent.removeAll { _ in generator.once(in: 12) } }
            if generator.once(in: 2) { sent += sent.filter { _ in generator.once(in: 5) } }
            sent.shuffle(using: &generator)
            let came = try run(sandbox, ["-dj", "-f", "3"], sent.map(\.0))
            let parts = Set(sent.map(\.1))
            for (place, line) in came.enumerated() {
                #expect(parts.contains(line) || table.contains(line), "seed \(seed): \(place)")
            }
            // No part is lost. Each part must be in a complete message, or be output separately.
            for part in parts {
                let whole = table.first { $0.prefix { $0 != "\t" } == part.prefix { $0 != "\t" } }
                let isThere = came.contains(part) || whole.map { came.contains($0) } ?? false
                #expect(isThere, "seed \(seed): \(part.prefix(20))")
            }
            if sent.count == all.count { #expect(came.count == messages.count, "seed \(seed)") }
        }
    }

    /// Two messages have the same number of parts and the same checksum, which is the case for one of ten
    /// thousand random pairs.
    @Test(arguments: [
        [0, 2, 1, 3], [0, 2, 3, 1], [3, 0, 2, 1], [0, 3], [2, 1], [2, 0, 3], [1, 2, 3],
    ])
    func messagesWithEqualChecksumsAreNotMixed(_ order: [Int]) throws {
        let sandbox = try Sandbox()
        let pair = try #require(try Self.pair.get())
        let frames = try run(sandbox, ["-s"], pair)
        try #require(frames.count == 4)
        let texts = try run(sandbox, ["-d"], frames)
        #expect(Set(texts.map { $0.prefix { $0 != " " }.dropFirst() }).count == 1)
        let joined = try run(sandbox, ["-dj"], order.map { frames[$0] })
        for line in joined {
            #expect(pair.contains(line) || order.contains { texts[$0] == line })
        }
        for (message, parts) in zip(pair, [[0, 1], [2, 3]]) where parts.allSatisfy(order.contains) {
            #expect(joined.contains(message))
        }
    }

    /// Many unfinished messages of one contact do not displace the messages of other contacts.
    @Test func unfinishedMessagesOfOneContactDoNotDisplaceOthers() throws {
        let sandbox = try Sandbox()
        let message = "Amina\t" + String(repeating: "ο ποταμός φούσκωσε πάλι και ", count: 12) + "9"
        let parts = try run(sandbox, ["-s", "-f", "2"], [message])
        try #require(parts.count == 2)
        let unfinished = (0..<1100).map { "Mal\t1/2:\(String(10_000 + $0).dropFirst()) x" }
        let frames = try run(sandbox, ["-f", "2"], unfinished)
        let joined = try run(sandbox, ["-dj", "-f", "2"], [parts[0]] + frames + [parts[1]])
        #expect(joined.contains(message))
        #expect(joined.count == unfinished.count + 1)
        // The most recent messages of each contact are kept.
        #expect(Array(joined.prefix(76)) == Array(unfinished.prefix(76)))
        #expect(joined.dropFirst(76).first == message)
    }

    /// If the parts need too much memory, the contact with the most parts loses a message first.
    @Test func theContactWithMostPartsLosesAMessageFirst() throws {
        let sandbox = try Sandbox()
        let message = "Amina\t" + String(repeating: "ο ποταμός φούσκωσε πάλι και ", count: 12) + "9"
        let parts = try run(sandbox, ["-s", "-f", "2"], [message])
        let texts = (0..<900).map { "1/2:\(String(10_000 + $0).dropFirst()) x" }
        let frames = try run(sandbox, [], texts)
        func all(_ lines: [String]) -> [String] {
            (0..<25).flatMap { contact in lines.map { "Mal \(contact)\t" + $0 } }
        }
        let joined = try run(sandbox, ["-dj", "-f", "2"], [parts[0]] + all(frames) + [parts[1]])
        #expect(Set(joined) == Set(all(texts) + [message]))
    }

    private static let pair = Result { () throws -> [String]? in
        let sandbox = try Sandbox()
        let text = String(repeating: "ο ποταμός φούσκωσε πάλι και ", count: 12)
        let texts = (0..<400).map { "\($0 * 7919 + 1000) " + text }
        let lines = Array(texts.joined(separator: "\n").utf8)
        let frames = try sandbox.run("smsenc-frame", ["-s"], input: lines).output
        let parts = try sandbox.run("smsenc-frame", ["-d"], input: frames).outputText.split(
            separator: "\n")
        let marks = parts.filter { $0.hasPrefix("1/2:") }.map { $0.prefix(8) }
        var first: [Substring: String] = [:]
        for (mark, text) in zip(marks, texts) {
            if let other = first[mark] { return [other, text] }
            first[mark] = text
        }
        return nil
    }

    private func run(_ sandbox: Sandbox, _ options: [String], _ lines: [String]) throws -> [String]
    {
        let result = try sandbox.run(
            "smsenc-frame", options, input: Array(lines.map { $0 + "\n" }.joined().utf8))
        #expect(result.status == 0, "\(result.errorText)")
        return result.outputText.unicodeScalars.split(separator: "\n").map { String($0) }
    }
}
