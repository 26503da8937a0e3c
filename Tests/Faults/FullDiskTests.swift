import Foundation
import Support
import TestPeople
import Testing

extension Faults {
    /// Tests with a full disk. The keyring is on a small tmpfs, which is mounted in a mount namespace.
    @Suite(.measured, .serialized) struct FullDisk {
        private static let pair = Result { try SharedConversation() }

        /// Script that mounts a tmpfs of a given size in KiB and moves a keyring to it.
        private static let mount = """
            mount -t tmpfs -o size=1m,mode=700 none small || exit 99
            """

        private static let isPossible: Bool = {
            guard let sandbox = try? Sandbox(), let run = try? shell("true", sandbox) else {
                return false
            }
            return run.finish().status == 0
        }()

        /// Script that does the same with blocks of 1 KiB, so that the file that SQLite maps into memory
        /// has holes. Mounting a real file system requires the real root user.
        private static let mountSmallBlocks = """
            head -c 3m /dev/zero >image && mkfs.ext4 -q -b 1024 -O ^has_journal image || exit 99
            mount -o loop image small && rmdir small/lost+found || exit 99
            """

        private static let canMountSmallBlocks: Bool = {
            guard geteuid() == 0, let sandbox = try? Sandbox(),
                let run = try? shell("true", sandbox, mountSmallBlocks)
            else { return false }
            return run.finish().status == 0
        }()

        /// Runs a script in which the small disk is mounted as `small`. Root does not need a user
        /// namespace, and cannot create one inside a chroot.
        private static func shell(
            _ script: String, _ sandbox: Sandbox, _ mount: String = mount
        ) throws -> ToolRun {
            let folder = sandbox.path("desk")
            try FileManager.default.createDirectory(
                atPath: folder + "/small", withIntermediateDirectories: true)
            return try sandbox.startInOwnNamespace(
                mount + "\n" + script, as: "amina",
                changing: [
                    "SMSENC_KEYRING": folder + "/small/keyring",
                    "SMSENC_PASSWORD_FILE": sandbox.path("password"),
                ])
        }

        /// Writes 200 received SMS and 200 frames to the folder desk.
        private static func desk(
            of pair: SharedConversation
        ) throws -> (received: [(ciphertext: String, frame: String)], frames: [String]) {
            try pair.encrypt(1, 200)
            let received = pair.directions[1].inbox
            let frames = pair.nextFrames(200)
            for (name, content) in [("sms", received.map(\.ciphertext)), ("frames", frames)] {
                try pair.sandbox.write(text(content), to: "desk/" + name)
            }
            return (received, frames)
        }

        /// The disk has 0 KiB, 4 KiB and so on of free space. At whatever point a commit runs out of
        /// space, nothing may be output that is not on the disk. When there is space again, everything
        /// must work.
        @Test(.enabled(if: isPossible, "mounting a tmpfs is not permitted here"))
        func nothingIsOutputBeforeItIsOnTheKeyringsDisk() throws {
            let pair = try Self.pair.get()
            let (received, frames) = try Self.desk(of: pair)
            let script = """
                cp ../home/amina small/keyring
                smsenc-keyring adopt --moved --complete || exit 1
                try() {
                    dd if=/dev/zero of=small/filling bs=4096 2>/dev/null
                    size=$(wc -c <small/filling)
                    head -c "$((size - $1 * 4096))" </dev/zero >small/filling
                    smsenc-pad -c bela frames >sent.$1 2>>said; echo "full $?"
                    smsenc-pad -d -c bela sms >read.$1 2>>said; echo "full $?"
                    rm small/filling
                    smsenc-pad -c bela frames >sent.$1.after 2>>said; echo "roomy $?"
                }
                for room in 0 1 2 3 4 6 8 12 20 40; do try $room; done
                smsenc-pad -d -c bela sms >read.end 2>>said
                cat small/keyring >../home/amina
                SMSENC_KEYRING=../home/amina smsenc-keyring adopt --moved --complete
                """
            let result = try Self.shell(script, pair.sandbox).finish()
            #expect(result.status == 0, "\(result.errorText)")
            let endings = lines(of: result.output)
            let full = endings.filter { $0.hasPrefix("full") }
            #expect(full.contains("full 74"))
            #expect(full.allSatisfy { ["full 0", "full 1", "full 74"].contains($0) }, "\(full)")
            #expect(
                endings.filter { $0.hasPrefix("roomy") }.allSatisfy { $0 == "roomy 0" },
                "\(endings)")
            var read: Set<String> = []
            for room in [0, 1, 2, 3, 4, 6, 8, 12, 20, 40] {
                for name in ["sent.\(room)", "sent.\(room).after"] {
                    try pair.post(0, try written(name, pair.sandbox), frames)
                }
                read.formUnion(try written("read.\(room)", pair.sandbox))
            }
            read.formUnion(try written("read.end", pair.sandbox))
            #expect(read == Set(received.map(\.frame)))
            pair.lose(1, keeping: 0)
            try pair.decrypt(0)
            try pair.exchangeMessages()
        }

