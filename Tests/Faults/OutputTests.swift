import Foundation
import Support
import TestPeople
import Testing

extension Faults {
    /// Tests output that cannot be written, or that is not read to its end. No message key may encrypt
    /// twice, the contact must be able to read further messages without a far search, and no received
    /// message may be lost.
    @Suite(.measured, .serialized) struct BrokenOutput {
        private static let pair = Result { try SharedConversation() }

        private static let count = 10_000
        /// Exit status of a tool whose output is no longer read.
        private static let brokenPipe = 128 + SIGPIPE

        /// The reader reads once, like `head -1`, and sends the first line. At that time, the pipe is full
        /// again.
        @Test func keysAreNotReusedIfTheReaderExitsWhileEncrypting() throws {
            let pair = try Self.pair.get()
            for _ in 0..<5 {
                let frames = pair.nextFrames(Self.count)
                let run = try pair.startEncrypting(0, frames, into: nil)
                try #require(run.wait { $0.gathered.output.contains(10) })
                while run.unreadOutput < 4096 { usleep(1000) }
                run.closeOutput()
                #expect(run.finish().status == Self.brokenPipe)
                let seen = run.gathered.output
                try pair.post(0, lines(of: seen), frames)
                pair.lose(0, keeping: 1)
                let last = pair.directions[0].trace.last
                try pair.encrypt(0, 1)
                // The key of the truncated line also counts as used.
                let gap = pair.directions[0].trace.last.key - last.key
                #expect(seen.last == 10 || gap > 1)
                try pair.decrypt(0)
            }
            try pair.exchangeMessages()
        }

        @Test(arguments: ["head -n 1", "sed 1q", "(sleep 0.2; head -n 1)"])
        func keysAreNotReusedIfAShellReaderExits(_ reader: String) throws {
            let pair = try Self.pair.get()
            for _ in 0..<2 {
                let frames = pair.nextFrames(Self.count)
                try pair.sandbox.write(text(frames), to: "desk/frames")
                let tool = Tools.path("smsenc-pad")
                let shell = try ToolRun(
                    ["/bin/sh", "-c", "'\(tool)' -c bela frames | \(reader)"],
                    in: pair.sandbox.path("desk"),
                    environment: pair.sandbox.environment(of: "amina"))
                try pair.post(0, lines(of: shell.finish().output), frames)
                #expect(pair.directions[0].inbox.count == 1)
                try pair.encrypt(0, 1)
                try pair.decrypt(0)
            }
            try pair.exchangeMessages()
        }

        /// Messages that were not read from the pipe can be decrypted again, except messages that were in
        /// the pipe when a batch ended.
        @Test func unreadMessagesCanBeDecryptedAgain() throws {
            let pair = try Self.pair.get()
            try pair.encrypt(0, Self.count)
            let sent = pair.directions[0].inbox
            let run = try pair.startDecrypting(0, sent.map(\.ciphertext), into: nil)
            try #require(run.wait { $0.gathered.output.contains(10) })
            while run.unreadOutput < 4096 { usleep(1000) }
            run.closeOutput()
            #expect(run.finish().status == Self.brokenPipe)
            let printed = lines(of: run.gathered.output)
            #expect(printed == sent.prefix(printed.count).map(\.frame))
            // The reader got a part of the next message, which can be decrypted again, too.
            let rest = sent.dropFirst(printed.count).map(\.ciphertext)
            let again = try pair.startDecrypting(0, rest, into: nil).finish()
            #expect(again.status == 0, "\(again.errorText.prefix(300))")
            #expect(lines(of: again.output) == sent.suffix(rest.count).map(\.frame))
            pair.lose(0, keeping: 0)
            try pair.exchangeMessages()
        }

