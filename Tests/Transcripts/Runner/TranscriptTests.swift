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
        lacking[name].flatMap { $0.isEmpty ? nil : "\(name) needs \($0.joined(separator: ", "))" }
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

    private static func url(of name: String) -> URL {
        Project.folder.appendingPathComponent("Tests/Transcripts/" + name)
    }
}
