import Foundation
import FrameLayout
import Frames
import GSM7
import Keyring
import Support
import TestPeople
import System
import Testing

extension Faults {
    /// Tests frames that smsenc-pad decrypts but never encrypts: frames with receipts, and frames of a newer
    /// version.
    @Suite(.measured) struct ReceivedFrames {
        /// A receipt that states that message 0 of chain 0 was read.
        private static let receipt: [UInt8] = [0, 1, 1]

        private func frame(_ message: String) throws -> [UInt8] {
            try [UInt8](atMost: Frame.length) { (symbols: inout OutputSpan<UInt8>) in
                try Frame.encode(Array(message.utf8).span, newline: .lineFeed, into: &symbols)
            }
        }

        private func frame(_ message: String, withReceipt receipt: [UInt8]) throws -> [UInt8] {
            var frame = try frame(message)
            var span = frame.mutableSpan
            #expect(
                Frame.putReceipt(into: &span) { (_, symbols) in
                    symbols.append(copying: receipt.span)
                    return true
                })
            return frame
        }

        private func frame(onlyReceipt receipt: [UInt8]) -> [UInt8] {
            [UInt8](atMost: Frame.length) { (symbols: inout OutputSpan<UInt8>) in
                Frame.append(onlyReceipt: receipt.span, to: &symbols)
            }
        }

        /// A frame that uses a model that this version does not have (Tests/Vectors/frames.json).
        private func newerFrame() throws -> [UInt8] {
            let text = "cos731\u{F1}" + String(repeating: "@", count: 143) + "          "
            return try [UInt8](atMost: Frame.length) { (symbols: inout OutputSpan<UInt8>) in
                try Frame.readSymbols(Array(text.utf8).span, into: &symbols)
            }
        }

        /// Encrypts frames for bela without checking them, and returns one line for each ciphertext.
        private func encrypted(_ frames: [[UInt8]], in sandbox: Sandbox) throws -> [UInt8] {
            var lines: [UInt8] = []
            try sandbox.withKeyring(of: "amina") { (keyring) in
                let contact = try keyring.contact(named: "bela").id
                var sending = try Sending(with: keyring)
                for frame in frames {
                    var symbols = frame
                    var span = symbols.mutableSpan
                    guard case .done = try sending.encrypt(&span, for: contact) else {
                        Issue.record("a frame was not encrypted")
                        break
                    }
                    lines += [UInt8](atMost: Frame.longestUTF8) { (text: inout OutputSpan<UInt8>) in
                        Alphabet.write(symbols.span, to: &text)
                    }
                    lines.append(10)
                }
                try sending.commit()
                try sending.finish()
            }
            return lines
        }

        /// Decrypts ciphertexts. Returns the messages, and the words of the status file.
        private func decrypt(
            _ ciphertexts: [UInt8], _ options: [String] = [], in sandbox: Sandbox,
            expecting status: Int32 = 0
        ) throws -> (messages: [String], words: [String]) {
            let run = try sandbox.run(
                "smsenc-pad", ["-d", "-c", "amina", "--status", "status"] + options, as: "bela",
                input: ciphertexts)
            #expect(run.status == status, "\(run.errorText)")
            #expect(status != 0 || run.errors.isEmpty, "\(run.errorText)")
            let words = lines(of: try sandbox.contents(sandbox.path("desk/status"))).map {
                String($0.split(separator: "\t", omittingEmptySubsequences: false)[2])
            }
            try FileManager.default.removeItem(atPath: sandbox.path("desk/status"))
            let decoded = try sandbox.run("smsenc-frame", ["-d"], input: run.output)
            #expect(decoded.status == 0, "\(decoded.errorText)")
            return (lines(of: decoded.output), words)
        }

