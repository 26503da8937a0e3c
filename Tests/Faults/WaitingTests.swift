import Foundation
import Support
import TestPeople
import Testing

@testable import Keyring

/// A process waits for other processes for up to half a minute, and then exits with status 75 without
/// changing anything. This applies to transactions, and to messages to a contact whose keys are all in
/// flight.
@Suite("Waiting", .measured) struct WaitingTests {
    /// Three cases run at the same time, each with a separate keyring. Amina's keyring is locked for
    /// writing, Bela's keyring is locked exclusively, and all of Carol's keys to Amina are in flight.
    @Test func waitingForOtherProcessesEndsWithStatus75() async throws {
        let sandbox = try Sandbox(people: ["carol", "amina", "bela"])
        try sandbox.introduce("amina", "bela")
        let frames = try sandbox.frames((0..<1000).map { "Message \($0)" })
        let line = Array(frames.prefix { $0 != 10 } + [10])
        let received = try sandbox.encrypt(["Hello"], from: "bela", to: "amina")

        let holders = try ["amina", "bela"].map { try Database(path: sandbox.keyring(of: $0)) }
        try holders[0].execute("BEGIN IMMEDIATE")
        try holders[1].execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let stuck = try sandbox.start("smsenc-pad", ["-c", "amina"], as: "carol")
        stuck.write(frames)
        // The pipe has room for one page, and a commit outputs more.
        while stuck.unreadOutput < 4096 { usleep(1000) }

        let password = ["--password-file", sandbox.path("password")]
        var waiting: [ToolRun] = []
        for (person, words, input) in [
            ("amina", ["smsenc-pad", "-c", "bela"], line),
            ("amina", ["smsenc-pad", "-dc", "bela"], received),
            ("amina", ["smsenc-keyring", "add", "dora"], []),
            ("amina", ["smsenc-keyring", "unlock"] + password, []),
            ("bela", ["smsenc-pad", "-c", "amina"], line),
            ("bela", ["smsenc-keyring", "list"], []),
            ("carol", ["smsenc-pad", "-c", "amina"], line),
        ] {
            let run = try sandbox.start(words[0], Array(words.dropFirst()), as: person)
            run.write(input)
            run.closeInput()
            waiting.append(run)
        }
        // Messages to another contact are not delayed.
        #expect(
            try sandbox.run("smsenc-pad", ["-c", "bela"], as: "carol", input: line).status == 0)
        for run in waiting {
            let result = try await run.patientFinish()
            #expect(result.status == 75 && result.errorLines.count == 1, "\(result.errorText)")
            #expect(result.output.isEmpty || result.outputText == "false\n")
        }

        try holders[0].execute("ROLLBACK")
        try holders[1].execute("ROLLBACK")
        for holder in holders { try holder.close() }
        let written = stuck.finish()
        #expect(written.status == 0 && written.output.count { $0 == 10 } == 1000)
        for (person, arguments, input) in [
            ("amina", ["-dc", "carol"], written.output), ("amina", ["-dc", "bela"], received),
            ("amina", ["-c", "bela"], line), ("bela", ["-c", "amina"], line),
            ("carol", ["-c", "amina"], line),
        ] {
            let result = try sandbox.run("smsenc-pad", arguments, as: person, input: input)
            #expect(result.status == 0, "\(person) \(arguments): \(result.errorText)")
        }
    }
}
