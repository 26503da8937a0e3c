import Foundation
import Support
import TestPeople
import Testing

extension Faults {
    /// Signals interrupt system calls. The tools must repeat the calls without reporting anything.
    @Suite(.measured, .serialized) struct Interruptions {
        private static let pair = Result { try SharedConversation() }

        @Test(
            .enabled(
                if: Tools.canTrace && Tools.areStatic,
                "there is no strace, or the tools load libraries, for which the system reads"),
            arguments: ["flock", "pwrite64", "pread64", "read", "write", "openat", "fsync"])
        func interruptedCallsAreRepeated(call: String) throws {
            let pair = try Self.pair.get()
            let frames = pair.nextFrames(12)
            for (turn, direction) in (1...3).flatMap({ [($0, 0), ($0, 1)] }) {
                let frame = frames[2 * turn - 2 + direction]
                let sent = try traced(
                    call, turn, ["-c", pair.directions[direction].reader],
                    as: pair.directions[direction].sender, frame)
                try pair.post(direction, lines(of: sent.output), [frame])
                let ciphertext = try #require(pair.directions[direction].inbox.last).ciphertext
                _ = try traced(
                    call, turn, ["-d", "-c", pair.directions[direction].sender],
                    as: pair.directions[direction].reader,
                    ciphertext)
                pair.lose(direction, keeping: 0)
            }
            try pair.exchangeMessages()
        }

        private func traced(
            _ call: String, _ turn: Int, _ words: [String], as person: String, _ line: String
        ) throws -> ToolResult {
            let sandbox = try Self.pair.get().sandbox
            let run = try ToolRun(
                [
                    "/usr/bin/strace", "-f", "-qq", "-o", sandbox.path("desk/trace"), "-e",
                    "inject=\(call):error=EINTR:when=\(turn)", Tools.path("smsenc-pad"),
                ] + words, in: sandbox.path("desk"), environment: sandbox.environment(of: person))
            run.write(Array((line + "\n").utf8))
            let result = run.finish()
            #expect(result.status == 0, "\(call) \(turn): \(result.errorText)")
            #expect(result.errorText == "")
            #expect(lines(of: result.output).count == 1)
            return result
        }
    }
}
