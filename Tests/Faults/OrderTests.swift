import Foundation
import Support
import TestPeople
import Testing

/// Tests tables with records of several contacts in all orders. A transaction processes its records
/// contact by contact, but the order of the output must be the order of the records.
@Suite("Orders", .measured) struct OrderTests {
    private static let contacts = ["bela", "carol", "dora"]
    /// Number of messages to each contact, which exceeds the number that may be in flight.
    private static let count = 250

    /// The order of the contacts in a table.
    enum Order: CaseIterable {
        case oneByOne, inTurns, inNoOrder

        func arranged(_ count: Int, _ names: [String]) -> [String] {
            switch self {
            case .oneByOne: return names.flatMap { Array(repeating: $0, count: count) }
            case .inTurns: return (0..<count).flatMap { _ in names }
            case .inNoOrder:
                var generator = Generator(seed: 7)
                return Order.oneByOne.arranged(count, names).shuffled(using: &generator)
            }
        }
    }

    @Test func recordsKeepTheirOrder() throws {
        let sandbox = try Sandbox(people: ["amina"] + Self.contacts)
        let frames = lines(of: try sandbox.frames((0..<Self.count * 3).map { "Message \($0)" }))
        for order in Order.allCases {
            let names = order.arranged(Self.count, Self.contacts)
            var table = zip(names, frames).map { "\($0)\t\($1)" }
            // There are bad records between the good ones: a text that is not a frame, an unknown contact,
            // a missing field.
            for (place, bad) in [(0, "bela\tno frame"), (99, "nobody\t" + frames[0]), (300, "x")] {
                table.insert(bad, at: place)
            }
            let sent = try sandbox.run("smsenc-pad", ["-"], as: "amina", input: text(table))
            #expect(sent.status == 1 && sent.errorLines.count >= 3, "\(sent.errorText)")
            let ciphertexts = lines(of: sent.output)
            #expect(ciphertexts.map(Self.name) == names)

            // Each contact decrypts its messages, and Amina decrypts the contacts' messages in the same
            // order.
            for name in Self.contacts {
                let own = ciphertexts.filter { Self.name($0) == name }
                let read = try sandbox.run(
                    "smsenc-pad", ["-d"], as: name,
                    input: text(own.map { "amina" + $0.dropFirst(name.count) }))
                #expect(read.status == 0 && !read.errorText.contains(": late"))
                let due = zip(names, frames).filter { $0.0 == name }.map { "amina\t" + $0.1 }
                #expect(lines(of: read.output) == due)
            }
        }
    }

    /// Nothing after the first bad record is processed, although the transaction contains more records of
    /// several contacts.
    @Test(arguments: [["--fail-fast"], ["--fail-fast", "-d"]])
    func nothingAfterTheFirstBadRecordIsProcessed(_ options: [String]) throws {
        let sandbox = try Sandbox(people: ["amina"] + Self.contacts)
        let decrypts = options.contains("-d")
        let frames = lines(of: try sandbox.frames((0..<60).map { "Message \($0)" }))
        let names = Order.inTurns.arranged(20, Self.contacts)
        var table = zip(names, frames).map { "\($0)\t\($1)" }
        if decrypts {
            table = []
            for name in Self.contacts {
                let own = zip(names, frames).filter { $0.0 == name }.map { "amina\t" + $0.1 }
                let sent = try sandbox.run("smsenc-pad", [], as: name, input: text(own))
                table += lines(of: sent.output).map { name + $0.dropFirst("amina".count) }
            }
            table = (0..<20).flatMap { row in (0..<3).map { table[$0 * 20 + row] } }
        }
        // These errors can only be detected with the keyring: an altered ciphertext, and a contact without
        // keys.
        _ = try sandbox.run("smsenc-keyring", ["add", "erika"], as: "amina")
        let place = 10
        let bad = decrypts ? Self.altered(table[place]) : "erika\t" + frames[0]
        let run = try sandbox.run(
            "smsenc-pad", options, as: "amina",
            input: text(table[..<place] + [bad] + table[place...]))
        #expect(run.status == 1 && run.errorText.contains("stdin:\(place + 1) ["))
        #expect(lines(of: run.output).map(Self.name) == Array(names[..<place]))
        let rest = try sandbox.run(
            "smsenc-pad", decrypts ? ["-d"] : [], as: "amina", input: text(table[place...]))
        #expect(rest.status == 0, "\(rest.errorText)")
        #expect(lines(of: rest.output).map(Self.name) == Array(names[place...]))
        let all = lines(of: run.output) + lines(of: rest.output)
        if decrypts {
            #expect(all == zip(names, frames).map { "\($0)\t\($1)" })
        } else {
            for name in Self.contacts {
                let due = zip(names, frames).filter { $0.0 == name }.map(\.1)
                #expect(try Self.read(all, name, sandbox) == due)
            }
        }
    }

