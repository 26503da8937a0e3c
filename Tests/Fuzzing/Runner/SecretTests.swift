import Foundation
import GSM7
import Crypto
import Protocol
import Support
import TestPeople
import System
import Testing

@testable import Keyring

/// Checks that secrets are not visible to others, and are erased from memory after use.
///
/// A password is no longer needed when the keyring is open. A message and its key are no longer needed
/// when the message has been written and the tool waits for more input. The tests search all memory to
/// which the process can write, including stacks, spilled registers and freed memory.
@Suite(.measured, .serialized) struct SecretTests {
    /// True if this process has CAP_SYS_PTRACE (capabilities(7)). Root has it, except in some containers.
    private static let isPossible: Bool = {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let held = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return held >> 19 & 1 == 1
    }()
    private static let why: Comment = "only root on Linux sees the memory of a tool"

    private static let message = "Bring the blue map to the old mill"

    @Test(.enabled(if: isPossible, why)) func passwordsAreErasedFromMemory() throws {
        let sandbox = try Self.prepared.get()
        let arguments = ["-c", "bela", "--password-file", sandbox.path("password")]
        let running = try sandbox.start("smsenc-pad", arguments, as: "amina", usesSession: false)
        let memory = try memory(of: running, after: try sandbox.frames(["Hello"]))
        let places = memory.places(of: Array(TestKeyrings.password.utf8))
        #expect(places.isEmpty, "\(places)")
    }

    /// When the tool asks for a new password, the old password has already been erased.
    @Test(.enabled(if: isPossible, why)) func theOldPasswordIsErasedFromMemory() throws {
        let sandbox = try Self.prepared.get()
        let running = try sandbox.start(
            "smsenc-keyring",
            [
                "passwd", "--password-file", sandbox.path("password"), "--new-password-file",
                "/dev/stdin",
            ], as: "amina")
        let places = try Memory(of: running.process).places(of: Array(TestKeyrings.password.utf8))
        #expect(places.isEmpty, "\(places)")
        #expect(running.finish().status == 77)
    }

    /// After encrypting, neither the frame (as bytes and as symbols) nor the message key may be in memory.
    @Test(.enabled(if: isPossible, why)) func sentMessagesAreErasedFromMemory() throws {
        let sandbox = try Self.prepared.get()
        let frame = try sandbox.frames([Self.message])
        let running = try sandbox.start("smsenc-pad", ["-c", "bela"], as: "amina")
        try expectNothing(of: frame, in: try memory(of: running, after: frame))
    }

    @Test(.enabled(if: isPossible, why)) func readMessagesAreErasedFromMemory() throws {
        let (sandbox, ciphertext) = try prepare()
        let running = try sandbox.start("smsenc-pad", ["-dc", "amina"], as: "bela")
        let memory = try memory(of: running, after: ciphertext)
        try expectNothing(of: running.gathered.output, in: memory)
    }

    @Test(
        .enabled(if: isPossible, why),
        arguments: [("gsm7-check", []), ("smsenc-frame", []), ("smsenc-frame", ["-d"])])
    func otherFiltersErasePlaintext(tool: String, arguments: [String]) throws {
        let sandbox = try Sandbox()
        let isUnpacking = arguments == ["-d"]
        let frame = try sandbox.frames([Self.message])
        let input = isUnpacking ? frame : Array((Self.message + "\n").utf8)
        let memory = try memory(of: sandbox.start(tool, arguments), after: input)
        try expectNothing(of: frame, in: memory)
    }

    /// These texts are not processed directly in the input buffer, because they are not in NFC, or are
    /// transliterated, compressed or split.
    @Test(
        .enabled(if: isPossible, why),
        arguments: [
            ("gsm7-check", ["-t"], message + "…"), ("gsm7-check", ["-ct"], message + "…"),
            ("gsm7-check", [], message + " e\u{301}"), ("smsenc-frame", [], message + " e\u{301}"),
            ("smsenc-frame", [], message + "€"), ("smsenc-frame", [], message + " 😀"),
            ("smsenc-frame", ["-s"], String(repeating: message + " 😀", count: 9)),
            ("smsenc-frame", ["-s"], String(repeating: message + " ", count: 9)),
            ("smsenc-frame", ["-t"], message + "\u{92}"),
        ])
    func plaintextOnTheSlowPath(tool: String, arguments: [String], text: String) throws {
        let sandbox = try Sandbox()
        let input = Array((text + "\n").utf8)
        try expectNoWords(in: try memory(of: sandbox.start(tool, arguments), after: input))
    }

