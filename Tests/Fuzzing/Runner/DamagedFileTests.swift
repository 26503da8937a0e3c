import Foundation
import Keyring
import Crypto
import Support
import TestPeople
import System
import Testing

/// Tests files that were damaged, either randomly or on purpose. Every command must end with a documented
/// exit status and not with a signal. It must report errors in lines that begin with the tool's name.
@Suite(.measured, .serialized) struct DamagedFileTests {
    private static let commands: [[String]] = [
        ["smsenc-keyring", "list"], ["smsenc-keyring", "status"], ["smsenc-keyring", "export"],
        ["smsenc-keyring", "show", "bela"], ["smsenc-keyring", "verify", "bela"],
        ["smsenc-keyring", "identity", "list"], ["smsenc-keyring", "add", "carol"],
        ["smsenc-keyring", "resync", "bela"], ["smsenc-keyring", "offer", "bela", "--new"],
        ["smsenc-keyring", "remove", "bela", "--yes"], ["smsenc-keyring", "adopt", "--moved"],
        ["smsenc-keyring", "adopt", "--restored"], ["smsenc-pad", "-c", "bela"],
        ["smsenc-pad", "-dc", "bela"], ["smsenc-pad", "-N"],
    ]

    private static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    /// Keyring and inputs, which are created once. Each test restores the files.
    private static let prepared = Result { try prepare() }

    /// Creates a keyring whose conversation has skipped message keys, retired chains and an offer without
    /// a reply.
    private static func prepare() throws -> (sandbox: Sandbox, inputs: [[UInt8]]) {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        sandbox.removeAtExit()
        var received: [UInt8] = []
        for round in 0..<4 {
            let messages = (0..<6).map { "Message \(round) \($0)" }
            let lines = try sandbox.encrypt(messages, from: "bela", to: "amina")
                .split(separator: 10).map { Array($0) + [10] }
            // Some messages are lost, and others are late.
            _ = try sandbox.run("smsenc-pad", ["-dc", "bela"], as: "amina", input: lines[3])
            received += lines[1] + lines[5]
            let answer = try sandbox.encrypt(["Answer"], from: "amina", to: "bela")
            _ = try sandbox.run("smsenc-pad", ["-dc", "amina"], as: "bela", input: answer)
        }
        let frames = try sandbox.frames(["Hello", "How are you?"])
        let named = frames.split(separator: 10).flatMap { line -> [UInt8] in
            Array("bela\t".utf8) + line + [10]
        }
        return (sandbox, [frames, received, named])
    }

    @Test func damagedKeyringsAreReported() throws {
        let (sandbox, inputs) = try Self.prepared.get()
        let path = sandbox.keyring(of: "amina")
        let before = try Snapshot(of: sandbox, keyring: path)
        try Campaign.run(80) { generator, seed in
            var bytes = before.keyring
            switch generator.number(below: 6) {
            case 0: bytes.removeSubrange(generator.number(below: bytes.count)...)
            case 1: bytes += generator.bytes(4096)
            case 2:
                let page = generator.number(below: bytes.count / 4096) * 4096
                bytes.replaceSubrange(page..<(page + 4096), with: generator.bytes(4096))
            case 3: bytes = generator.flipped(Array(bytes[..<100])) + bytes[100...]
            default: bytes = generator.flipped(bytes, atMost: 200)
            }
            try before.put(bytes)
            try run(generator.pick(Self.commands), sandbox, inputs, seed)
        }
        try before.put(before.keyring)
        let result = try sandbox.run("smsenc-pad", ["-c", "bela"], as: "amina", input: inputs[0])
        #expect(result.status == 0, "\(result.errorText)")
    }

    /// Sets unencrypted numbers and texts in the database to extreme values. An attacker who can write to the
    /// file can choose them.
    @Test(.enabled(if: hasSQLite, "there is no sqlite3")) func extremeUnencryptedValuesAreReported()
        throws
    {
        let (sandbox, inputs) = try Self.prepared.get()
        let path = sandbox.keyring(of: "amina")
        let before = try Snapshot(of: sandbox, keyring: path)
        let worst = [
            "9223372036854775807", "-9223372036854775808", "-1", "0", "x''", "''", "1e308",
        ]
        let columns = [
            ("account", ["id", "record", "lockout"]), ("tags", ["kind", "id", "tag"]),
            ("records", ["kind", "id", "sealed"]),
        ]
        try Campaign.run(50) { generator, seed in
            let (table, names) = generator.pick(columns)
            let rows = table == "account" ? "" : " WHERE kind = \(generator.number(below: 7))"
            let change =
                "UPDATE OR IGNORE \(table) SET \(generator.pick(names)) = \(generator.pick(worst))"
                + (generator.once(in: 2) ? rows : "")
            try before.put(before.keyring)
            try sql(change, path)
            try run(generator.pick(Self.commands), sandbox, inputs, seed, change)
        }
        try before.put(before.keyring)
    }

