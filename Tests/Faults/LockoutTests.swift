import Foundation
import Support
import Testing

/// Passwords that are tried at the same time.
@Suite("Lockout") struct LockoutTests {
    /// The right ones all get in. Of the wrong ones three are tried, whoever makes them; the others
    /// are locked out, and so is then the right one.
    @Test func eightAtOnce() throws {
        let bench = try Bench()
        try bench.add(person: "amina")
        for result in try (0..<8).map({ _ in try unlock("password", bench) }).map({ $0.finish() }) {
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.outputText.hasPrefix("SMSENC_SESSION="))
        }
        try bench.write(Array("Quite-another=4711\n".utf8), to: "wrong")
        let results = try (0..<8).map { _ in try unlock("wrong", bench) }.map { $0.finish() }
        #expect(results.count { $0.status == 77 } == 3)
        #expect(results.count { $0.status == 75 } == 5)
        #expect(
            results.allSatisfy { $0.complaints.count == 1 && !$0.outputText.contains("SMSENC") })
        #expect(try unlock("password", bench).finish().status == 75)
    }

    private func unlock(_ file: String, _ bench: Bench) throws -> ToolRun {
        let words = ["unlock", "--password-file", bench.path(file)]
        let run = try bench.start("smsenc-keyring", words, as: "amina", usesSession: false)
        run.closeInput()
        return run
    }
}