    @Test(.enabled(if: isPossible, why), arguments: [" 😀", "€"])
    func decodedPlaintextIsErased(end: String) throws {
        let sandbox = try Sandbox()
        let frame = try sandbox.frames([Self.message + end])
        try expectNoWords(in: try memory(of: sandbox.start("smsenc-frame", ["-d"]), after: frame))
    }

    /// Tests parts that were reassembled, and a part that arrived twice.
    @Test(.enabled(if: isPossible, why)) func reassembledPlaintextIsErased() throws {
        let sandbox = try Sandbox()
        let text = String(repeating: Self.message + " 😀", count: 30) + "\n"
        let frames = try sandbox.run("smsenc-frame", ["-s"], input: Array(text.utf8)).output
        let lines = frames.split(separator: 10).map { Array($0) + [10] }
        try #require(lines.count > 2)
        let input = Array(([lines[1], lines[1]] + lines.filter { $0 != lines[1] }).joined())
        try expectNoWords(in: try memory(of: sandbox.start("smsenc-frame", ["-dj"]), after: input))
    }

    /// Searches for the message as bytes and as symbols. The first letters of the message may have been
    /// overwritten.
    private func expectNoWords(in memory: Memory) throws {
        let symbols = Self.message.unicodeScalars.compactMap { Alphabet.symbol(of: $0) }
        for (name, secret) in [("bytes", Array(Self.message.utf8)), ("symbols", symbols)] {
            let places = memory.places(of: Array(secret[6..<22]))
            #expect(places.isEmpty, "\(name): \(places)")
        }
    }

    /// Searches for the keys of a sent message: both message keys, unchanged and as HMAC key blocks, and
    /// the chain key before them. The test computes them from the keyring in its state before the message
    /// was sent.
    @Test(.enabled(if: isPossible, why)) func usedMessageKeysAreErased() throws {
        let (sandbox, ciphertext) = try prepare()
        for (person, arguments, input) in [
            ("amina", ["-c", "bela"], try sandbox.frames(["Hello"])),
            ("bela", ["-dc", "amina"], ciphertext),
        ] {
            let keys = try keys(of: person, in: sandbox)
            let running = try sandbox.start("smsenc-pad", arguments, as: person)
            let memory = try memory(of: running, after: input)
            for (name, key) in keys {
                let places = memory.places(of: key)
                #expect(places.isEmpty, "\(person): \(name) \(places)")
            }
        }
    }

    /// Shows that the search works, because it finds the command line and a waiting record.
    @Test(.enabled(if: isPossible, why)) func theSearchFindsTextThatIsInMemory() throws {
        let sandbox = try Sandbox()
        let running = try sandbox.start("gsm7-check", ["--rejects", "a-name-to-be-found"])
        running.write(Array("one\nhalf of a record that waits".utf8))
        try #require(running.wait { $0.gathered.output.contains(10) })
        let memory = try Memory(of: running.process)
        #expect(!memory.places(of: Array("half of a record that waits".utf8)).isEmpty)
        #expect(!memory.places(of: Array("a-name-to-be-found".utf8)).isEmpty)
        _ = running.finish()
    }

    /// No core is dumped, and other users cannot read the memory of the process, because its files in
    /// /proc belong to root.
    @Test(arguments: Tools.filters) func otherUsersCannotReadTheMemory(tool: String) throws {
        let sandbox = try Self.prepared.get()
        let isPad = tool == "smsenc-pad"
        let running = try sandbox.start(
            tool, isPad ? ["-c", "bela"] : [], as: isPad ? "amina" : nil)
        running.write(isPad ? try sandbox.frames(["Hello"]) : Array("Hello\n".utf8))
        try #require(running.wait { $0.gathered.output.contains(10) })
        var facts = stat()
        #expect(unsafe stat("/proc/\(running.process)/mem", &facts) == 0)
        // The files of a process that is not dumpable belong to root (proc(5)).
        #expect(facts.st_uid == 0 && facts.st_mode & 0o077 == 0)
        let limits = try String(
            contentsOfFile: "/proc/\(running.process)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        let words = core?.split(separator: " ").dropFirst(4).prefix(2)
        #expect(words.map(Array.init) == ["0", "0"])
        kill(running.process, SIGABRT)
        #expect(running.finish().status == 128 + SIGABRT)
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("desk"))
        #expect(!left.contains { $0.hasPrefix("core") })
    }

