import Foundation
import Support
import Testing

/// Checks that no input at a prompt causes a tool to be killed by a signal.
///
/// The test types random keys at every prompt of a command. Most of them are keys with a special meaning
/// at a terminal. A command that has not ended after that is interrupted with ^C. `SMSENC_PROMPTS=n` sets
/// the number of seeds.
@Suite("Prompts", .measured)
struct PromptTests {
    private static let commands = [
        "smsenc-keyring -k new init --user Amina",
        "smsenc-keyring --password-file none passwd",
        "unset SMSENC_SESSION; smsenc-keyring add Dumi",
        "smsenc-keyring sync Bela",
        "smsenc-keyring accept Bela",
        "smsenc-keyring accept Chipo <answer",
        "smsenc-keyring verify Chipo 12345",
        "smsenc-keyring -k copy destroy",
        "smsenc-keyring file-key",
        "smsenc-keyring -i other add Dumi --number 0821234567",
        "smsenc-keyring -k restored import <backup",
    ]

    /// Script that creates a keyring with a session, a contact that is waiting, and a contact that is
    /// synchronised.
    private static let preparation = """
        set -e; umask 077; echo 'Correct horse!' >password; : >none; export SMSENC_PASSWORD_FILE=password
        export SMSENC_KEYRING=them
        smsenc-keyring init --user Them
        smsenc-keyring unlock >session; . ./session
        printf 'Amina\\t\\n' | smsenc-keyring add -
        smsenc-keyring offer Amina >offer; smsenc-keyring offer Amina --new >answer
        export SMSENC_KEYRING=keyring
        smsenc-keyring init --user Amina --country 27 --lockout 1000/1
        smsenc-keyring unlock --for 1d >session; . ./session
        smsenc-keyring export >backup
        smsenc-keyring add Bela --number 0821234567; smsenc-keyring add Chipo
        smsenc-keyring identity add other --kind partial
        smsenc-keyring accept Chipo <offer
        """

    /// Home folder with this keyring. It is prepared only once, because scrypt is slow.
    private static let prepared = Result {
        let (folder, environment) = try makeHome(tools: Tools.folder)
        try run("{ \(preparation)\n} >log 2>&1", environment, folder)
        return folder
    }

    /// Returns a copy of the home folder with an adopted keyring.
    private static func copy() throws -> (folder: URL, environment: [String: String]) {
        var (folder, environment) = try makeHome(tools: Tools.folder)
        environment["SMSENC_KEYRING"] = "keyring"
        environment["PREPARED"] = try prepared.get().path
        try run(
            #"cp -R "$PREPARED"/* .. && . ./session && smsenc-keyring adopt --moved --complete"#,
            environment,
            folder)
        return (folder, environment)
    }

    private static func run(
        _ script: String, _ environment: [String: String], _ folder: URL
    ) throws {
        let process = try spawn(
            ["/bin/sh", "-c", script], environment: environment, in: folder.path + "/desk",
            descriptors: [])
        try #require(exitStatus(of: process) == 0)
    }

    private static let seeds =
        Int(ProcessInfo.processInfo.environment["SMSENC_PROMPTS"] ?? "") ?? 4

    /// Keys with a special meaning at a terminal, and answers that the tools expect.
    private static let pieces: [[UInt8]] = [
        [0x0D], [0x0D], [0x0A], [0x04], [0x15], [0x15, 0x0D], [0x08], [0x7F], [0x7F, 0x7F, 0x0D],
        [0x1A], [0x16], [0x00], [0x1B, 0x5B, 0x41], [0xC3], [0xC3, 0x0D], [0xF0, 0x9F, 0x98, 0x0D],
        [0xFF, 0xFE], [0x0D, 0x0D, 0x0D],
        Array("yes\r".utf8), Array("smsenc1-\r".utf8), Array("00000-00000\r".utf8),
        Array("AAAAA\r".utf8), Array("0123456789\r".utf8), Array("é😀\r".utf8),
        Array("Correct horse!\r".utf8), [UInt8](repeating: 0x41, count: 2000), Array(" \r".utf8),
    ]