        /// Notes that smsenc-pad may print before it reports the full disk.
        private static let notes = [
            "has not confirmed", "not arrived", "decrypted again, because",
        ]

        @Test func notesThatAreLeftOutExist() throws {
            let text = try String(
                contentsOfFile: Self.scripts + "/../Sources/smsenc-pad/DiagnosticText.swift",
                encoding: .utf8)
            for note in Self.notes { #expect(text.contains(note), "\(note)") }
        }

        /// With blocks of 1 KiB, every command succeeds or reports in one line that the disk is full.
        @Test(.enabled(if: canMountSmallBlocks, "mounting an ext4 is not permitted here"))
        func aDiskFullToTheLastBlockIsReportedInOneLine() throws {
            let pair = try Self.pair.get()
            let (received, frames) = try Self.desk(of: pair)
            let script = """
                cp ../home/amina small/keyring
                smsenc-keyring adopt --moved --complete || exit 1
                run() {
                    "$@" 2>said; echo "$room $? $(grep -v \(Self.notes.map { "-e '\($0)'" }.joined(separator: " ")) said | paste -sd '|')" >>ends
                }
                for room in $(seq 0 1 44); do
                    dd if=/dev/zero of=small/filling bs=1024 2>/dev/null
                    size=$(wc -c <small/filling)
                    truncate -s "$((size - room * 1024))" small/filling
                    run smsenc-pad -c bela frames >sent.$room
                    run smsenc-keyring list >list
                    run smsenc-keyring add new$room >key
                    run smsenc-pad -d -c bela sms >read.$room
                    rm small/filling
                done
                smsenc-pad -d -c bela sms >read.end 2>said
                cat small/keyring >../home/amina
                umount small
                SMSENC_KEYRING=../home/amina smsenc-keyring adopt --moved --complete
                """
            let result = try Self.shell(script, pair.sandbox, Self.mountSmallBlocks)
                .finish()
            #expect(result.status == 0, "\(result.errorText)")
            let ends = try written("ends", pair.sandbox)
                .map { $0.split(separator: " ", maxSplits: 2) }
            #expect(ends.count == 45 * 4)
            for end in ends where end[1] != "0" && end[1] != "1" {
                #expect(end[1] == "74", "\(end)")
                #expect(end.last?.contains("disk") == true, "\(end)")
                #expect(end.last?.contains("|") == false, "\(end)")
            }
            #expect(ends.contains { $0[1] == "74" })
            var read = Set(try written("read.end", pair.sandbox))
            for room in 0...44 {
                try pair.post(0, try written("sent.\(room)", pair.sandbox), frames)
                read.formUnion(try written("read.\(room)", pair.sandbox))
            }
            #expect(read == Set(received.map(\.frame)))
            pair.lose(1, keeping: 0)
            try pair.decrypt(0)
            try pair.exchangeMessages()
        }

        /// If an encrypted file does not fit, it is not created, an existing file is kept, and the text
        /// that a person entered remains in memory.
        @Test(
            .enabled(if: isPossible && hasAge, "mounting is not permitted here, or there is no age")
        )
        func sealedFilesThatDoNotFitLeaveTheOldOnes() throws {
            let pair = try Self.pair.get()
            let script = """
                export SMSENC_KEYRING=../home/amina PATH="$PATH:\(Self.scripts)"
                eval "$(smsenc-keyring unlock)"
                head -c 600000 /dev/urandom >photo
                smsenc-file seal photo >small/photo.age || exit 1
                smsenc-file share small/photo.age small/copy.age >key; echo "share $? $(cat key)"
                EDITOR='head -c 600000 /dev/zero | tee -a' smsenc-file edit small/photo.age \\
                    >/dev/null 2>said; echo "edit $?"
                kept=$(sed -n 's/.*copy your text from \\(.*\\), which is in memory.*/\\1/p' said)
                wc -c <"$kept"; rm -r "${kept%/*}"
                smsenc-file open small/photo.age >small/photo; echo "open $?"; wc -c <small/photo
                rm small/photo; smsenc-file open small/photo.age | cmp - photo && ls small
                """
            let result = try Self.shell(script, pair.sandbox).finish()
            #expect(result.status == 0, "\(result.errorText)")
            #expect(
                lines(of: result.output) == [
                    "share 74 ", "edit 74", "1200000", "open 74", "0", "photo.age",
                ], "\(result.errorText)")
        }

