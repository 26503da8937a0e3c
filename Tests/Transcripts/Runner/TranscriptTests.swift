import Foundation
import Testing

@Suite("Transcripts")
struct TranscriptTests {
    /// What stands in Tests/Transcripts; on other systems without what is Linux's own: the modem
    /// that the daemons are tested with, and these daemons.
    private static let names = Project.files(in: "Tests/Transcripts", endingIn: [".transcript"])
        .filter { name in
            #if os(Linux)
                true
            #else
                !name.hasPrefix("modem-")
            #endif
        }

    @Test(arguments: names)
    func transcript(_ name: String) throws {
        let file = Project.folder.appendingPathComponent("Tests/Transcripts/" + name)
        let transcript = try Transcript(contentsOf: file)
        #expect(!transcript.steps.isEmpty, "\(name) holds no command")
        try TranscriptRun(transcript).record(for: transcript)
    }
}
