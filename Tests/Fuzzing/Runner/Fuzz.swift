import Foundation
import Support
import TestPeople
import Testing

/// Runs tools with random input, and checks the results.
enum Fuzz {
    /// Number of records in a run. Longer campaigns use more records.
    static let batch = Campaign.isLong ? 2000 : 300
    /// Maximum resident memory of a tool in bytes. A debug build has 10 MiB (gsm7-check) to 19 MiB
    /// (smsenc-pad), including code and libraries.
    static let memoryLimit = 32 << 20

    /// Runs a filter on random records, and checks the number of results.
    static func filter(
        _ tool: String, _ arguments: [String], as person: String? = nil, batch: Int = Self.batch,
        _ sandbox: Sandbox, _ generator: inout Generator, _ seed: UInt64,
        record: (inout Generator) -> [UInt8]
    ) throws {
        let isNull = generator.once(in: 2)
        let terminator = isNull ? "\u{0}" : "\n"
        var records: [[UInt8]] = []
        for _ in 0..<batch {
            let bytes = record(&generator)
            // Input that contains a terminator counts as several records.
            records += bytes.split(
                separator: terminator.utf8.first ?? 0, omittingEmptySubsequences: false
            ).map { Array($0) }
        }
        // A byte order mark at the beginning of the input is not part of the record.
        if records[0].starts(with: [0xEF, 0xBB, 0xBF]) { records[0] = [] }
        let rejects = "rejects-\(seed)-\(generator.next())"
        let words = arguments + (isNull ? ["-z"] : []) + ["--rejects", rejects]
        let result = try sandbox.run(tool, words, as: person, input: joined(records, terminator))
        let shown = "seed \(seed): \(tool) \(words)"
        check(result, seed, shown, records: records.count)
        let bad = badRecords(result, tool)
        #expect(bad == bad.sorted() && Set(bad).count == bad.count, "\(shown): \(result.errorText)")
        #expect(result.status == (bad.isEmpty ? 0 : 1), "\(shown): \(result.errorText)")
        let good = result.output.count { $0 == terminator.utf8.first }
        #expect(good + bad.count == records.count, "\(shown)")
        let kept = try sandbox.contents(sandbox.path("desk/" + rejects))
        let expected = joined(bad.map { records[$0 - 1] }, terminator)
        #expect(kept == expected, "\(shown)")
        try FileManager.default.removeItem(atPath: sandbox.path("desk/" + rejects))
    }

    /// Notices about records that were processed successfully.
    private static let remarks = [
        "arrived late, after newer messages", "can no longer be decrypted",
        "who needs it to read your messages",
    ]

    /// Returns the numbers of the records that are reported as bad on stderr. Notices about good records
    /// are ignored.
    static func badRecords(_ result: ToolResult, _ tool: String) -> [Int] {
        result.errorLines.compactMap { line in
            let text = String(decoding: line, as: UTF8.self)
            let prefix = "\(tool): stdin:"
            guard text.hasPrefix(prefix), !remarks.contains(where: text.contains) else {
                return nil
            }
            // In tables, the record number is followed by the first field in brackets.
            return Int(text.dropFirst(prefix.count).prefix { $0 != ":" && $0 != " " })
        }
    }

    /// Checks that apply to every run.
    ///
    /// - Parameters:
    ///   - allowsControlCharacters: true if control characters are expected on stderr.
    ///   - records: the number of input records.
    static func check(
        _ result: ToolResult, _ seed: UInt64, _ what: String = "",
        allowsControlCharacters: Bool = false,
        records: Int = 0
    ) {
        FuzzStatistics.add(records: records, memory: result.peakMemory)
        let memory = result.peakMemory ?? 0
        #expect(memory < memoryLimit, "seed \(seed): \(what): \(memory >> 10) KiB")
        #expect(
            Tools.statuses.contains(result.status), "seed \(seed): \(what): \(result.errorText)")
        let isText = String(validating: result.errors, as: UTF8.self) != nil
        #expect(isText, "seed \(seed): \(what)")
        let drivers = result.errorText.unicodeScalars.filter { controlsTerminal($0) }
        #expect(
            drivers.isEmpty || allowsControlCharacters,
            "seed \(seed): \(what): \(result.errorText.debugDescription)")
        #expect(!result.errorText.contains("unexpected failure"), "seed \(seed): \(what)")
    }

    /// Returns true for control characters and for characters that change the reading direction.
    static func controlsTerminal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    static func joined(_ records: [[UInt8]], _ terminator: String) -> [UInt8] {
        records.flatMap { $0 + terminator.utf8 }
    }
}
