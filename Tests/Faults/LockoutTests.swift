import Foundation
import Support
import TestPeople
import Testing

/// Tests several password attempts at the same time.
@Suite("Lockout", .measured) struct LockoutTests {
    /// All attempts with correct passwords succeed. Three attempts with wrong passwords are tried. All
    /// later attempts are locked out, including one with the correct password.
    @Test func onlyThreeOfEightSimultaneousWrongPasswordsAreTried() throws {
        let sandbox = try Sandbox(people: ["amina"])
        for result in try unlock("password", sandbox, times: 8) {
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.outputText.hasPrefix("SMSENC_SESSION="))
        }
        try sandbox.write(Array("Quite-another=4711\n".utf8), to: "wrong")
        let results = try unlock("wrong", sandbox, times: 8)
        #expect(results.count { $0.status == 77 } == 3)
        #expect(results.count { $0.status == 75 } == 5)
        #expect(
            results.allSatisfy { $0.errorLines.count == 1 && !$0.outputText.contains("SMSENC") })
        #expect(try unlock("password", sandbox, times: 1).allSatisfy { $0.status == 75 })
    }

    /// Runs all attempts at the same time. On a busy machine, an attempt may stop waiting for the lock and
    /// ask the user to try again. In that case, it is repeated.
    private func unlock(_ file: String, _ sandbox: Sandbox, times: Int) throws -> [ToolResult] {
        let results = try (0..<times).map { _ in try start(file, sandbox) }.map { $0.finish() }
        let busy = results.count { $0.status == 75 && $0.errorText.contains("is busy") }
        let done = results.filter { $0.status != 75 || !$0.errorText.contains("is busy") }
        guard 0 < busy, busy < times else { return results }
        return try done + unlock(file, sandbox, times: busy)
    }

    private func start(_ file: String, _ sandbox: Sandbox) throws -> ToolRun {
        let words = ["unlock", "--password-file", sandbox.path(file)]
        let run = try sandbox.start("smsenc-keyring", words, as: "amina", usesSession: false)
        run.closeInput()
        return run
    }
}
