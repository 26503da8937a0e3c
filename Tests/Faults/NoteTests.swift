import Foundation
import Support
import TestPeople
import Testing

/// Tests the rollback note: how the tools work without a note, and which everyday events must not cause an
/// alarm.
@Suite("Rollback note", .measured) struct NoteTests {
    private static func pair() throws -> Sandbox {
        let sandbox = try Sandbox()
        for person in ["amina", "bela"] { try sandbox.add(person: person) }
        try sandbox.introduce("amina", "bela")
        return sandbox
    }

    private static let looking: [[String]] = [
        ["smsenc-keyring", "list"], ["smsenc-keyring", "show", "bela"],
        ["smsenc-keyring", "status"],
        ["smsenc-keyring", "verify", "bela"],
        ["smsenc-keyring", "export"],
        ["smsenc-keyring", "identity", "list"], ["smsenc-keyring", "file-key", "--public"],
        ["smsenc-pad", "--check", "-c", "bela"],
    ]

    /// Commands that commit, with their input. The list is complete.
    private static let committing: [(words: String, input: String)] = [
        ("smsenc-pad -c bela", "FRAME"), ("smsenc-pad -d -c bela", "SMS"),
        ("smsenc-pad -c bela", ""),
        ("smsenc-keyring add chidi", ""), ("smsenc-keyring add -", "chidi\t\n"),
        ("smsenc-keyring edit bela --name Bea", ""), ("smsenc-keyring remove bela --yes", ""),
        ("smsenc-keyring resync bela --yes", ""), ("smsenc-keyring offer bela --yes", ""),
        ("smsenc-keyring verify bela 0000000000", ""),
        ("smsenc-keyring identity add Mask --kind partial", ""),
        ("smsenc-keyring identity add Haze --kind transient", ""),
        ("smsenc-keyring identity rename real Me", ""),
        ("smsenc-keyring set user Anna --password-file ../password", ""),
    ]

