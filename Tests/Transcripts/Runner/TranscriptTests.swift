import Foundation
import Testing

@Suite("Transcripts")
struct TranscriptTests {
    @Test(arguments: Project.files(in: "Tests/Transcripts", endingIn: [".transcript"]))
    func transcript(_ name: String) throws {
        let file = Project.folder.appendingPathComponent("Tests/Transcripts/" + name)
        let transcript = try Transcript(contentsOf: file)
        #expect(!transcript.steps.isEmpty, "\(name) holds no command")
        try TranscriptRun(transcript).record(for: transcript)
    }
}