    @Test(arguments: commands)
    func randomKeysAtPromptsTerminateNoToolWithASignal(_ command: String) async throws {
        let (folder, environment) = try Self.copy()
        defer { try? FileManager.default.removeItem(at: folder) }
        let statuses = try await onBlockingThread {
            try (0..<Self.seeds).map { seed in
                var random = Generator(seed: UInt64(seed))
                return try Self.status(
                    typingAt: command, &random, environment, folder.path + "/desk")
            }
        }
        for (seed, status) in statuses.enumerated() {
            // The keys ^C and ^\ really send signals.
            #expect(
                [130, 131].contains(status) || (0..<128).contains(status ?? -1),
                "\(command): \(status.map(String.init) ?? "hangs"), seed \(seed)")
        }
    }

    /// Backspace deletes a whole character, ^U the line, and ^D is ignored if the line is not empty.
    @Test(arguments: [
        "Correcé\u{7F}t horse!", "Correcé\u{8}t horse!", "wrong\u{15}Correct horse!",
        "Corr\u{4}ect horse!",
    ])
    func keysThatEditAPasswordAreUnderstood(_ keys: String) async throws {
        let (folder, environment) = try Self.copy()
        defer { try? FileManager.default.removeItem(at: folder) }
        let status = try await onBlockingThread {
            let terminal = try PseudoTerminal()
            let script = """
                (. ./session; smsenc-keyring set lockout 1/1) || exit
                exec <>\(quoted(terminal.path)) >&0 2>&0 timeout --foreground 120 smsenc-keyring check
                """
            let process = try spawn(
                ["/bin/sh", "-c", script], environment: environment, in: folder.path + "/desk",
                descriptors: [])
            var shown: [UInt8] = []
            let deadline = ContinuousClock.now + .seconds(120)
            while !String(decoding: shown, as: UTF8.self).contains("password of"),
                waitForInput(terminal.screen.number, -1, until: deadline).first,
                terminal.screen.read(into: &shown)
            {}
            Self.type(Array((keys + "\r").utf8), at: terminal.screen)
            return exitStatus(of: process)
        }
        #expect(status == 0)
    }

    /// Types random keys and returns the exit status, or nil if the command does not end.
    private static func status(
        typingAt command: String, _ random: inout Generator, _ environment: [String: String],
        _ folder: String
    ) throws -> Int32? {
        let terminal = try PseudoTerminal()
        let script = """
            exec <>\(quoted(terminal.path)) >&0 2>&0; trap : INT QUIT HUP
            . ./session; \(command)
            printf '\\nended with %s.\\n' $?
            """
        let process = try spawn(
            ["/bin/sh", "-c", script], environment: environment, in: folder, descriptors: [])
        defer {
            kill(process, SIGKILL)
            _ = exitStatus(of: process)
        }
        var shown: [UInt8] = []
        var left = 1 + random.number(below: 8)
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            // If no new output appears, continue typing.
            let pause = ContinuousClock.now + .milliseconds(200)
            while waitForInput(terminal.screen.number, -1, until: pause).first {
                guard terminal.screen.read(into: &shown) else { break }
            }
            let text = String(decoding: shown, as: UTF8.self)
            if let match = text.firstMatch(of: #/ended with ([0-9]+)\./#) { return Int32(match.1) }
            let keys =
                random.once(in: 4)
                ? random.bytes(1 + random.number(below: 40)) : random.pick(pieces)
            // Type ^Q first, because ^S may have stopped the output, and then ^C.
            type(left > 0 ? keys : [0x11, 0x03], at: terminal.screen)
            left -= 1
        }
        return nil
    }

    private static func type(_ keys: [UInt8], at screen: borrowing Descriptor) {
        _ = unsafe keys.withUnsafeBytes { unsafe write(screen.number, $0.baseAddress, $0.count) }
    }
}
