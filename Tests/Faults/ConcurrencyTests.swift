import Foundation
import Support
import TestPeople
import Testing

/// Eight processes use the same keyring at the same time, for the same contacts and for different
/// contacts. No message key may encrypt twice, and every message must be readable.
@Suite("Concurrency", .measured) struct ConcurrencyTests {
    private static let contacts = ["bela", "carol", "dora"]
    /// Number of messages that each process encrypts, and number of messages that each contact has sent.
    private static let count = 600

    @Test func eightProcessesNeverUseAKeyTwiceAndReadEverything() throws {
        let (sandbox, frames) = try prepare()
        let traces = try Self.contacts.map { try KeyTrace.pair(of: "amina", with: $0, in: sandbox) }
        // Two processes decrypt Bela's messages alternately.
        let sent = try Self.contacts.map { name in
            try encrypt(frames, "amina", as: name, sandbox)
        }
        for (trace, sent) in zip(traces, sent) {
            for ciphertext in sent {
                guard let found = try trace.receiving.place(ciphertext) else { continue }
                trace.sending.offer(found.nextKey)
            }
        }
        let odd = sent[0].enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        let even = sent[0].enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        let mixed = zip(sent[1], sent[2]).flatMap { ["carol\t" + $0, "dora\t" + $1] }
        let table = frames.indices.map { Self.contacts[$0 % 3] + "\t" + frames[$0] }
        let jobs: [(arguments: [String], input: [String])] = [
            (["-dc", "bela"], odd), (["-dc", "bela"], even), (["-d"], mixed),
            (["-c", "bela"], frames), (["-c", "bela"], frames), (["-c", "carol"], frames),
            ([], table), ([], table.reversed()),
        ]
        let outputs = try run(jobs, sandbox)

        #expect(outputs[0] == frames.indices.filter { $0 % 2 == 1 }.map { frames[$0] })
        #expect(outputs[1] == frames.indices.filter { $0 % 2 == 0 }.map { frames[$0] })
        #expect(outputs[2] == frames.flatMap { ["carol\t\($0)", "dora\t\($0)"] })
        for (index, name) in Self.contacts.enumerated() {
            var read: [(mark: KeyTrace.Mark, ciphertext: String, frame: String)] = []
            for job in 3..<jobs.count {
                read += try follow(outputs[job], jobs[job], name, traces[index].sending)
            }
            let thirds = [8, 5, 2][index]
            #expect(read.count == Self.count / 3 * thirds)
            // Messages arrive in the order in which they were encrypted.
            read.sort { $0.mark < $1.mark }
            let frames = try decrypt(read.map(\.ciphertext), "amina", as: name, sandbox)
            #expect(frames == read.map(\.frame))
        }
    }

    private static let canMount: Bool = {
        guard let sandbox = try? Sandbox() else { return false }
        let script = "mount --bind /dev/null /proc/$$/stat"
        return (try? sandbox.startInOwnNamespace(script, as: "amina"))?.finish().status == 0
    }()

    /// A process decrypts messages and waits for its reader. If /proc hides its start time, as with hidepid,
    /// it counts as alive until it has ended.
    @Test(.enabled(if: canMount, "mounting is not permitted here"))
    func messagesOfAHiddenProcessCannotBeDecryptedAgain() throws {
        let (sandbox, frames) = try prepare()
        let sms = try encrypt(frames, "amina", as: "bela", sandbox)
        try sandbox.write(text(sms), to: "desk/sms")
        let script = """
            mkfifo out; smsenc-pad -d -c bela sms >out & exec 4<out; head -c 1 <&4 >first
            mount --bind /dev/null /proc/$!/stat
            head -n 1 sms | smsenc-pad -d -c bela; echo $?
            kill -9 $!; wait; head -n 1 sms | smsenc-pad -d -c bela
            """
        let result = try sandbox.startInOwnNamespace(script, as: "amina").finish()
        #expect(lines(of: result.output) == ["1", frames[0]], "\(result.errorText)")
    }

    /// Creates Amina's keyring with all contacts, all of them synchronised, and frames of messages.
    private func prepare() throws -> (Sandbox, [String]) {
        let sandbox = try Sandbox(people: ["amina"] + Self.contacts)
        return (sandbox, lines(of: try sandbox.frames((0..<Self.count).map { "Message \($0)" })))
    }

    /// Starts all processes and returns their output. No process may report a bad record.
    private func run(
        _ jobs: [(arguments: [String], input: [String])], _ sandbox: Sandbox
    ) throws -> [[String]] {
        var runs: [ToolRun] = []
        for (index, job) in jobs.enumerated() {
            try sandbox.write(text(job.input), to: "desk/in.\(index)")
            runs.append(
                try sandbox.start(
                    "smsenc-pad", job.arguments + ["in.\(index)"], as: "amina",
                    into: sandbox.path("desk/out.\(index)")))
        }
        return try runs.enumerated().map { index, run in
            let result = run.finish()
            #expect(result.status == 0, "\(jobs[index].arguments): \(result.errorText)")
            return lines(of: try sandbox.contents(sandbox.path("desk/out.\(index)")))
        }
    }

    /// Checks the ciphertexts that one process encrypted for one contact against the chain of keys.
    private func follow(
        _ output: [String], _ job: (arguments: [String], input: [String]), _ name: String,
        _ trace: KeyTrace
    ) throws -> [(mark: KeyTrace.Mark, ciphertext: String, frame: String)] {
        let isTable = job.arguments.isEmpty
        guard isTable || job.arguments[1] == name else { return [] }
        let prefix = isTable ? name + "\t" : ""
        func own(_ lines: [String]) -> [String] {
            lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }
        var last = KeyTrace.Mark()
        var followed: [(KeyTrace.Mark, String, String)] = []
        #expect(output.count == job.input.count)
        for (ciphertext, frame) in zip(own(output), own(job.input)) {
            guard let found = try trace.place(ciphertext, after: last) else { continue }
            #expect(found.frame == frame)
            followed.append((found.mark, ciphertext, frame))
            last = found.mark
        }
        return followed
    }

    private func encrypt(
        _ frames: [String], _ contact: String, as person: String, _ sandbox: Sandbox
    ) throws -> [String] {
        let result = try sandbox.run(
            "smsenc-pad", ["-c", contact], as: person, input: text(frames))
        #expect(result.status == 0, "\(result.errorText)")
        return lines(of: result.output)
    }

    private func decrypt(
        _ ciphertexts: [String], _ contact: String, as person: String, _ sandbox: Sandbox
    ) throws -> [String] {
        let result = try sandbox.run(
            "smsenc-pad", ["-dc", contact], as: person, input: text(ciphertexts))
        #expect(result.status == 0, "\(result.errorText)")
        return lines(of: result.output)
    }
}
