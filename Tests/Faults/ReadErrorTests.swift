import Foundation
import Support
import TestPeople
import Testing

extension Faults {
    /// The disk fails to read data, or refuses a lock. The tools must report neither damage nor a lock of
    /// another process.
    @Suite(
        .measured, .serialized,
        .enabled(
            if: Tools.canTrace && Tools.areStatic,
            "there is no strace, or the tools load libraries, for which the system reads"))
    struct ReadErrors {
        private static let pair = Result { try SharedConversation() }

        /// Commands that are run repeatedly. In each run, a different read fails, until all reads have
        /// failed once.
        private static let commands = [
            ["smsenc-pad", "-c", "bela"], ["smsenc-pad", "-d", "-c", "bela"],
            ["smsenc-keyring", "list"],
            ["smsenc-keyring", "check"], ["smsenc-keyring", "show", "nobody"],
        ]

        /// One call fails, or all calls fail after a certain call. In the next run, all calls succeed.
        @Test(arguments: commands, ["EIO:when=%", "ENXIO:when=%", "EIO:when=%+"])
        func readErrorsAreNotReportedAsDamage(_ words: [String], _ errors: String) throws {
            let pair = try Self.pair.get()
            for turn in 1...40 {
                let error = errors.replacingOccurrences(of: "%", with: String(turn))
                let run = try spoiled(words, "inject=pread64:error=" + error, path: "home/amina")
                guard run.isSpoiled else { break }
                #expect(run.result.status == 74, "\(error): \(run.result.errorText)")
                let sentence =
                    "cannot read the keyring: the disk reports an error; copy the keyring to another disk, then try again"
                #expect(run.result.errorText.contains(sentence), "\(run.result.errorText)")
                try #require(turn < 40)
            }
            #expect(try pair.sandbox.run("smsenc-keyring", ["check"], as: "amina").status == 0)
            try pair.exchangeMessages()
        }

        @Test func readErrorsOfTheSessionAreNotReportedAsDamage() throws {
            let sandbox = try Self.pair.get().sandbox
            let names = try FileManager.default.contentsOfDirectory(
                atPath: sandbox.path("run/smsenc"))
            var failedRuns = 0
            for name in names {
                let run = try spoiled(
                    ["smsenc-keyring", "list"], "inject=pread64:error=EIO",
                    path: "run/smsenc/" + name)
                // Files of other sessions are only searched for sessions that have ended.
                guard run.isSpoiled, run.result.status != 0 else { continue }
                failedRuns += 1
                #expect(run.result.status == 74)
                #expect(run.result.errorText.contains("cannot read the session file"))
            }
            #expect(failedRuns == 1)
            #expect(try sandbox.run("smsenc-keyring", ["list"], as: "amina").status == 0)
        }

        /// The file system stops supporting locks, either with the first lock or with a later one.
        @Test(arguments: commands) func missingLocksAreReportedAtOnce(_ words: [String]) throws {
            let pair = try Self.pair.get()
            for turn in 1...12 {
                let start = ContinuousClock.now
                let run = try spoiled(
                    words, "inject=fcntl:error=ENOLCK:when=\(turn)+", path: nil)
                guard run.isSpoiled else { break }
                // Waiting for the lock of another process would take half a minute and end with status 75.
                let isReported = run.result.errorText.contains(
                    "cannot lock the keyring: no locks available")
                #expect(run.result.status == 74 && isReported, "\(turn): \(run.result.errorText)")
                #expect(ContinuousClock.now - start < .seconds(20))
            }
            try pair.exchangeMessages()
        }

        /// Runs a command with Amina's keyring under strace, which makes system calls fail.
        private func spoiled(
            _ words: [String], _ injection: String, path: String?
        ) throws -> (result: ToolResult, isSpoiled: Bool) {
            let pair = try Self.pair.get()
            let sandbox = pair.sandbox
            let log = sandbox.path("desk/trace")
            var input: [String] = []
            if words[0] == "smsenc-pad" {
                input = pair.nextFrames(1)
                if words.contains("-d") {
                    try pair.encrypt(1, 1)
                    input = [try #require(pair.directions[1].inbox.last).ciphertext]
                    pair.lose(1, keeping: 0)
                }
            }
            let strace = ["/usr/bin/strace", "-f", "-qq", "-o", log, "-e", injection]
            let paths = path.map { ["-P", sandbox.path($0)] } ?? []
            let run = try ToolRun(
                strace + paths + [Tools.path(words[0])] + words.dropFirst(),
                in: sandbox.path("desk"), environment: sandbox.environment(of: "amina"))
            run.write(text(input))
            let result = run.finish()
            if !result.output.isEmpty, words == Self.commands[0] {
                try pair.post(0, lines(of: result.output), input)
                pair.lose(0, keeping: 0)
            }
            let trace = String(decoding: try sandbox.contents(log), as: UTF8.self)
            return (result, trace.contains("(INJECTED)"))
        }
    }
}