        @Test(arguments: [1, 250]) func aFullOutputLosesNoKeysWhileEncrypting(_ number: Int) throws
        {
            let pair = try Self.pair.get()
            for _ in 0..<5 {
                let before = pair.directions[0].trace.last
                for _ in 0..<5 {
                    let frames = pair.nextFrames(number)
                    let run = try pair.startEncrypting(0, frames, into: "/dev/full").finish()
                    #expect(run.status == 74 && run.errorLines.count == 1, "\(run.errorText)")
                }
                // Nothing was output, so only the keys that were discarded are lost.
                try pair.encrypt(0, 1)
                #expect(pair.directions[0].trace.last.key - before.key < 10)
                try pair.decrypt(0)
            }
            try pair.exchangeMessages()
        }

        @Test(arguments: [1, 250]) func aFullOutputLosesNoMessagesWhileDecrypting(_ number: Int)
            throws
        {
            let pair = try Self.pair.get()
            for _ in 0..<3 {
                try pair.encrypt(0, number)
                let sent = pair.directions[0].inbox.map(\.ciphertext)
                for _ in 0..<3 {
                    let run = try pair.startDecrypting(0, sent, into: "/dev/full").finish()
                    #expect(run.status == 74, "\(run.errorText)")
                }
                try pair.decrypt(0)
            }
            try pair.exchangeMessages()
        }

        /// A write fails after part of the data was written, as on a network file system. No key of that
        /// part may encrypt again.
        @Test(
            .enabled(
                if: Self.canHalve, "there is no python3, or half-write does not know the machine"),
            arguments: ["ENOSPC", "EIO", "EDQUOT", "EFBIG", "ETIMEDOUT"], Target.allCases)
        func writeFailsHalfWay(_ error: String, _ target: Target) throws {
            let pair = try Self.pair.get()
            let frames = pair.nextFrames(5)
            let failed = try startSpoiled(
                ["/usr/bin/python3", Self.halfWrite, error], pair, frames, target)
            #expect(failed.result.status == 74, "\(failed.result.errorText)")
            try pair.post(0, failed.left, frames)
            #expect(failed.left.count == 2)
            // The trace reports an issue if a key encrypts twice.
            try pair.encrypt(0, 5)
            try pair.decrypt(0)
            try pair.exchangeMessages()
        }

        /// A write fails without writing any data. If that is certain, all keys are taken back.
        @Test(
            .enabled(
                if: Tools.canTrace && Tools.areStatic,
                "there is no strace, or the tools load libraries"),
            arguments: [
                ("ENOSPC", true), ("EDQUOT", true), ("EFBIG", true), ("EBADF", true),
                ("EIO", false),
            ])
        func writeFailsAtOnce(_ error: String, _ isCertain: Bool) throws {
            let pair = try Self.pair.get()
            for _ in 0..<2 {
                let before = pair.directions[0].trace.last
                let strace = [
                    "/usr/bin/strace", "-qq", "-o", pair.sandbox.path("desk/trace"), "-e",
                    "inject=write:error=\(error):when=1",
                ]
                let failed = try startSpoiled(strace, pair, pair.nextFrames(50), .emptyFile)
                #expect(failed.result.status == 74, "\(failed.result.errorText)")
                #expect(failed.left.isEmpty)
                try pair.encrypt(0, 1)
                let last = pair.directions[0].trace.last
                let passedOver = last.chain == before.chain ? last.key - before.key - 1 : last.key
                #expect(isCertain ? passedOver < 10 : (50...100).contains(passedOver))
                try pair.decrypt(0)
            }
            try pair.exchangeMessages()
        }

        private static let halfWrite = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Transcripts/SystemCalls/half-write").path
        private static var canHalve: Bool {
            #if arch(x86_64) || arch(arm64)
                FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
            #else
                false
            #endif
        }

        /// Where a tool writes: to a pipe, to the end of a file, or over the bytes of a longer file.
        enum Target: CaseIterable { case pipe, emptyFile, longerFile }