        private static let hasAge = FileManager.default.isExecutableFile(atPath: "/usr/bin/age")

        private static let scripts =
            URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/scripts"

        /// If the disk of the output is full, the key of a truncated line is not used again, and a message
        /// whose line was truncated can be decrypted again.
        @Test(.enabled(if: isPossible, "mounting a tmpfs is not permitted here"))
        func aFullOutputDiskLosesNoMessageAndReusesNoKey() throws {
            let pair = try Self.pair.get()
            let (received, frames) = try Self.desk(of: pair)
            let script = """
                export SMSENC_KEYRING=../home/amina
                dd if=/dev/zero of=small/filling bs=4096 2>/dev/null
                size=$(wc -c <small/filling)
                head -c "$((size - 3 * 4096))" </dev/zero >small/filling
                smsenc-pad -c bela frames >small/sent; echo $?
                cp small/sent sent; rm small/sent
                smsenc-pad -c bela frames >sent.after; echo $?
                smsenc-pad -d -c bela sms >small/read; echo $?
                rm small/read
                smsenc-pad -d -c bela sms >read.after; echo $?
                """
            let result = try Self.shell(script, pair.sandbox).finish()
            #expect(result.outputText == "74\n0\n74\n0\n", "\(result.errorText)")
            let bytes = try pair.sandbox.contents(pair.sandbox.path("desk/sent"))
            #expect(bytes.count == 3 * 4096 && bytes.last != 10)
            try pair.post(0, try written("sent", pair.sandbox), frames)
            let last = pair.directions[0].trace.last
            let after = try written("sent.after", pair.sandbox)
            let first = try #require(after.first)
            let found = try #require(try pair.directions[0].trace.place(first))
            #expect(found.mark.key > last.key + 1)
            try pair.post(0, Array(after.dropFirst()), Array(frames.dropFirst()))
            // Incomplete files are ignored.
            #expect(try written("read.after", pair.sandbox) == received.map(\.frame))
            pair.lose(1, keeping: 0)
            try pair.decrypt(0)
            try pair.exchangeMessages()
        }

        private func written(_ name: String, _ sandbox: Sandbox) throws -> [String] {
            lines(of: try sandbox.contents(sandbox.path("desk/" + name)))
        }
    }
}
