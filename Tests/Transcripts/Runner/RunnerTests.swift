import Support
import Testing

/// Tests that the runner reports errors. A transcript that always passes would prove nothing.
@Suite("Transcript runner", .measured)
struct RunnerTests {
    @Test(arguments: [
        ("$ echo one\none", [String]()),
        ("$ echo one\ntwo", ["- two", "+ one"]),
        ("$ echo one", ["+ one"]),
        ("$ :\none", ["- one"]),
        ("$ echo one\none\ntwo", ["- two"]),
        ("$ printf 'one\\n\\n'\none", ["+ "]),
        ("$ printf one\none", ["+ one<no newline>"]),
        ("$ echo 'one '\none", ["+ one "]),
        ("$ printf 'e\\314\\201\\n'\né", ["- é"]),
        ("$ printf '\\351\\n'\n\u{FFFD}", ["+ \\xe9"]),
        ("$ false", ["exit status 1, expected 0"]),
        ("$ :\n? 1", ["exit status 0, expected 1"]),
        ("$ exit 3\n$ echo more\nmore", ["exit status 3", "not run: the shell has ended"]),
        ("$ kill -9 $$", ["exit status 137"]),
    ])
    func commandIsJudged(_ text: String, _ reasons: [String]) throws {
        try expect(text, failsFor: reasons)
    }

    @Test(arguments: [
        ("$pty stty -echo; printf 'Password: '; read -r x; echo\nPassword:\n< secret\n\\", []),
        ("$pty printf 'Password: '; read -r x; echo\nPassword:\n< secret\n\\", ["+ secret"]),
        ("$pty echo 'Name:'; read -r x\nPassword:\n< me\nme", ["stopped", "+ Name:"]),
        ("$pty printf 'Name: '; read -r x\nPassword:\n< me\nme", ["too long", "+ Name: "]),
        ("$pty printf 'Name: '\nName:\n< me\nme", ["not read"]),
        ("$pty read -r x\n\n< me\nme", []),
        ("$ sleep 1000", ["too long"]),
    ])
    func promptIsJudged(_ text: String, _ reasons: [String]) throws {
        try expect(text, failsFor: reasons)
    }

    /// A terminal is closed when its command has ended, even if other processes are being started, which
    /// have copies of its descriptors for a short time. Otherwise, the hang-up would later terminate the
    /// shell.
    @Test func closingATerminalDoesNotTerminateTheShell() async throws {
        let transcript = String(repeating: "$pty :\n$ sleep 0.002\n", count: 150)
        async let others: Void = startOthers()
        async let more: Void = startOthers()
        try await onBlockingThread { try expect(transcript, failsFor: []) }
        _ = try await (others, more)
    }

    private func startOthers() async throws {
        try await onBlockingThread {
            for _ in 0..<500 {
                let process = try spawn(["/bin/true"], environment: [:], descriptors: [])
                #expect(exitStatus(of: process) == 0)
            }
        }
    }

    @Test(arguments: [
        ("<key>", "K7QM2-0Z9XA", true), ("<key>", "K7QM2-0Z9XI", false),
        ("<key>", "K7QM2-0Z9XAB", false), ("<key>", "k7qm2-0z9xa", false),
        ("<code>", "0123456789", true), ("<code>", "01234567890", false),
        ("<code>", "012345678", false),
        ("<offer>", "smsenc1-" + String(repeating: "K", count: 56), true),
        ("<offer>", "smsenc1-" + String(repeating: "K", count: 55), false),
        ("<offer>", "smsenc1-" + String(repeating: "K", count: 57), false),
        ("<offer>", "smsenc1-" + String(repeating: "U", count: 56), false),
        ("<offer>", "SMSENC1-" + String(repeating: "K", count: 56), false),
        ("<longcode>", "01234 56789 01234 56789", true),
        ("<longcode>", "01234567890123456789", false),
        ("<longcode>", "01234 56789 01234 5678", false),
        ("<longcode>", "01234 56789 01234 567890", false),
        ("at <time>.", "at 2026-01-31T23:59:59Z.", true),
        ("<time>", "2026-01-31 23:59:59", false),
        ("<token>; x", "abcDEF-_1./; x", true), ("<token>", "short", false),
        ("<number> B", "12 B", true), ("<number> B", " B", false),
        ("<other>", "<other>", true), ("<other>", "other", false),
        ("<ciphertext>", String(repeating: "Ç", count: 160), true),
        ("<ciphertext>", String(repeating: "x", count: 159), false),
        ("<ciphertext>", String(repeating: "x", count: 161), false),
        ("<ciphertext>", String(repeating: "x", count: 159) + " ", false),
        ("<ciphertext>", "x  " + String(repeating: "x", count: 157), false),
        ("<ciphertext>", String(repeating: "ç", count: 160), false),
    ])
    func placeholderMatches(_ expected: String, _ shown: String, _ matches: Bool) {
        let end = LinePattern(expected).end(in: Array((shown + "\n").utf8)[...], isPrompt: false)
        #expect((end != nil) == matches)
    }

    @Test func alphabetIsComplete() {
        #expect(Set(Placeholder.gsm).count == 125)
    }

    @Test func outputWithoutCommandIsRefused() {
        #expect(throws: Transcript.SyntaxError.self) { try transcript("hello\n$ echo hello") }
    }

    private func transcript(_ text: String) throws -> Transcript {
        try Transcript(name: "self-test", file: "self-test", blocks: [NumberedLine.all(of: text)])
    }

    /// Checks that a transcript fails.
    ///
    /// - Parameter reasons: the expected failure messages, in order.
    private func expect(_ text: String, failsFor reasons: [String]) throws {
        let hangs = reasons.contains("too long")
        let run = try TranscriptRun(
            try transcript(text), patience: hangs ? .milliseconds(300) : .seconds(120))
        let said = run.failures.map(\.description).joined(separator: "\n")
        #expect(run.failures.isEmpty == reasons.isEmpty, "\(said)")
        for reason in reasons { #expect(said.contains(reason)) }
    }
}
