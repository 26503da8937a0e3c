import Foundation
import Support
import TestPeople
import Testing

/// Starts tools in an environment that lacks almost everything, such as free descriptors, memory or /proc.
/// The tools must either do exactly what the user asked for, or nothing.
@Suite("Arguments", .measured) struct ArgumentTests {
    /// Runs a shell script. The variable TOOLS contains the folder of the tools.
    private static func shell(_ script: String, _ sandbox: Sandbox) throws -> ToolResult {
        var environment = sandbox.environment(of: "amina", usesSession: false)
        environment["TOOLS"] = Tools.folder.path
        environment["SMSENC_PASSWORD_FILE"] = sandbox.path("password")
        environment["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
        return try ToolRun(
            ["/bin/sh", "-c", script], in: sandbox.path("desk"), environment: environment
        ).finish()
    }

    /// Inside a chroot, root may not create user namespaces.
    private static let asRoot = geteuid() == 0 ? "" : "unshare -r"

    private static let canChangeRoot: Bool = {
        guard Tools.areStatic, let sandbox = try? Sandbox() else { return false }
        let script = "cp $TOOLS/gsm7-check . && \(asRoot) chroot . /gsm7-check --help"
        return (try? shell(script, sandbox))?.status != 1
    }()

    /// Mounts a private /dev/shm. In the script, `others NAME ...` creates folders that belong to another
    /// user.
    private static let ownMemory = """
        flags=-rm; [ "$(id -u)" != 0 ] || flags=-m
        exec unshare $flags sh -c '
            mount -t tmpfs -o mode=1777 none /dev/shm || exit 99
            others() {
                for name; do
                    mkdir /dev/shm/$name && { chown nobody /dev/shm/$name || mount --bind /etc /dev/shm/$name; } 2>&- || exit 99
                done
            }
            unset XDG_RUNTIME_DIR

        """

    private static let canMount: Bool = {
        guard let sandbox = try? Sandbox() else { return false }
        return (try? shell(ownMemory + "others one'", sandbox))?.status == 0
    }()

    /// Other users have created folders with all usual names of the session folder. A random name is used
    /// in that case, and never a folder of another user.
    @Test(.enabled(if: canMount, "mounting a tmpfs is not permitted here"))
    func aSessionFolderOfAnotherUserIsNeverUsed() throws {
        let script = """
            $TOOLS/smsenc-keyring init --user Amina || exit 1
            others smsenc-0 smsenc-0-1
            line=$($TOOLS/smsenc-keyring unlock) && eval "$line"; $TOOLS/smsenc-keyring status | grep '^session.open'
            ls -A /dev/shm/smsenc-0-2 | wc -l; $TOOLS/smsenc-keyring lock; ls -A /dev/shm/smsenc-0-2
            '
            """
        let result = try Self.shell(Self.ownMemory + script, try Sandbox())
        #expect(result.outputText == "session\topen\n1\n", "\(result.errorText)")
    }

    @Test(.enabled(if: Tools.areStatic, "tools that load libraries need files for that"))
    func toolsStartWithNoFreeDescriptor() throws {
        let script = """
            ulimit -n 3
            for tool in gsm7-check smsenc-frame smsenc-pad smsenc-keyring; do
                $TOOLS/$tool --version || exit 1
            done
            """
        let result = try Self.shell(script, try Sandbox())
        #expect(result.status == 0, "\(result.errorText)")
        #expect(
            result.outputText.split(separator: "\n").map { $0.prefix { $0 != " " } }
                == Tools.names.map { $0[...] })
    }

    /// Returns a sandbox with two synchronised people, and with 400 frames and a long text in the folder
    /// desk.
    private static func furnished() throws -> (Sandbox, environment: [String: String]) {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        try sandbox.write(try sandbox.frames((0..<400).map { "Message \($0)" }), to: "desk/frames")
        try sandbox.write(
            Array(String(repeating: "Много слов ", count: 90).utf8) + [10], to: "desk/text")
        var environment = sandbox.environment(of: "amina")
        environment["TOOLS"] = Tools.folder.path
        return (sandbox, environment)
    }

