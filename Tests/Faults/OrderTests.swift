import Foundation
import Support
import Testing

/// Tables of several contacts in all orders: what is committed together is worked on contact by
/// contact, and nobody can tell.
@Suite("Orders") struct OrderTests {
    private static let contacts = ["bela", "carol", "dora"]
    /// More messages to each than may be in flight.
    private static let count = 250

    /// Who comes when.
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

    @Test func recordsStayInTheirOrder() throws {
        let bench = try Self.bench()
        let frames = lines(of: try bench.frames((0..<Self.count * 3).map { "Message \($0)" }))
        for order in Order.allCases {
            let names = order.arranged(Self.count, Self.contacts)
            var table = zip(names, frames).map { "\($0)\t\($1)" }
            // Bad ones in between: no frame, nobody, no field.
            for (place, bad) in [(0, "bela\tno frame"), (99, "nobody\t" + frames[0]), (300, "x")] {
                table.insert(bad, at: place)
            }
            let sent = try bench.run("smsenc-pad", ["-"], as: "amina", input: text(table))
            #expect(sent.status == 1 && sent.complaints.count >= 3, "\(sent.errorText)")
            let ciphertexts = lines(of: sent.output)
            #expect(ciphertexts.map(Self.name) == names)

            // Each contact reads its own, and Amina what they send in the same order.
            for name in Self.contacts {
                let own = ciphertexts.filter { Self.name($0) == name }
                let read = try bench.run(
                    "smsenc-pad", ["-d"], as: name,
                    input: text(own.map { "amina" + $0.dropFirst(name.count) }))
                #expect(read.status == 0 && !read.errorText.contains(": late"))
                let due = zip(names, frames).filter { $0.0 == name }.map { "amina\t" + $0.1 }
                #expect(lines(of: read.output) == due)
            }
        }
    }

    /// Behind the first bad record nothing is touched, whosever it is.
    @Test(arguments: [["--fail-fast"], ["--fail-fast", "-d"]])
    func nothingIsDoneBehindTheFirstBadOne(_ options: [String]) throws {
        let bench = try Self.bench()
        let deciphers = options.contains("-d")
        let frames = lines(of: try bench.frames((0..<60).map { "Message \($0)" }))
        let names = Order.inTurns.arranged(20, Self.contacts)
        var table = zip(names, frames).map { "\($0)\t\($1)" }
        if deciphers {
            table = []
            for name in Self.contacts {
                let own = zip(names, frames).filter { $0.0 == name }.map { "amina\t" + $0.1 }
                let sent = try bench.run("smsenc-pad", [], as: name, input: text(own))
                table += lines(of: sent.output).map { name + $0.dropFirst("amina".count) }
            }
            table = (0..<20).flatMap { row in (0..<3).map { table[$0 * 20 + row] } }
        }
        // One that only the keyring can tell: an altered ciphertext, a contact without keys.
        _ = try bench.run("smsenc-keyring", ["add", "erika"], as: "amina")
        let bad = deciphers ? Self.altered(table[31]) : "erika\t" + frames[0]
        let run = try bench.run(
            "smsenc-pad", options, as: "amina", input: text(table[..<31] + [bad] + table[31...]))
        #expect(run.status == 1, "\(run.errorText)")
        #expect(lines(of: run.output).map(Self.name) == names[..<31].map { $0 })
        let rest = try bench.run(
            "smsenc-pad", deciphers ? ["-d"] : [], as: "amina", input: text(table[31...]))
        #expect(rest.status == 0, "\(rest.errorText)")
        #expect(lines(of: rest.output).map(Self.name) == Array(names[31...]))
        if deciphers {
            let due = zip(names, frames).map { "\($0)\t\($1)" }
            #expect(lines(of: run.output) + lines(of: rest.output) == due)
        } else {
            for name in Self.contacts {
                let own = (lines(of: run.output) + lines(of: rest.output)).filter {
                    Self.name($0) == name
                }
                let read = try bench.run(
                    "smsenc-pad", ["-dc", "amina"], as: name,
                    input: text(own.map { String($0.drop { $0 != "\t" }.dropFirst()) }))
                #expect(read.status == 0)
                let due = zip(names, frames).filter { $0.0 == name }.map(\.1)
                #expect(lines(of: read.output) == due)
            }
        }
    }

    /// Amina and all contacts in step.
    private static func bench() throws -> Bench {
        let bench = try Bench()
        for person in ["amina"] + contacts { try bench.add(person: person) }
        for (index, name) in contacts.enumerated() {
            try bench.introduce("amina", name, number: "+2782123000\(index)")
        }
        return bench
    }

    private static func name(_ record: String) -> String { String(record.prefix { $0 != "\t" }) }

    /// A ciphertext with one character exchanged for another.
    private static func altered(_ record: String) -> String {
        var characters = Array(record)
        let place = characters.count - 40
        characters[place] = characters[place] == "x" ? "y" : "x"
        return String(characters)
    }
}