        @Test func receiptsAreTakenOutOfFrames() throws {
            let sandbox = try Sandbox(people: ["amina", "bela"])
            let hostile: [UInt8] = [124, 124, 124, 124, 124, 124, 124]
            let ciphertexts = try encrypted(
                [
                    frame("One", withReceipt: Self.receipt), frame(onlyReceipt: Self.receipt),
                    frame("Two"), frame("Three", withReceipt: hostile),
                    frame(onlyReceipt: hostile), frame("Four", withReceipt: []),
                ], in: sandbox)
            let messages = ["One", "Two", "Three", "Four"]
            let first = try decrypt(ciphertexts, in: sandbox)
            #expect(first.messages == messages)
            #expect(first.words == ["ok", "receipt", "ok", "ok", "receipt", "ok"])
            let again = try decrypt(ciphertexts, ["--reread"], in: sandbox)
            #expect(again.messages == messages)
            #expect(
                again.words == ["reread", "receipt", "reread", "reread", "receipt", "reread"])
        }

        /// The message after a receipt was not printed, and the receipt has no output of its own.
        @Test func aReceiptWithoutOutputIsNotReadAgain() throws {
            let sandbox = try Sandbox(people: ["amina", "bela"])
            let ciphertexts = try encrypted(
                [frame("One"), frame(onlyReceipt: Self.receipt), frame("Two")], in: sandbox)
            try sandbox.write(ciphertexts, to: "desk/in")
            let full = try sandbox.start(
                "smsenc-pad", ["-d", "-c", "amina", "in"], as: "bela", into: "/dev/full")
            full.closeInput()
            #expect(full.finish().status == 74)
            let run = try sandbox.run(
                "smsenc-pad", ["-d", "-c", "amina", "--status", "status", "in"], as: "bela")
            #expect(run.status == 0, "\(run.errorText)")
            #expect(lines(of: run.output).count == 2)
            let words = lines(of: try sandbox.contents(sandbox.path("desk/status")))
            #expect(words.map { $0.contains("\treceipt\t") } == [false, true, false])
        }

        /// A hundred messages wait for a receipt.
        @Test func aReceiptThatIsDueIsPrintedAlone() throws {
            let sandbox = try Sandbox(people: ["amina", "bela"])
            try sandbox.withKeyring(of: "bela") { (keyring) in
                try keyring.setReceipts(of: keyring.contact(named: "amina"), true)
            }
            let frames = try sandbox.frames((0..<100).map { "Message \($0)" })
            let sent = lines(
                of: try sandbox.run(
                    "smsenc-pad", ["-c", "bela", "--position"], as: "amina", input: frames
                ).output
            ).map { $0.split(separator: "\t", maxSplits: 1).map(String.init) }
            #expect(sent.count == 100)
            _ = try decrypt(text(sent.map { $0[1] }), in: sandbox)
            let alone = try sandbox.run("smsenc-pad", ["--receipts", "-N"], as: "bela")
            #expect(alone.status == 0, "\(alone.errorText)")
            #expect(lines(of: alone.output).count == 1 && alone.outputText.hasPrefix("amina\t"))
            let none = try sandbox.run("smsenc-pad", ["--receipts", "-N"], as: "bela")
            #expect(none.status == 0 && none.output.isEmpty)
            let ciphertext = Array(alone.output.dropFirst(6))
            let read = try sandbox.run(
                "smsenc-pad", ["-dc", "bela"], as: "amina", input: ciphertext)
            #expect(read.status == 0 && read.output.isEmpty)
            let answers = try sandbox.run(
                "smsenc-keyring", ["sent", "-"], as: "amina",
                input: text(sent.map { "bela\t" + $0[0] }))
            #expect(lines(of: answers.output).allSatisfy { $0.hasSuffix("\tread") })
        }

        @Test func aMessageOfANewerVersionIsRejectedUntilAnUpdate() throws {
            let sandbox = try Sandbox(people: ["amina", "bela"])
            let ciphertexts = try encrypted(
                [frame("One"), newerFrame(), frame("Two")], in: sandbox)
            let first = try decrypt(ciphertexts, in: sandbox, expecting: 1)
            #expect(first.messages == ["One", "Two"] && first.words == ["ok", "newer", "ok"])
            let newer = Array(ciphertexts.split(separator: 10)[1]) + [10]
            let rejected = try sandbox.run(
                "smsenc-pad", ["-d", "-c", "amina", "--rejects", "rejects"], as: "bela",
                input: newer)
            #expect(rejected.status == 1 && rejected.output.isEmpty)
            #expect(
                rejected.errorText
                    == "smsenc-pad: stdin:1: the message was made by a newer version of smsenc; update smsenc, and decrypt the same SMS again\n"
            )
            #expect(try sandbox.contents(sandbox.path("desk/rejects")) == newer)
            #expect(try decrypt(newer, ["--reread"], in: sandbox, expecting: 1).words == ["new"])
        }

        @Test func framesThatOnlySmsencPadMakesAreNotEncrypted() throws {
            let sandbox = try Sandbox(people: ["amina", "bela"])
            for frame in try [
                frame("One", withReceipt: Self.receipt), frame(onlyReceipt: Self.receipt),
                newerFrame(),
            ] {
                let text = [UInt8](atMost: Frame.longestUTF8) { (text: inout OutputSpan<UInt8>) in
                    Alphabet.write(frame.span, to: &text)
                }
                let run = try sandbox.run(
                    "smsenc-pad", ["-c", "bela"], as: "amina", input: text + [10])
                #expect(run.status == 1 && run.output.isEmpty)
            }
        }
    }
}