        /// Encrypts while a write fails. Returns the lines that were output.
        private func startSpoiled(
            _ program: [String], _ pair: SharedConversation, _ frames: [String], _ target: Target
        ) throws -> (result: ToolResult, left: [String]) {
            let (sandbox, file) = (pair.sandbox, pair.sandbox.path("desk/out"))
            try sandbox.write(text(frames), to: "desk/in")
            let old = [UInt8](repeating: 120, count: target == .longerFile ? 10_000 : 0)
            try sandbox.write(old, to: "desk/out")
            let opening =
                target == .longerFile ? ["/bin/sh", "-c", #"exec "$@" 1<>out"#, "sh"] : []
            let run = try ToolRun(
                opening + program + [
                    Tools.path("smsenc-pad"), "-c", pair.directions[0].reader, "in",
                ],
                in: sandbox.path("desk"),
                environment: sandbox.environment(of: pair.directions[0].sender),
                into: target == .emptyFile ? file : nil)
            let result = run.finish()
            let output = target == .pipe ? result.output : try sandbox.contents(file)
            return (result, lines(of: output))
        }

        /// A pipeline of two stages that use the same keyring and contact processes more data than the
        /// pipes can contain.
        @Test func twoStagesOfAPipelineCanShareAKeyring() throws {
            let pair = try Self.pair.get()
            try pair.encrypt(1, 3000)
            let sent = pair.directions[1].inbox
            try pair.sandbox.write(text(sent.map(\.ciphertext)), to: "desk/sms")
            let tool = "'\(Tools.path("smsenc-pad"))'"
            let shell = try ToolRun(
                ["/bin/sh", "-c", "\(tool) -d -c bela sms | sed p | \(tool) -c bela"],
                in: pair.sandbox.path("desk"), environment: pair.sandbox.environment(of: "amina"))
            let result = shell.finish()
            #expect(result.status == 0, "\(result.errorText)")
            try pair.post(0, lines(of: result.output), sent.flatMap { [$0.frame, $0.frame] })
            #expect(pair.directions[0].inbox.count == 2 * sent.count)
            pair.lose(1, keeping: 0)
            try pair.decrypt(0)
            try pair.exchangeMessages()
        }

        /// Every tool reports an error if any of its output cannot be written.
        @Test func everyToolReportsThatOutputCannotBeWritten() throws {
            let pair = try Self.pair.get()
            try pair.encrypt(1, 1)
            let sandbox = pair.sandbox
            let message = Array("Hello\n".utf8)
            let frame = try sandbox.frames(["Hello"])
            let ciphertext = text(pair.directions[1].inbox.map(\.ciphertext))
            for (words, input) in [
                (["gsm7-check"], message), (["gsm7-check", "-c"], message),
                (["gsm7-check", "--probe"], []),
                (["gsm7-check", "--help"], []), (["smsenc-frame"], message),
                (["smsenc-frame", "-d"], frame), (["smsenc-frame", "-s"], message),
                (["smsenc-pad", "-c", "bela"], frame), (["smsenc-pad", "-dc", "bela"], ciphertext),
                (["smsenc-pad", "--version"], []), (["smsenc-keyring", "list"], []),
                (["smsenc-keyring", "show", "bela"], []), (["smsenc-keyring", "status"], []),
                (["smsenc-keyring", "export"], []), (["smsenc-keyring", "add", "carol"], []),
                (["smsenc-keyring", "add", "-"], Array("dora\t\n".utf8)),
                (["smsenc-keyring", "resync", "carol"], []),
                (["smsenc-keyring", "offer", "emil"], []),
                (["smsenc-keyring", "identity", "list"], []),
            ] {
                let run = try sandbox.start(
                    words[0], Array(words.dropFirst()), as: "amina", into: "/dev/full")
                run.write(input)
                let result = run.finish()
                // There is no contact named emil, and this error is reported first.
                #expect(result.status == (words.contains("emil") ? 1 : 74), "\(words)")
                #expect(result.errorLines.count == 1, "\(words): \(result.errorText)")
            }
            try pair.exchangeMessages()
        }
    }
}
