import Foundation
import Support
import TestPeople
import Testing

/// In an emergency, the commands destroy, lock --all and passwd must work regardless of the state of the
/// files.
@Suite("Destroy", .measured, .serialized) struct DestroyTests {
    /// Sandbox with a keyring and a session, and the contents of both files.
    private static let prepared = Result {
        let sandbox = try Sandbox(people: ["amina"])
        sandbox.removeAtExit()
        _ = try sandbox.run("smsenc-keyring", ["add", "bela"], as: "amina")
        return (
            sandbox, try sandbox.contents(sandbox.keyring(of: "amina")),
            try sandbox.contents(sandbox.sessionFile())
        )
    }

    /// Returns a fresh copy of the keyring with its session and its note.
    private static func sandbox() throws -> Sandbox {
        let (sandbox, keyring, session) = try prepared.get()
        try sandbox.write(keyring, to: "home/amina")
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("run/smsenc"))
        for name in names {
            try FileManager.default.removeItem(atPath: sandbox.path("run/smsenc/" + name))
        }
        try sandbox.write(session, to: "run/smsenc/0123")
        let id = session[8..<24].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try sandbox.write(Array("00000000000000000002\n".utf8), to: "home/state/smsenc/" + id)
        return sandbox
    }

    private static func shell(_ script: String, _ sandbox: Sandbox) throws -> ToolResult {
        var environment = sandbox.environment(of: "amina", usesSession: false)
        environment["PATH"] = Tools.folder.path + ":/usr/bin:/bin"
        environment["KEYRING"] = sandbox.keyring(of: "amina")
        environment["SMSENC_PASSWORD_FILE"] = sandbox.path("password")
        return try ToolRun(
            ["/bin/sh", "-c", script], in: sandbox.path("desk"), environment: environment
        ).finish()
    }

    /// Returns the files of the keyring, its sessions and its note that still exist.
    private func left(_ sandbox: Sandbox) throws -> [String] {
        try ["home", "run/smsenc", "home/state/smsenc"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: sandbox.path(folder)).filter {
                !["state", "fifo"].contains($0)
            }
        }
    }

    @Test(arguments: [
        "chmod 644 $KEYRING", "chmod 400 $KEYRING", "chmod 777 $HOME",
        // These commands overwrite the format name, the application ID, the header, the first page, and
        // the second page.
        "dd if=/dev/zero of=$KEYRING bs=1 count=16 conv=notrunc",
        "dd if=/dev/urandom of=$KEYRING bs=4 seek=17 count=1 conv=notrunc",
        "dd if=/dev/urandom of=$KEYRING bs=512 count=1 conv=notrunc",
        "dd if=/dev/urandom of=$KEYRING bs=4096 count=1 conv=notrunc",
        "dd if=/dev/urandom of=$KEYRING bs=4096 seek=2 conv=notrunc count=3",
        "truncate -s 9000 $KEYRING",
        "mkfifo $XDG_RUNTIME_DIR/smsenc/fifo $KEYRING-wal $KEYRING-shm $KEYRING-journal",
        "cp $KEYRING $KEYRING-wal; cp $KEYRING $KEYRING-journal; chmod 0 $KEYRING-journal",
    ])
    func noDamageStopsDestroy(harm: String) throws {
        let sandbox = try Self.sandbox()
        let script = "(\(harm)) 2>said || cat said >&2; timeout 60 smsenc-keyring destroy --yes"
        let result = try Self.shell(script, sandbox)
        _ = try Self.shell("chmod 700 $HOME; rm -f $XDG_RUNTIME_DIR/smsenc/fifo", sandbox)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText == "")
        #expect(try left(sandbox) == [])
    }

    /// Files that were never a keyring, or that contain a keyring among other data, are not changed.
    @Test(arguments: [
        "printf 'not a keyring' >$KEYRING", ": >$KEYRING",
        "dd if=/dev/zero of=$KEYRING bs=4096 count=5",
        "dd if=/dev/urandom of=$KEYRING bs=4096 count=5",
        "tar cf it -C $HOME amina; mv it $KEYRING",
    ])
    func filesThatAreNoKeyringAreNotDestroyed(file: String) throws {
        let sandbox = try Self.sandbox()
        let script = """
            (\(file)) 2>said || cat said
            cp $KEYRING before
            smsenc-keyring destroy --yes; echo $?
            cmp before $KEYRING && rm $KEYRING
            """
        let result = try Self.shell(script, sandbox)
        #expect(result.outputText == "65\n")
        #expect(result.errorText.contains("is not a keyring; specify the keyring with -k\n"))
        #expect(try left(sandbox).count == 2)
    }

    /// If destroy is killed before one of its writes, syncs or deletions, the work is completed when
    /// destroy is run again. The first sector is erased only after everything else.
    ///
    /// The writes are the second sector, the rest of the keyring, the log and the first sector. After each of
    /// them the file is synchronised. The folder is synchronised before and after the keyring's name is removed.
    /// The deletions are the log, -shm, -journal, the
    /// keyring, the draft of the session's file, this file, and the note.
    @Test(
        .enabled(if: Tools.canTrace, "there is no strace"),
        arguments: [("pwrite64", 4), ("fsync", 6), ("unlink", 7)])
    func destroyContinuesAfterBeingKilled(call: String, times: Int) throws {
        let (_, whole, _) = try Self.prepared.get()
        var breaks = 0
        for turn in 1...20 {
            let sandbox = try Self.sandbox()
            let script = """
                cp $KEYRING $KEYRING-wal
                strace -qq -o trace -e inject=\(call):signal=KILL:when=\(turn) \\
                    smsenc-keyring destroy --yes
                """
            let first = try Self.shell(script, sandbox)
            if first.status == 0 { break }
            breaks += 1
            let path = sandbox.keyring(of: "amina")
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let bytes = try sandbox.contents(path)
            #expect(bytes.count == whole.count)
            // The application ID and the keyring's ID are erased after that.
            if bytes[..<512] != whole[..<512] { #expect(bytes[544...].allSatisfy { $0 == 0 }) }
            let again = try Self.shell("smsenc-keyring destroy --yes", sandbox)
            #expect(again.status == 0, "broken off at \(turn): \(again.errorText)")
            let names = try left(sandbox)
            #expect(names == [], "broken off at \(turn)")
        }
        #expect(breaks == times)
    }

    /// If the disk refuses to overwrite, destroy still removes the file and reports the problem.
    @Test(.enabled(if: Tools.canTrace, "there is no strace"), arguments: ["pwrite64", "fsync"])
    func destroyReportsFilesItCannotOverwrite(call: String) throws {
        let sandbox = try Self.sandbox()
        let script = """
            strace -qq -o trace -e trace=\(call) -e inject=\(call):error=ENOSPC \\
                smsenc-keyring destroy --yes
            """
        let result = try Self.shell(script, sandbox)
        #expect(result.status == 74)
        #expect(result.errorLines.count == 1)
        #expect(result.errorText.contains("was not overwritten: no space left on device"))
        #expect(try left(sandbox) == [])
    }

    @Test(arguments: ["lock --all", "passwd --new-password-file $SMSENC_PASSWORD_FILE"])
    func aFifoAmongSessionsBlocksNoCommand(command: String) throws {
        let sandbox = try Self.sandbox()
        let script = """
            mkfifo $XDG_RUNTIME_DIR/smsenc/fifo; smsenc-keyring adopt --moved --complete
            timeout 60 smsenc-keyring \(command); echo $?; ls $XDG_RUNTIME_DIR/smsenc
            """
        let result = try Self.shell(script, sandbox)
        #expect(result.outputText == "0\nfifo\n", "\(result.outputText) \(result.errorText)")
    }
}