    /// Without a note, no command changes the keyring, and only `adopt` creates a note.
    @Test func onlyAdoptCreatesANote() throws {
        let sandbox = try Self.pair()
        let frame = try sandbox.frames(["Hello"])
        let sms = try sandbox.encrypt(["Hello"], from: "bela", to: "amina")
        _ = try sandbox.encrypt(["One"], from: "amina", to: "bela")
        for note in sandbox.notes { try FileManager.default.removeItem(atPath: sandbox.path(note)) }
        let path = sandbox.keyring(of: "amina")
        // If a log was left after a crash, the first process that closes the keyring checkpoints the log.
        #expect(try sandbox.run("smsenc-keyring", ["list"], as: "amina").status == 0)
        let before = try sandbox.contents(path)
        for words in Self.looking {
            let result = try sandbox.run(
                words[0], Array(words.dropFirst()), as: "amina", input: frame)
            #expect(result.status == 0, "\(words): \(result.errorText)")
            #expect(try sandbox.contents(path) == before, "\(words)")
        }
        let check = try sandbox.run("smsenc-keyring", ["check"], as: "amina")
        #expect(check.status == 77 && check.output.isEmpty, "\(check.errorText)")
        #expect(try sandbox.contents(path) == before)
        for (words, input) in Self.committing {
            let words = words.split(separator: " ").map(String.init)
            let bytes = input == "FRAME" ? frame : input == "SMS" ? sms : Array(input.utf8)
            let result = try sandbox.run(
                words[0], Array(words.dropFirst()), as: "amina", input: bytes)
            #expect(result.status == 77 && result.output.isEmpty, "\(words): \(result.errorText)")
            let advice = "if only the note was deleted, run 'smsenc-keyring adopt --moved'"
            #expect(result.errorText.contains(advice), "\(result.errorText)")
            // A command that asks for the password first counts the attempt in the file, for the lockout.
            if words.contains("--password-file") { continue }
            #expect(try sandbox.contents(path) == before, "\(words)")
        }
        #expect(sandbox.notes.isEmpty)
        #expect(try sandbox.run("smsenc-keyring", ["adopt", "--moved"], as: "amina").status == 0)
        #expect(sandbox.notes.count == 1)
        #expect(
            try sandbox.run("smsenc-pad", ["-c", "bela"], as: "amina", input: frame).status == 0)
    }

    private static let canMount: Bool = {
        guard let sandbox = try? Sandbox() else { return false }
        let folder = sandbox.path("desk")
        let script = "mount --bind \(folder) \(folder) && mount -o remount,bind,ro \(folder)"
        return (try? sandbox.startInOwnNamespace("\(script) && ! touch \(folder)/x", as: "amina"))?
            .finish().status == 0
    }()

    /// Commands that only read must work even if the folder of notes is read-only, whether or not it
    /// contains a note.
    @Test(.enabled(if: canMount, "mounting is not permitted here"), arguments: [false, true])
    func readingWorksWithAReadOnlyNoteFolder(isMissing: Bool) throws {
        let sandbox = try Self.pair()
        if isMissing {
            for note in sandbox.notes {
                try FileManager.default.removeItem(atPath: sandbox.path(note))
            }
        }
        try sandbox.write(try sandbox.frames(["Hello"]), to: "desk/frame")
        let looking = Self.looking.map { $0.joined(separator: " ") }.joined(separator: "\n")
        let state = sandbox.path("home/state")
        let result = try sandbox.startInOwnNamespace(
            """
            mount --bind \(state) \(state) && mount -o remount,bind,ro \(state) || exit 99
            while read -r words; do $words <frame >/dev/null || echo "$words: $?"; done <<end
            \(looking)
            end
            smsenc-pad -c bela frame; echo $?; smsenc-keyring adopt --moved; echo $?
            """, as: "amina"
        ).finish()
        #expect(result.outputText == (isMissing ? "77\n73\n" : "73\n73\n"), "\(result.errorText)")
    }

    /// If a commit is on the disk but its count cannot be written to the note, the message keys are taken
    /// back. Otherwise, the contact would count them as missing messages.
    @Test(.enabled(if: Tools.canTrace, "there is no strace"))
    func aCommitThatCannotBeNotedTakesItsKeysBack() throws {
        let sandbox = try Self.pair()
        let frames = try sandbox.frames((0..<90).map { "Message \($0)" })
        let notes = sandbox.notes.flatMap { ["-P", sandbox.path($0)] }
        let run = try ToolRun(
            ["/usr/bin/strace", "-qq", "-o", "/dev/null"] + notes + [
                "-e", "inject=pwrite64:error=ENOSPC", Tools.path("smsenc-pad"), "-c", "bela",
            ], in: sandbox.path("desk"), environment: sandbox.environment(of: "amina"))
        run.write(frames)
        let result = run.finish()
        #expect(result.status == 73 && result.output.isEmpty, "\(result.errorText)")
        let sms = try sandbox.encrypt(["Hello"], from: "amina", to: "bela")
        let read = try sandbox.run("smsenc-pad", ["-d", "-c", "amina"], as: "bela", input: sms)
        #expect(read.status == 0 && !read.errorText.contains("not arrived"), "\(read.errorText)")
    }

    /// If the adoption of a rolled-back keyring without a note is killed at any point, either the keyring
    /// still refuses to work, or all its chains are erased.
    @Test(.enabled(if: Tools.canTrace, "there is no strace"))
    func aKilledAdoptionStillRefusesUseOrHasErasedAllChains() throws {
        let sandbox = try Self.pair()
        let path = sandbox.keyring(of: "amina")
        let frame = try sandbox.frames(["Hello"])
        let notes = sandbox.notes
        let older = try sandbox.contents(path)
        _ = try sandbox.encrypt(["One"], from: "amina", to: "bela")
        var ends: Set<Int32> = []
        for turn in 1...60 {
            for suffix in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(older))
            try file.close()
            for note in notes { try? FileManager.default.removeItem(atPath: sandbox.path(note)) }
            let killed = try ToolRun(
                [
                    "/usr/bin/strace", "-o", "/dev/null", "-e",
                    "inject=pwrite64,fsync,fdatasync,ftruncate,unlink:signal=KILL:when=\(turn)",
                    Tools.path("smsenc-keyring"), "adopt", "--restored",
                ], in: sandbox.path("desk"), environment: sandbox.environment(of: "amina")
            ).finish()
            let sent = try sandbox.run("smsenc-pad", ["-c", "bela"], as: "amina", input: frame)
            #expect(sent.status == 77 || sent.status == 1, "\(turn): \(sent.errorText)")
            ends.insert(sent.status)
            if killed.status == 0 {
                #expect(ends == [1, 77])
                return
            }
        }
        Issue.record("it is never done")
    }

    /// Everyday operations on the files must not cause an alarm.
    @Test(arguments: [
        "touch $KEYRING $NOTE", "touch -d 2001-01-01 $KEYRING $NOTE",
        "chmod 400 $NOTE; chmod 600 $NOTE",
        "chmod 700 $STATE", "cat $KEYRING $NOTE >/dev/null", "tar cf ../backup.tar -C $HOME .",
        "cp -a $HOME ../backup", "mv $KEYRING $KEYRING.x; mv $KEYRING.x $KEYRING", "sync",
        // An upgrade installs the same tools in a different folder.
        "cp $TOOLS/smsenc-pad ../pad",
        // Only the note is restored from a backup.
        "cp $NOTE ../n; smsenc-pad -c bela frame >/dev/null; cat ../n >$NOTE",
        "cp $NOTE ../n; smsenc-pad -c bela frame >/dev/null; mv ../n $NOTE",
        // A process is killed.
        "{ cat frame; sleep 9; } | smsenc-pad -c bela & sleep 0.3; kill -9 $!",
        "{ cat sms; sleep 9; } | smsenc-pad -d -c bela & sleep 0.3; kill -9 $!",
        "smsenc-keyring list | :", "smsenc-keyring check",
    ]) func nothingElseRaisesAnAlarm(what: String) throws {
        let sandbox = try Self.pair()
        try sandbox.write(try sandbox.frames(["Hello"]), to: "desk/frame")
        try sandbox.write(
            try sandbox.encrypt(["One", "Two"], from: "bela", to: "amina"), to: "desk/sms")
        let first = sandbox.notes
        var environment = sandbox.environment(of: "amina")
        environment["PATH"] = Tools.folder.path + ":/usr/bin:/bin"
        environment["KEYRING"] = sandbox.keyring(of: "amina")
        environment["STATE"] = sandbox.path("home/state/smsenc")
        environment["TOOLS"] = Tools.folder.path
        let script = """
            for NOTE in $STATE/*; do \(what); done; PATH=..:$PATH
            smsenc-pad -c bela frame >/dev/null || exit; smsenc-pad -d -c bela sms >/dev/null; [ $? != 77 ]
            """
        let result = try ToolRun(
            ["/bin/sh", "-c", script], in: sandbox.path("desk"), environment: environment
        ).finish()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("adopt"), "\(result.errorText)")
        #expect(sandbox.notes.sorted() == first.sorted())
    }
}
