import Foundation
import Support
import TestPeople
import Testing

/// A keyring that has two names has two write-ahead logs. Regardless of what is done under both names, no
/// message key may encrypt twice, and no received message may be lost.
@Suite("Two names", .measured) struct TwoNamesTests {
    private static func pair() throws -> Sandbox {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        return sandbox
    }

    /// A keyring with a second hard link is refused under both names, until one of the names is removed.
    @Test func aKeyringWithASecondLinkIsRefused() throws {
        let sandbox = try Self.pair()
        let sms = try sandbox.encrypt(["One"], from: "bela", to: "amina")
        let frame = try sandbox.frames(["Two"])
        let names = [sandbox.keyring(of: "amina"), sandbox.path("home/second")]
        try FileManager.default.linkItem(atPath: names[0], toPath: names[1])
        let jobs: [(tool: String, arguments: [String], input: [UInt8])] = [
            ("smsenc-pad", ["-c", "bela"], frame), ("smsenc-pad", ["-d", "-c", "bela"], sms),
            ("smsenc-keyring", ["list"], []), ("smsenc-keyring", ["check"], []),
            ("smsenc-keyring", ["export"], []), ("smsenc-keyring", ["status"], []),
            ("smsenc-keyring", ["add", "chidi"], []),
        ]
        for name in names {
            for job in jobs {
                let result = try sandbox.run(
                    job.tool, ["-k", name] + job.arguments, as: "amina", input: job.input)
                #expect(result.status == 77, "\(job)")
                #expect(result.output.isEmpty && lines(of: result.errors).count == 1)
                #expect(result.errorText.contains(";"), "\(result.errorText)")
            }
        }
        try FileManager.default.removeItem(atPath: names[1])
        for job in jobs {
            let result = try sandbox.run(job.tool, job.arguments, as: "amina", input: job.input)
            #expect(result.status == 0, "\(result.errorText)")
        }
    }

