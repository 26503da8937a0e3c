import Foundation
import Support
import Testing

@Suite("Transcripts")
struct TranscriptTests {
    /// All, or the one that SMSENC_TRANSCRIPT names.
    private static let names = Project.files(
        in: "Tests/Transcripts",
        endingIn: [ProcessInfo.processInfo.environment["SMSENC_TRANSCRIPT"] ?? ".transcript"])

    /// What each of them needs and this system lacks.
    private static let lacking: [String: [String]] = Dictionary(
        uniqueKeysWithValues: names.map { name in
            (name, Transcript.needs(of: url(of: name)).filter { !Commands.has($0) })
        })

    private static let notRun = names.compactMap { name in
        lacking[name].flatMap { $0.isEmpty ? nil : "\(name) needs \(words(for: $0))" }
    }

    @Test(arguments: names.filter { lacking[$0] == [] })
    func transcript(_ name: String) async throws {
        let transcript = try Transcript(contentsOf: Self.url(of: name))
        #expect(!transcript.steps.isEmpty, "\(name) holds no command")
        try await aside { try TranscriptRun(transcript) }.record(for: transcript)
    }

    @Test(.enabled(if: notRun.isEmpty, "not run: \(notRun.joined(separator: "; "))"))
    func everyOneIsRun() {
        #expect(Self.notRun.isEmpty)
    }

    /// What is missing, and what makes it, where a script of the project does.
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
