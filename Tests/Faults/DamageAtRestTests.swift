import Foundation
import Support
import TestPeople
import Testing

/// Damages a keyring's file by truncating it, or by tearing, swapping, duplicating or zeroing its pages.
/// Every command must give the same results as before, or exit with status 65. `SMSENC_DAMAGES=n` sets the
/// number of damaged copies.
@Suite("Damage at rest", .measured) struct DamageAtRestTests {
    private static let page = 4096
    private static let damages =
        ProcessInfo.processInfo.environment["SMSENC_DAMAGES"].flatMap { Int($0) } ?? 150

    @Test func damageIsReportedOrChangesNoOutput() throws {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        let names = (0..<300).map { "contact \($0)\t\n" }.joined()
        #expect(
            try sandbox.run("smsenc-keyring", ["add", "-"], as: "amina", input: Array(names.utf8))
                .status == 0)
        let frame = try sandbox.frames(["Hello"])
        _ = try sandbox.run("smsenc-pad", ["-c", "bela"], as: "amina", input: frame)
        let received = try sandbox.encrypt(["Hello"], from: "bela", to: "amina")
        let whole = try sandbox.contents(sandbox.keyring(of: "amina"))
        let readers = try sandbox.contents(sandbox.keyring(of: "bela"))
        let commands: [[String]] = [
            ["list"], ["show", "contact 150"], ["show", "bela"], ["identity", "list"],
        ]
        let sound = try commands.map { try sandbox.run("smsenc-keyring", $0, as: "amina").output }
        let backup = try sandbox.run("smsenc-keyring", ["export"], as: "amina").output
        #expect(try sandbox.run("smsenc-keyring", ["check"], as: "amina").status == 0)
        var noticed = 0
        var found = 0
        var sentCount = 0
        for turn in 0..<Self.damages {
            var generator = Generator(seed: UInt64(turn))
            try sandbox.write(
                Self.damaged(whole, turn % 6, &generator), to: "home/amina")
            // The rollback check is not tested here, so replace the notes with notes that are older than
            // any keyring.
            for note in sandbox.notes { try sandbox.write(Sandbox.oldestNote, to: note) }
            let check = try sandbox.run("smsenc-keyring", ["check"], as: "amina")
            #expect([0, 65].contains(check.status), "\(turn): \(check.errorText)")
            found += check.status == 65 ? 1 : 0
            var isWrong = false
            for (command, right) in zip(commands, sound) {
                let result = try sandbox.run("smsenc-keyring", command, as: "amina")
                if result.status == 0 {
                    #expect(result.output == right, "\(turn): \(command)")
                } else {
                    #expect(result.status == 65, "\(turn): \(command): \(result.errorText)")
                    isWrong = true
                }
            }
            let export = try sandbox.run("smsenc-keyring", ["export"], as: "amina")
            #expect(
                export.status == 65
                    || export.status == 0
                        && export.output.count { $0 == 10 } == backup.count { $0 == 10 },
                "\(turn): \(export.errorText)")
            isWrong = isWrong || export.status != 0
            // If another command detects the damage, check must also detect it.
            if isWrong {
                noticed += 1
                #expect(check.status == 65, "\(turn)")
            }
            for note in sandbox.notes { try sandbox.write(Sandbox.oldestNote, to: note) }
            let sent = try sandbox.run("smsenc-pad", ["-c", "bela"], as: "amina", input: frame)
            #expect([0, 65].contains(sent.status), "\(turn): \(sent.errorText)")
            if sent.status == 0 {
                try sandbox.write(readers, to: "home/bela")
                for note in sandbox.notes { try sandbox.write(Sandbox.oldestNote, to: note) }
                let read = try sandbox.run(
                    "smsenc-pad", ["-d", "-c", "amina"], as: "bela", input: sent.output)
                #expect(read.status == 0 && read.output == frame, "\(turn): \(read.errorText)")
                for note in sandbox.notes { try sandbox.write(Sandbox.oldestNote, to: note) }
                sentCount += 1
            } else {
                #expect(sent.output == [], "\(turn)")
            }
            let read = try sandbox.run(
                "smsenc-pad", ["-d", "-c", "bela"], as: "amina", input: received)
            #expect(
                read.status == 65 || read.status == 0 && read.output == frame,
                "\(turn): \(read.errorText)")
            for suffix in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: sandbox.keyring(of: "amina") + suffix)
            }
        }
        #expect(noticed > Self.damages / 5)
        #expect(found > Self.damages / 2)
        #expect(sentCount > Self.damages / 10 && sentCount < Self.damages)
    }

    private static func damaged(
        _ whole: [UInt8], _ kind: Int, _ generator: inout Generator
    ) -> [UInt8] {
        var bytes = whole
        let pages = whole.count / page
        func range(_ number: Int) -> Range<Int> { number * page..<(number + 1) * page }
        let one = generator.number(below: pages)
        let other = generator.number(below: pages)
        let sector = 512 * (1 + generator.number(below: 7))
        switch kind {
        // Truncate the file, tear a page after a sector, zero, swap or duplicate pages, or copy the first
        // sectors of another page.
        case 0: bytes.removeSubrange((1 + generator.number(below: bytes.count - 1))...)
        case 1:
            for place in range(one).dropFirst(sector) { bytes[place] = 0 }
        case 2: bytes.replaceSubrange(range(one), with: [UInt8](repeating: 0, count: page))
        case 3:
            bytes.replaceSubrange(range(one), with: whole[range(other)])
            bytes.replaceSubrange(range(other), with: whole[range(one)])
        case 4: bytes.replaceSubrange(range(one), with: whole[range(other)])
        default:
            bytes.replaceSubrange(
                range(one).prefix(sector), with: whole[range(other).prefix(sector)])
        }
        return bytes
    }
}