    /// If the creation of a keyring is interrupted at any point, the keyring has one name or no name.
    @Test(.enabled(if: Tools.canTrace, "there is no strace"), arguments: [false, true])
    func interruptedCreationLeavesOneNameOrNone(isImport: Bool) throws {
        let sandbox = try Self.pair()
        let backup = try sandbox.run("smsenc-keyring", ["export"], as: "amina").output
        let command = isImport ? ["import"] : ["init", "--user", "Dora"]
        for turn in 1...20 {
            let path = sandbox.path("home/made\(turn)")
            let run = try ToolRun(
                [
                    "/usr/bin/strace", "-o", "/dev/null", "-e",
                    "inject=?link,linkat,?rename,?renameat,renameat2,?unlink,unlinkat:signal=KILL:when=\(turn)",
                    Tools.path("smsenc-keyring"), "-k", path, "--password-file",
                    sandbox.path("password"),
                ] + command, in: sandbox.path("desk"), environment: sandbox.environment())
            run.write(isImport ? backup : [])
            let result = run.finish()
            var facts = stat()
            if unsafe stat(path, &facts) == 0 { #expect(facts.st_nlink == 1, "\(turn)") }
            if result.status == 0 { return }
            #expect(result.status == 128 + SIGKILL, "\(result.errorText)")
        }
        Issue.record("it is never done")
    }

    /// Runs a script in which `second` is a second mount of Amina's keyring.
    private static func shell(_ script: String, _ sandbox: Sandbox) throws -> ToolResult {
        let mount = """
            mkdir -m 700 other && : >other/keyring && chmod 600 other/keyring || exit 99
            mount --bind "$SMSENC_KEYRING" other/keyring || exit 99

            """
        return try sandbox.startInOwnNamespace(mount + script, as: "amina").finish()
    }

    private static let canMount: Bool = {
        guard let sandbox = try? Sandbox() else { return false }
        let script = #"[ "$SMSENC_KEYRING" -ef other/keyring ]"#
        try? sandbox.write([], to: "home/amina")
        return (try? shell(script, sandbox))?.status == 0
    }()

    /// A process holds the keyring open until its input ends.
    @Test(.enabled(if: canMount, "mounting is not permitted here"))
    func aKeyringThatIsOpenCannotBeOpenedUnderAnotherName() throws {
        let sandbox = try Self.pair()
        try sandbox.write(try sandbox.frames(["Hello"]), to: "desk/frame")
        let script = """
            mkfifo in out; smsenc-pad -c bela <in >out & exec 3>in 4<out
            cat frame >&3; head -n 1 <&4 >sent
            smsenc-keyring -k other/keyring list; echo $?; smsenc-keyring list >list; echo $?
            exec 3>&-; wait; smsenc-keyring -k other/keyring list | cut -f 1
            """
        let result = try Self.shell(script, sandbox)
        #expect(result.outputText == "77\n0\nbela\n", "\(result.errorText)")
        #expect(result.errorText.contains("under another name"), "\(result.errorText)")
    }

    /// Uses the keyring under both names at the same time, 60 times or SMSENC_KILLS times. In each round,
    /// the same frame is encrypted under both names, and messages are decrypted under one of the names. A
    /// process that comes too late is refused, and tries again in a later round. A container into which
    /// the keyring is mounted stores its notes in a separate folder.
    @Test(
        .enabled(if: canMount, "mounting is not permitted here"), arguments: ["home/state", "run"])
    func simultaneousUseUnderTwoNamesReusesNoKey(state: String) throws {
        let sandbox = try Self.pair()
        let rounds =
            ProcessInfo.processInfo.environment["SMSENC_KILLS"].flatMap { Int($0) } ?? 60
        let messages = (0..<60).map { "Message \($0)" }
        try sandbox.write(try sandbox.encrypt(messages, from: "bela", to: "amina"), to: "desk/sms")
        try sandbox.write(try sandbox.frames(["Hello"]), to: "desk/frame")
        let script = """
            first=$SMSENC_KEYRING second=$PWD/other/keyring
            pad() {
                case $1 in
                */other/*) XDG_STATE_HOME=\(sandbox.path(state)) ;;
                *) XDG_STATE_HOME=\(sandbox.path("home/state")) ;;
                esac
                SMSENC_KEYRING=$1; shift
                smsenc-pad "$@" 2>>said; echo $? >>ends
            }
            encrypt() { (pad "$1" -c bela frame); }
            decrypt() {
                sed -n "$(($(wc -l <read) + 1))p" sms >next
                (pad "$1" -d -c bela next) >>read
            }
            : >read
            for round in $(seq \(rounds)); do
                encrypt "$first" >sent.first & encrypt "$second" >sent.second &
                [ $(wc -l <read) = 60 ] || decrypt "$second"
                wait; cat sent.first sent.second >>sent
                keep=$first first=$second second=$keep
            done
            for round in $(seq 60); do
                for key in "$first" "$second"; do [ $(wc -l <read) = 60 ] || decrypt "$key"; done
            done
            smsenc-keyring -k "$first" check >checked || smsenc-keyring -k "$second" check >checked
            echo "check $?"
            """
        let result = try Self.shell(script, sandbox)
        #expect(result.outputText == "check 0\n", "\(result.errorText)")
        func contents(_ name: String) throws -> [String] {
            lines(of: try sandbox.contents(sandbox.path("desk/" + name)))
        }
        let ends = Dictionary(grouping: try contents("ends")) { $0 }.mapValues(\.count)
        let said = Set(try contents("said"))
        #expect(Set(ends.keys).isSubset(of: ["0", "75", "77"]), "\(ends) \(said)")
        #expect(try contents("read") == lines(of: try sandbox.frames(messages)), "\(ends)")
        let sent = try contents("sent")
        #expect(Set(sent).count == sent.count, "a key was used twice")
        #expect(sent.count >= rounds / 4, "\(ends) \(said)")
        let read = try sandbox.run(
            "smsenc-pad", ["-d", "-c", "amina"], as: "bela", input: text(sent))
        #expect(read.status == 0 && lines(of: read.output).count == sent.count, "\(read.errorText)")
    }
}
