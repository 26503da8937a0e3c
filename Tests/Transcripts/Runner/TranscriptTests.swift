import Foundation
import Support
import Testing

@Suite("Transcripts", .measured)
struct TranscriptTests {
    /// Names of all transcripts, or the transcript named by SMSENC_TRANSCRIPT.
    private static let names = Project.files(
        in: "Tests/Transcripts",
        endingIn: [ProcessInfo.processInfo.environment["SMSENC_TRANSCRIPT"] ?? ".transcript"])

    /// Transcripts that take minutes, which run only with scripts/test --all.
    private static let leftToAll =
        LongTests.areEnabled
        ? [] : names.filter { Transcript.header(of: url(of: $0)).isOnlyInWholeRun }

    /// Commands and files that are missing, by transcript.
    private static let lacking: [String: [String]] = Dictionary(
        uniqueKeysWithValues: names.filter { !leftToAll.contains($0) }.map { name in
            (name, Transcript.header(of: url(of: name)).needs.filter { !Commands.has($0) })
        })

    private static let skipped = lacking.sorted { $0.key < $1.key }.compactMap { name, needs in
        needs.isEmpty ? nil : "\(name) needs \(words(for: needs))"
    }

    @Test(arguments: names.filter { lacking[$0] == [] })
    func transcript(_ name: String) async throws {
        TestCost.current?.describe(name)
        let transcript = try Transcript(contentsOf: Self.url(of: name))
        #expect(!transcript.steps.isEmpty, "\(name) holds no command")
        try await onBlockingThread { try TranscriptRun(transcript) }.record(for: transcript)
    }

    @Test(.enabled(if: skipped.isEmpty, "\(skipped.joined(separator: "; "))"))
    func everyCommandOfTheTranscriptsExists() {
        #expect(Self.skipped.isEmpty)
    }

    @Test(
        .enabled(
            if: leftToAll.isEmpty,
            "\(leftToAll.joined(separator: ", ")): run scripts/test --all"))
    func noTranscriptIsSkippedAsTooLong() {
        #expect(Self.leftToAll.isEmpty)
    }

    /// Describes what is missing, and names the script of the project that provides it.
    private static func words(for needs: [String]) -> String {
        let sysroots = ".build/sysroots/"
        return needs.map { need in
            guard need.hasPrefix(sysroots) else { return need }
            let name = need.dropFirst(sysroots.count).prefix { $0 != "/" }
            return "\(need) (scripts/sysroot \(name))"
        }.joined(separator: ", ")
    }

    private static func url(of name: String) -> URL {
        Project.folder.appendingPathComponent("Tests/Transcripts/" + name)
    }
}
