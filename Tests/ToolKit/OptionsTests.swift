import ToolKit
import Support
import Testing

@Suite(.measured) struct OptionsTests {
    private let table = [
        Option("null", short: "z", ""), Option("field", short: "f", value: "N", ""),
        Option("decrypt", short: "d", "a long option that takes no value"),
    ]

    @Test func shortOptionsGroupAndTakeValues() throws {
        let arguments = try Arguments(["-dzf2", "a", "--", "-d"], options: table)
        #expect(arguments.has("null") && arguments.has("decrypt"))
        #expect(arguments.value("field") == "2")
        #expect(arguments.operands == ["a", "-d"])
    }

    @Test(arguments: [["--field=3"], ["--field", "3"], ["-f", "3"], ["-f3"]])
    func valuesAreTakenInEveryForm(words: [String]) throws {
        #expect(try Arguments(words, options: table).integer("field", in: 1...9) == 3)
    }

    @Test(arguments: [
        ["--field", "2", "--field", "3"], ["-f2", "--field=3"], ["--field=2", "-f3"],
    ])
    func theLastOfSeveralValuesCounts(words: [String]) throws {
        #expect(try Arguments(words, options: table).value("field") == "3")
    }

    @Test(arguments: [["-x"], ["--no"], ["-f"], ["--field"], ["--null=1"], ["-zx"]])
    func misuseIsRefused(words: [String]) throws {
        let stop = try #require(throws: ExitError.self) { try Arguments(words, options: table) }
        #expect(stop.status == .usage)
    }

    @Test(arguments: ["", "0", "10", "+3", "3x", "99999999999999999999"])
    func numbersOutsideTheLimitsAreRefused(text: String) throws {
        let arguments = try Arguments(["--field", text], options: table)
        let stop = try #require(throws: ExitError.self) {
            try arguments.integer("field", in: 1...9)
        }
        #expect(stop.status == .usage)
    }

    @Test func aLoneDashIsAnOperand() throws {
        #expect(try Arguments(["-"], options: table).operands == ["-"])
    }
}
