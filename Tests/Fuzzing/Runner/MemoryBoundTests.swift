import Foundation
import Support
import TestPeople
import Testing

/// Checks that memory use is bounded for any input, and is much smaller than a huge record.
@Suite(.measured, .serialized) struct MemoryBoundTests {
    /// A line of one gigabyte is a bad record, which is reported in one line. The next record is
    /// processed.
    @Test func aGigabyteLineIsOneBadRecord() throws {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        let frame = try sandbox.frames(["Hello"])
        let hello = Array("Hello\n".utf8)
        try overlong("gsm7-check", ["-t"], 0x1B, then: hello, sandbox)
        try overlong("smsenc-frame", ["-s"], 0xCC, then: hello, sandbox)
        try overlong("smsenc-pad", ["-c", "bela"], 9, then: frame, sandbox, as: "amina")
        // These tools use the same code to read records.
        let little = 64
        try overlong("gsm7-check", ["-c"], UInt8(ascii: "x"), little, then: hello, sandbox)
        try overlong("smsenc-frame", ["-d"], 0, little, then: frame, sandbox)
        try overlong("smsenc-pad", ["-dc", "bela"], 0xFF, little, then: [], sandbox, as: "amina")
        try overlong(
            "smsenc-keyring", ["add", "-"], UInt8(ascii: "x"), little,
            then: Array("Carol\t\n".utf8), sandbox, as: "amina")
    }

    /// Records of maximum length are expensive to process.
    @Test func longestRecordsNeedBoundedMemory() throws {
        let sandbox = try Sandbox()
        let pieces = [
            "e\u{301}", "\u{212B}", "a\u{316}\u{301}", "\t", "😀", "ﬃ", "¤", "[", "\u{301}x",
        ]
        for (tool, arguments) in [
            ("gsm7-check", ["-t"]), ("gsm7-check", ["-bc"]), ("smsenc-frame", ["-s"]),
            ("smsenc-frame", ["-d"]), ("gsm7-check", ["-f", "1000"]),
        ] {
            let running = try sandbox.start(tool, arguments, into: "/dev/null")
            for piece in pieces {
                let record = [UInt8](repeating: 0, count: 65_000 / piece.utf8.count)
                    .flatMap { _ in Array(piece.utf8) }
                running.write(record + [10])
            }
            try finish(running, "\(tool) \(arguments)")
        }
    }

    /// Rejected records of a file are written immediately and do not accumulate.
    @Test func rejectedRecordsDoNotAccumulate() throws {
        let sandbox = try Sandbox()
        let record = Array("ж".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 60_000) + [10]
        let count = 700
        let bad = [UInt8]((0..<count).flatMap { _ in record })
        try Data(bad).write(to: URL(fileURLWithPath: sandbox.path("bad")))
        for tool in ["gsm7-check", "smsenc-frame"] {
            let rejects = sandbox.path(tool + ".rejects")
            let running = try sandbox.start(tool, ["--rejects", rejects, sandbox.path("bad"), "-"])
            #expect(running.wait { $0.gathered.errors.count { $0 == 10 } == count })
            try finish(running, tool)
            #expect(try Data(contentsOf: URL(fileURLWithPath: rejects)).count >= bad.count)
        }
    }

    /// One contact is named by an increasing number of spellings of its number, up to the maximum length
    /// of a record.
    @Test func manySpellingsOfAContactNeedBoundedMemory() throws {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        let frame = try sandbox.frames(["Hello"])
        let running = try sandbox.start("smsenc-pad", [], as: "amina", into: "/dev/null")
        for number in 0..<300 {
            let blanks = [UInt8](repeating: UInt8(ascii: "-"), count: 60_000 + number)
            running.write(Array("+278212300".utf8) + blanks + Array("00\t".utf8) + frame)
        }
        try finish(running, "smsenc-pad")
    }

    /// There are many unfinished messages from one contact, one unfinished message from each of many
    /// contacts, and unfinished messages from contacts with long names.
    @Test func unfinishedMessagesNeedBoundedMemory() throws {
        let sandbox = try Sandbox()
        let frame = try sandbox.frames(["1/2:4071 x"])
        let running = try sandbox.start("smsenc-frame", ["-dj", "-f", "2"], into: "/dev/null")
        let name = [UInt8](repeating: UInt8(ascii: "n"), count: 60_000)
        for number in 0..<300 {
            running.write(name + Array("\(number)\t".utf8) + frame)
        }
        for number in 0..<17_000 { running.write(Array("\(number)\t".utf8) + frame) }
        let marks = (0..<1100).map { "Mal\t1/99:\(String(10_000 + $0).dropFirst()) x\n" }
        let frames = try sandbox.run(
            "smsenc-frame", ["-f", "2"], input: Array(marks.joined().utf8))
        running.write(frames.output)
        try finish(running, "smsenc-frame")
    }

    /// Passes one overlong line and several good records to a tool.
    ///
    /// - Parameter megabytes: the length of the line in MiB.
    private func overlong(
        _ tool: String, _ arguments: [String], _ byte: UInt8, _ megabytes: Int = 1024,
        then good: [UInt8], _ sandbox: Sandbox, as person: String? = nil
    ) throws {
        let running = try sandbox.start(tool, arguments, as: person)
        let block = [UInt8](repeating: byte, count: 1 << 20)
        for _ in 0..<megabytes { running.write(block) }
        running.write([10] + good)
        // The tool writes the result of every record immediately, so it has read everything when all
        // results are available.
        let isAnswered = running.wait {
            $0.gathered.errors.contains(10) && (good.isEmpty || $0.gathered.output.contains(10))
        }
        #expect(isAnswered, "\(tool) \(arguments)")
        let memory = running.peakMemory()
        let result = running.finish()
        #expect(result.status == 1, "\(tool) \(arguments): \(result.errorText)")
        #expect(result.errorLines.count == 1, "\(tool) \(arguments): \(result.errorText)")
        #expect(
            result.errorText.hasPrefix("\(tool): stdin:1: the record is longer than 65536 bytes"))
        if let memory {
            #expect(memory < Fuzz.memoryLimit, "\(tool) \(arguments): \(memory >> 10) KiB")
        }
    }

    /// Waits until the tool has read all input, and returns its peak memory.
    private func finish(_ running: ToolRun, _ what: String) throws {
        // Not more than the contents of the pipe have not been read yet.
        running.write([UInt8](repeating: 10, count: 1 << 17))
        let memory = running.peakMemory()
        let result = running.finish()
        #expect(Tools.statuses.contains(result.status), "\(what): \(result.errorText)")
        if let memory { #expect(memory < Fuzz.memoryLimit, "\(what): \(memory >> 10) KiB") }
    }
}