    /// The tool runs with every memory limit at which it can be loaded. It must do its work, or report in
    /// one line that there is not enough memory.
    @Test(.enabled(if: Tools.areStatic, "tools that load libraries need memory for that"))
    func littleMemoryIsReportedInOneLine() throws {
        let (sandbox, environment) = try Self.furnished()
        let script = """
            try() {
                for size in $(seq 4096 1024 36864); do
                    (ulimit -c 0; ulimit -v $size; exec "$@") >out 2>said
                    echo "$1 $? $(wc -l <said) $(tail -n 1 said)"
                done
            }
            try $TOOLS/gsm7-check -t text; try $TOOLS/smsenc-frame -s text
            try $TOOLS/smsenc-frame -dj frames; try $TOOLS/smsenc-pad -c bela frames
            try $TOOLS/smsenc-keyring list
            """
        let result = try ToolRun(
            ["/bin/sh", "-c", script], in: sandbox.path("desk"), environment: environment
        ).finish()
        var scarce = 0
        var isLoaded = false
        for line in result.outputText.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            switch words[1] {
            case "74":
                isLoaded = true
                scarce += 1
                #expect(words[2] == "1" && words[3].contains("not enough memory"), "\(line)")
            case "0", "1": isLoaded = false
            default: #expect(!isLoaded, "\(line)")
            }
        }
        // Each of the five tools runs out of memory at 14 to 17 limits between being loaded and having
        // enough memory.
        #expect((5 * 14...5 * 17).contains(scarce), "\(scarce)")
    }

    @Test(.enabled(if: Tools.areStatic, "tools that load libraries need files for that"))
    func tooFewDescriptorsAreReported() throws {
        let (sandbox, environment) = try Self.furnished()
        let script = """
            for number in $(seq 3 12); do
                for tool in "smsenc-pad -c bela" "smsenc-keyring list"; do
                    (ulimit -n $number; exec $TOOLS/$tool) <frames >out 2>said
                    echo "$? $(cat said)"
                done
            done
            """
        let result = try ToolRun(
            ["/bin/sh", "-c", script], in: sandbox.path("desk"), environment: environment
        ).finish()
        let ends = result.outputText.split(separator: "\n")
        #expect(ends.suffix(2).allSatisfy { $0.hasPrefix("0 ") }, "\(ends)")
        for end in ends where !end.hasPrefix("0 ") && !end.hasPrefix("smsenc") {
            #expect(end.contains("too many open files"), "\(end)")
        }
    }

    @Test(.enabled(if: Tools.canTrace, "there is no strace"))
    func nothingIsOutputWithoutRandomness() throws {
        let (sandbox, environment) = try Self.furnished()
        let result = try ToolRun(
            [
                "/usr/bin/strace", "-o", "/dev/null", "-e",
                "inject=getrandom:error=ENOSYS:when=4+", Tools.path("smsenc-keyring"), "add",
                "chidi",
            ], in: sandbox.path("desk"), environment: environment
        ).finish()
        #expect(result.status == 74 && result.output.isEmpty)
        let text =
            "the system provides no random numbers; check whether a sandbox blocks getrandom(2)"
        #expect(result.errorText == "smsenc-keyring: \(text)\n")
    }

    /// If any of the files opened at the start cannot be opened, no tool continues without its arguments.
    @Test(
        .enabled(
            if: Tools.canTrace && Tools.areStatic,
            "there is no strace, or the tools load libraries"))
    func noToolContinuesWithoutItsArguments() throws {
        let script = """
            for turn in 1 2 3 4; do
                printf 'hello\\n' | strace -o trace \\
                    -e inject=openat:error=ENFILE:when=$turn $TOOLS/gsm7-check -c
                echo "status $?"
            done
            """
        let result = try Self.shell(script, try Sandbox())
        let turn = "5\t5\t1\nstatus 0\n"
        #expect(result.outputText == turn + turn + turn + turn, "\(result.errorText)")
    }

    /// A chroot that contains the tools and a home folder, but no /proc.
    @Test(.enabled(if: canChangeRoot, "the tools load libraries, or chroot is not permitted here"))
    func toolsWorkWithoutProc() throws {
        let script = """
            mkdir -p root/home root/run && cp $TOOLS/* ../password root || exit 1
            at() {
                keyring=/home/$1 tool=/$2; shift 2
                \(Self.asRoot) env -i HOME=/home XDG_RUNTIME_DIR=/run SMSENC_PASSWORD_FILE=/password \\
                    SMSENC_KEYRING=$keyring ${session:+SMSENC_SESSION=$session} \\
                    /usr/sbin/chroot root $tool "$@"
            }
            for person in amina bela; do
                at $person smsenc-keyring init --user $person || exit 1
                line=$(at $person smsenc-keyring unlock --for 1h) || exit 1
                session=${line#SMSENC_SESSION=}; session=${session%%;*}
                eval "$person=$session"
            done
            session=$amina; ours=$(at amina smsenc-keyring add bela) || exit 1
            session=$bela; theirs=$(at bela smsenc-keyring add amina) || exit 1
            echo "$ours" | at bela smsenc-keyring sync amina >codes || exit 1
            session=$amina; echo "$theirs" | at amina smsenc-keyring sync bela >codes || exit 1
            at amina smsenc-keyring verify bela "$(sed -n 's/theirs.//p' codes)" || exit 1
            echo 'no proc here' | at amina smsenc-frame | at amina smsenc-pad -c bela >sms || exit 1
            session=$bela
            at bela smsenc-pad -d -c amina <sms | at bela smsenc-frame -d
            """
        let result = try Self.shell(script, try Sandbox())
        #expect(result.errorText == "")
        #expect(result.outputText == "no proc here\n")
    }
}
