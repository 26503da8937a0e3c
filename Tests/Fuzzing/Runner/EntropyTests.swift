import Foundation
import GSM7
import Support
import Testing

/// Ciphertext looks like nothing, whatever was written.
@Suite struct EntropyTests {
    private static let count = 10_000

    /// Messages of all kinds, equal and empty ones among them.
    @Test func allKinds() throws {
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

    @Test func oneMessageRepeated() throws {
        try judge([String](repeating: "Come at dawn. The road is clear.", count: Self.count))
    }

    private func judge(_ messages: [String]) throws {
        let bench = try Bench()
        for person in ["amina", "bela"] { try bench.add(person: person) }
        try bench.introduce("amina", "bela")
        let ciphertexts = try bench.encipher(messages, from: "amina", to: "bela")
        try #require(ciphertexts.count { $0 == 10 } == messages.count)
        try check(ciphertexts)
        try bench.write(ciphertexts, to: "ciphertexts")
        let shown = try script(bench.path("ciphertexts"))
        #expect(shown.status == 0, "\(shown.text)")
        #expect(shown.text.contains("ciphertexts\t\(messages.count)\n"), "\(shown.text)")
    }

    /// Pooled. The script judges the places as well.
    private func check(_ ciphertexts: [UInt8]) throws {
        var counts = [Int](repeating: 0, count: Alphabet.symbolCount)
        for scalar in String(decoding: ciphertexts, as: UTF8.self).unicodeScalars
        where scalar != "\n" {
            counts[Int(try #require(Alphabet.symbol(of: scalar)))] += 1
        }
        let all = Double(counts.reduce(0, +))
        let entropy = counts.reduce(0) { $0 - Double($1) / all * log2(Double($1) / all) }
        #expect(abs(entropy / log2(125) - 1) < 0.001, "\(entropy) bits")
        // All but the space are equally likely wherever no space stands. Of a hundred million right
        // implementations one is further off than 6 standard deviations (Wilson and Hilferty).
        let space = Int(Alphabet.space)
        let due = (all - Double(counts[space])) / 124
        let chiSquare = counts.indices.filter { $0 != space }
            .reduce(0) { $0 + pow(Double(counts[$1]) - due, 2) / due }
        let width = (2.0 / (9 * 123)).squareRoot()
        let deviation = (cbrt(chiSquare / 123) - (1 - width * width)) / width
        #expect(abs(deviation) < 6, "chi-square \(chiSquare)")
    }

    private func script(_ file: String) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("scripts/entropy")
        process.arguments = [file]
        process.standardInput = FileHandle.nullDevice
        let pipe = Foundation.Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
