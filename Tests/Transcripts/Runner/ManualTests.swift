import Foundation
import Support
import Testing

@Suite("Manual", .measured)
struct ManualTests {
    @Test(.enabled(if: ManualPage.missing.isEmpty, "not written yet: \(ManualPage.missing)"))
    func everyToolHasAManualPage() {
        #expect(ManualPage.missing.isEmpty)
    }

    @Test(arguments: ManualPage.names.filter(ManualPage.exists))
    func examplesGiveTheOutputShown(_ name: String) async throws {
        let examples = try ManualPage(name).examples()
        #expect(!examples.steps.isEmpty, "\(name) has no EXAMPLES with commands in them")
        try await onBlockingThread { try TranscriptRun(examples) }.record(for: examples)
    }

    @Test(arguments: Tools.names.filter { ManualPage.exists($0 + ".1") })
    func manualAndHelpListTheSameOptions(_ tool: String) throws {
        let page = try ManualPage(tool + ".1")
        let options = try options(of: tool)
        var all = Set(options.joined())
        #expect(
            page.synopsisOptions
                == Set(options.compactMap(\.first)).subtracting(["-h", "--version"]))
        let commands = try Set(
            help(of: tool).matches(of: #/(?m)^  ([a-z][a-z-]*)/#).map { String($0.1) })
        for command in commands {
            let own = try Set(self.options(of: "\(tool) \(command)").joined()).subtracting(all)
                .subtracting(["-z", "--null", "--rejects", "--status", "--fail-fast", "--progress"])
            #expect(page.options(inItems: "Ic \(command) ") == own, "\(command)")
        }
        for command in commands {
            all.formUnion(try self.options(of: "\(tool) \(command)").joined())
        }
        #expect(page.options().symmetricDifference(all).sorted() == [], "in one of them only")
        #expect(page.commands == commands)
    }

    @Test(arguments: [
        "smsenc.1", "smsenc-slips.1", "smsenc-compose.1", "smsenc-send.1", "smsenc-receive.1",
        "smsenc-inbox.1", "smsenc-report.1", "smsenc-route.1", "smsenc-file.1", "smsenc-open.1",
    ])
    func optionsAreThoseOfTheScripts(_ name: String) throws {
        let page = try ManualPage(name)
        var offered: Set<String> = []
        for script in page.names {
            let help = try Project.run("scripts/\(script) --help").output
            offered.formUnion(help.matches(of: #/[\s\[](--[a-z][a-z-]+)/#).map { String($0.1) })
        }
        let described = page.options().filter { $0.hasPrefix("--") }
        #expect(described.subtracting(offered).sorted() == [], "in \(name), not in --help")
        #expect(offered.subtracting(described).sorted() == [], "in --help, not in \(name)")
    }

    /// Comments refer to sections of the manual in the form `smsenc-protocol(7), Next keys`.
    @Test func everySectionThatACommentNamesExists() throws {
        let command =
            "find Sources Tests scripts -name '*.swift' -o -name '*.h' -o -name '*.bash' | sort"
        let files = try Project.run(command).output.split(separator: "\n").map(String.init)
        var titles: [String: [String]] = [:]
        for file in files where !file.hasSuffix("ManualTests.swift") {
            let source = try String(
                contentsOfFile: Project.folder.path + "/" + file, encoding: .utf8)
            // A reference may continue on the next line.
            let text = source.replacing(#/\n\s*(?:\/{2,3}|#) ?/#, with: " ")
            for match in text.matches(of: #/(smsenc[a-z-]*)\((\d)\), ([A-Z][^).;:]*)/#) {
                let page = "\(match.1).\(match.2)"
                let known = try titles[page] ?? ManualPage(page).titles.map { $0.lowercased() }
                titles[page] = known
                let named = match.3.lowercased()
                #expect(
                    known.contains { named.hasPrefix($0) },
                    "\(file): \(page) has no section \(match.3)")
            }
        }
    }

    private static let cards = ["smsenc-card.7", "smsenc-card-offers.7"]

    /// Each printed card for users without technical knowledge must fit on one sheet of paper. (This
    /// applies to the output of scripts/manual-html. The letters of mandoc's output are larger.)
    @Test(arguments: cards) func everyCardFitsOnOneSheet(_ name: String) throws {
        let (status, pages) = try Project.run(
            "mandoc -T pdf -O paper=a4 man/\(name) | grep -a /Count")
        #expect(status == 0)
        #expect(["/Count 1\n", "/Count 2\n"].contains(pages))
        let card = try text(ofPage: name).lowercased()
        for word in ["frame", "gsm", "septet", "cipher"] {
            #expect(!card.contains(word), "\(word) is no word of plain speech")
        }
    }

    /// Any text that a card quotes from the screen must be literally in the output of some tool.
    @Test(arguments: cards) func everyCardQuotesTheToolsLiterally(_ name: String) throws {
        let literals = try Project.sources.flatMap(SwiftLiteral.all).map(\.withName)
        let scripts = try Project.run("cat scripts/smsenc-*").output
        let rows = try self.rows(ofPage: name)
        #expect(rows.count > 3)
        for row in rows {
            let words = row.replacing(#/\b[Bb]ela\b/#, with: "NAME")
            let isSaid = literals.contains { $0.contains(words) } || scripts.contains(row)
            #expect(isSaid, "no tool says: \(row)")
        }
    }

    /// In all languages, a card must contain the same commands and the same output.
    @Test(arguments: cards, ["ar", "es", "fr", "pt", "ru", "sw"])
    func translatedCardsShowTheSameCommands(_ name: String, _ language: String) throws {
        let page = "\(language)/man7/\(name)"
        #expect(try rows(ofPage: page) == rows(ofPage: name))
        // The first block is not a command, although it looks like one.
        #expect(try typed(onPage: page).dropFirst() == typed(onPage: name).dropFirst())
        let (status, shown) = try Project.run("mandoc -T utf8 man/\(page)")
        #expect(status == 0)
        #expect(!shown.contains("<?>"))
    }

    private func text(ofPage name: String) throws -> String {
        try String(contentsOfFile: Project.folder.path + "/man/" + name, encoding: .utf8)
    }

    private func rows(ofPage name: String) throws -> [String] {
        try text(ofPage: name).matches(of: #/(?m)^\.It Dq Li (.*)$/#).map { String($0.1) }
    }

    private func typed(onPage name: String) throws -> [String] {
        try text(ofPage: name).matches(of: #/(?m)^\.Ic (.*?)(?: [.,:;])?$/#).map { String($0.1) }
    }

    @Test(arguments: Tools.names.filter { ManualPage.exists($0 + ".1") })
    func exitStatusesAreTheSharedOnes(_ tool: String) throws {
        let page = try ManualPage(tool + ".1")
        let statuses = page.exitStatuses
        #expect(Set(statuses).isSuperset(of: [0, 1, 64]), "EXIT STATUS of \(tool).1")
        #expect(Set(statuses).subtracting(documented).sorted() == [], "EXIT STATUS of \(tool).1")
        #expect(statuses == Set(statuses).sorted(), "EXIT STATUS of \(tool).1 in order, once each")
    }

    /// Exit statuses that all four tools share, based on sysexits(3).
    private let documented: Set = [0, 1, 64, 65, 66, 73, 74, 75, 77]

    private func help(of command: String) throws -> String {
        let (status, help) = try Project.run(quoted(Tools.folder.path) + "/\(command) --help")
        #expect(status == 0)
        return help
    }

    /// Returns the options listed by `--help`, each with its short name (if it has one) and its long name.
    private func options(of command: String) throws -> [[String]] {
        try help(of: command).matches(of: #/(?m)^  (?:(-\w), |    )(--[a-z-]+)/#).map { match in
            [match.1, match.2].compactMap { $0.map(String.init) }
        }
    }
}

extension SwiftLiteral {
    /// Text in which each interpolation is replaced with a name.
    fileprivate var withName: String { text.replacing("\u{FFFC}", with: "NAME") }
}