    /// Error messages must not contain a secret.
    @Test func errorMessagesContainNoSecret() throws {
        let sandbox = try Self.prepared.get()
        let secret = "Another=Secret+0815"
        try sandbox.write(Array((secret + "\n").utf8), to: "wrong")
        try sandbox.write(Array("short=S".utf8) + [0xFF] + Array("ecret\n".utf8), to: "bad")
        let frame = try sandbox.frames([Self.message])
        for (person, tool, arguments, input) in [
            ("amina", "smsenc-keyring", ["passwd", "--password-file", sandbox.path("wrong")], []),
            ("amina", "smsenc-keyring", ["unlock", "--password-file", sandbox.path("bad")], []),
            (
                "amina", "smsenc-keyring",
                ["-k", "x", "init", "--user", "c", "--password-file", sandbox.path("bad")], []
            ),
            ("amina", "smsenc-keyring", ["sync", "bela"], Array("7Q2MX-0Z9RK\n".utf8)),
            ("amina", "smsenc-pad", ["-c", "bela"], Array(frame.dropLast(12)) + [10]),
            ("amina", "smsenc-pad", ["-dc", "bela"], frame),
            ("bela", "smsenc-pad", [], frame),
        ] {
            let result = try sandbox.run(tool, arguments, as: person, input: input)
            #expect(result.status != 0)
            for word in [secret, "ecret", "7Q2MX", "0Z9RK", "blue map"] {
                #expect(!result.errorText.contains(word), "\(result.errorText)")
            }
        }
    }

    /// Two people, who are created only once. The tests run one after the other.
    private static let prepared = Result {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        sandbox.removeAtExit()
        return sandbox
    }

    /// Returns the two people, and a message from the first person that the second person has not read.
    private func prepare() throws -> (Sandbox, ciphertext: [UInt8]) {
        let sandbox = try Self.prepared.get()
        return (sandbox, try sandbox.encrypt([Self.message], from: "amina", to: "bela"))
    }

    /// Returns the memory of a tool that has processed its input and waits for more input.
    private func memory(of running: ToolRun, after input: [UInt8]) throws -> Memory {
        running.write(input)
        try #require(running.wait { $0.gathered.output.contains(10) })
        let memory = try Memory(of: running.process)
        #expect(running.finish().status == 0)
        return memory
    }

    private func expectNothing(of frame: [UInt8], in memory: Memory) throws {
        let symbols = String(decoding: frame, as: UTF8.self).unicodeScalars
            .compactMap { Alphabet.symbol(of: $0) }
        // Every frame contains the failsafe and blanks, so finding these proves nothing.
        for (name, secret) in [("bytes", frame[6..<40]), ("symbols", symbols[6..<40])] {
            let places = memory.places(of: Array(secret))
            #expect(places.isEmpty, "\(name): \(places)")
        }
    }

    /// Reads the keys of a person's next message from the keyring.
    private func keys(of person: String, in sandbox: Sandbox) throws -> [(String, [UInt8])] {
        let chain = try sandbox.withKeyring(of: person) { keyring in
            let contact = try keyring.contact(named: person == "amina" ? "bela" : "amina")
            let state = try keyring.state(of: contact)
            guard var conversation = state.conversation.take() else { return [UInt8]() }
            var cipher = Cipher()
            conversation.mixPendingNextKey(&cipher)
            return person == "amina"
                ? chainKey(of: conversation.sending.chain)
                : chainKey(of: conversation.receiving.chain)
        }
        try #require(chain.count == 32)
        let start = SecretBytes(copying: chain.span)
        let (mac, stream) = (derived(start, "\u{02}"), derived(start, "\u{03}"))
        let keys = [("chain key", chain), ("k_mac", mac), ("k_enc", stream)]
        return keys.flatMap { (name, key) -> [(String, [UInt8])] in
            let (inner, outer) = (key.map { $0 ^ 0x36 }, key.map { $0 ^ 0x5C })
            return [(name, key), ("\(name), inner block", inner), ("\(name), outer block", outer)]
        }
    }

    private func derived(_ chain: borrowing SecretBytes, _ label: StaticString) -> [UInt8] {
        var mac = MAC()
        mac.setKey(chain)
        mac.update(label)
        return bytes(of: mac.finish())
    }
}