    @Test func damagedRollbackNotesAreReported() throws {
        let (sandbox, inputs) = try Self.prepared.get()
        let path = sandbox.keyring(of: "amina")
        let before = try Snapshot(of: sandbox, keyring: path)
        try Campaign.run(15) { generator, seed in
            try before.put(before.keyring)
            let worst = ["18446744073709551615\n", "9223372036854775807\n", "", "-1\n", "\u{0}"]
            let note =
                generator.once(in: 2)
                ? Array(generator.pick(worst).utf8) : generator.mutated(before.notes[0].1)
            for (path, _) in before.notes { try overwrite(path, note) }
            try run(generator.pick(Self.commands), sandbox, inputs, seed)
        }
        try before.put(before.keyring)
    }

    @Test func damagedSessionsAreReported() throws {
        let (sandbox, inputs) = try Self.prepared.get()
        let session = try sandbox.sessionFile()
        let before = try sandbox.contents(session)
        func put(_ bytes: [UInt8]) {
            try? FileManager.default.removeItem(atPath: session)
            _ = FileManager.default.createFile(
                atPath: session, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        }
        defer { put(before) }
        try Campaign.run(40) { generator, seed in
            put(generator.once(in: 3) ? generator.mutated(before) : generator.flipped(before))
            let person = generator.pick(["amina", "bela"])
            let command = generator.pick([
                ["smsenc-keyring", "list"], ["smsenc-pad", "-c", "bela"],
            ])
            let result = try sandbox.run(
                command[0], Array(command.dropFirst()), as: person, input: inputs[0])
            // Only one of the two keyrings has this session, and the damage may be without effect.
            #expect([0, 1, 65, 77].contains(result.status), "seed \(seed): \(result.errorText)")
            check(result, "seed \(seed): \(command)")
        }
    }

    @Test func damagedBackupsAreReported() throws {
        let (sandbox, _) = try Self.prepared.get()
        for name in ["carol", "dora", "emil"] {
            _ = try sandbox.run("smsenc-keyring", ["add", name], as: "amina")
        }
        let backup = try sandbox.run("smsenc-keyring", ["export"], as: "amina").output
        let lines = backup.split(separator: 10).map { Array($0) }
        let account = lines[0] + [10] + lines[1] + [10]
        // Everything after the account takes twice the time of scrypt.
        try Campaign.run(3) { generator, seed in
            var damaged = Array(lines[2...])
            let place = generator.number(below: damaged.count)
            switch generator.number(below: 5) {
            case 0: damaged.remove(at: place)
            case 1: damaged.insert(generator.pick(damaged), at: place)
            case 2: damaged.swapAt(place, (place + 1) % damaged.count)
            case 3: damaged[place] = generator.text()
            default: damaged[place] = generator.flipped(damaged[place])
            }
            if damaged == Array(lines[2...]) { return }
            let input = account + damaged.flatMap { $0 + [10] }
            try expectDamaged(input, sandbox, "seed \(seed)")
        }
        Campaign.run(60) { generator, seed in
            let head = generator.mutated(account)
            let parts = head.split(separator: 10, omittingEmptySubsequences: false).map {
                Array($0)
            }
            guard parts.count > 1, parts[0] != lines[0] || parts[1] != lines[1] else { return }
            #expect(throws: KeyringError.self, "seed \(seed)") {
                _ = try BackupImporter(
                    of: parts[0], parts[1], at: sandbox.path("none"), places: sandbox.places)
            }
        }
    }

    private func expectDamaged(_ backup: [UInt8], _ sandbox: Sandbox, _ what: String) throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
        let result = try sandbox.run(
            "smsenc-keyring",
            ["-k", sandbox.path("copy"), "--password-file", sandbox.path("password"), "import"],
            input: backup)
        #expect(result.status == 65, "\(what): \(result.errorText)")
        check(result, what)
        let after = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
        #expect(after.sorted() == before.sorted(), "\(what)")
    }

    private func run(
        _ command: [String], _ sandbox: Sandbox, _ inputs: [[UInt8]], _ seed: UInt64,
        _ what: String = ""
    ) throws {
        let input =
            command.contains("-N") ? inputs[2] : command.contains("-dc") ? inputs[1] : inputs[0]
        let result = try sandbox.run(
            command[0], Array(command.dropFirst()), as: "amina", input: input)
        check(result, "seed \(seed): \(what) \(command)")
    }

    private func check(_ result: ToolResult, _ what: String) {
        #expect(Tools.statuses.contains(result.status), "\(what): \(result.errorText)")
        #expect(result.status != 64, "\(what): \(result.errorText)")
        #expect(result.status == 0 || !result.errors.isEmpty, "\(what)")
        let strange = result.errorLines.filter { !$0.starts(with: Array("smsenc-".utf8)) }
        #expect(strange.isEmpty, "\(what): \(result.errorText)")
        #expect(!result.errorText.contains("unexpected failure"), "\(what): \(result.errorText)")
    }

    private func sql(_ statement: String, _ path: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path, statement]
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
    }
}