    /// The keys of another contact, which is earlier in the keyring, run out before the bad record. The
    /// result must be the same.
    @Test func failFastWorksIfAContactsKeysRunOutBefore() throws {
        let sandbox = try Sandbox(people: ["amina", "bela", "carol"])
        _ = try sandbox.run("smsenc-keyring", ["add", "erika"], as: "amina")
        let frames = lines(of: try sandbox.frames((0..<60).map { "Message \($0)" }))
        // A process dies with 60 keys in flight.
        try sandbox.write(text(frames), to: "desk/frames")
        let dying = try sandbox.start(
            "smsenc-pad", ["-c", "bela", "frames"], as: "amina", into: nil)
        dying.narrowOutput()
        while dying.unreadOutput < 4096 { usleep(1000) }
        dying.kill()
        _ = dying.finish()
        let table =
            frames.prefix(50).map { "bela\t" + $0 } + ["erika\t" + frames[0]]
            + frames.prefix(20).map { "carol\t" + $0 }
        let run = try sandbox.run("smsenc-pad", ["--fail-fast"], as: "amina", input: text(table))
        #expect(run.status == 1 && run.errorText.contains("stdin:51 ["), "\(run.errorText)")
        #expect(lines(of: run.output).map(Self.name) == Array(repeating: "bela", count: 50))
        #expect(try Self.read(lines(of: run.output), "bela", sandbox) == Array(frames.prefix(50)))
        let rest = try sandbox.run("smsenc-pad", [], as: "amina", input: text(Array(table[51...])))
        #expect(try Self.read(lines(of: rest.output), "carol", sandbox) == Array(frames.prefix(20)))
    }

    /// A contact is renamed and another contact takes its name while records arrive. Each record must be
    /// encrypted for the contact that has the name at that time. The messages to one contact under two
    /// names must remain in order.
    @Test func recordsGoToTheContactNamedAtThatTime() throws {
        let sandbox = try Sandbox(people: ["amina"] + Self.contacts)
        let frames = lines(of: try sandbox.frames((0..<121).map { "Message \($0)" }))
        let run = try sandbox.start("smsenc-pad", [], as: "amina", into: nil)
        run.write(text(["bela\t" + frames[0]]))
        try #require(run.wait { $0.gathered.output.contains(10) })
        for (old, new) in [("bela", "robert"), ("carol", "bela")] {
            let edit = try sandbox.run("smsenc-keyring", ["edit", old, "--name", new], as: "amina")
            #expect(edit.status == 0, "\(edit.errorText)")
        }
        // This run has already looked up the first of these names, so the name keeps its meaning.
        let spelled = ["bela", "robert", "+27821230001"]
        let rest = frames[1...].enumerated().map { spelled[$0.offset % 3] + "\t" + $0.element }
        run.write(text(rest))
        run.closeInput()
        let result = run.finish()
        #expect(result.status == 0, "\(result.errorText)")
        let sent = lines(of: result.output)
        let isCarols = [false] + rest.map { $0.hasPrefix("+") }
        for (name, carols) in [("bela", false), ("carol", true)] {
            let own = zip(sent, isCarols).filter { $0.1 == carols }.map(\.0)
            let due = zip(frames, isCarols).filter { $0.1 == carols }.map(\.0)
            #expect(try Self.read(own, name, sandbox, all: true) == due)
        }
    }

    /// Decrypts those of Amina's records that are for a contact, or tries to decrypt all of them.
    private static func read(
        _ records: [String], _ name: String, _ sandbox: Sandbox, all: Bool = false
    ) throws -> [String] {
        let own = records.filter { all || Self.name($0) == name }
        let read = try sandbox.run(
            "smsenc-pad", ["-dc", "amina"], as: name,
            input: text(own.map { String($0.drop { $0 != "\t" }.dropFirst()) }))
        #expect(read.status == 0 && !read.errorText.contains(": late"), "\(read.errorText)")
        return lines(of: read.output)
    }

    private static func name(_ record: String) -> String { String(record.prefix { $0 != "\t" }) }

    /// Returns a ciphertext with one character changed.
    private static func altered(_ record: String) -> String {
        var characters = Array(record)
        let place = characters.count - 40
        characters[place] = characters[place] == "x" ? "y" : "x"
        return String(characters)
    }
}
