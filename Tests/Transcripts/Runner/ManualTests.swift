import Foundation
import Support
import Testing

@Suite("Manual")
struct ManualTests {
    @Test(.enabled(if: ManualPage.missing.isEmpty, "not written yet: \(ManualPage.missing)"))
    func everyPageIsThere() {
        #expect(ManualPage.missing.isEmpty)
    }

    @Test(arguments: ManualPage.names.filter(ManualPage.exists))
    func examplesDoWhatTheySay(_ name: String) async throws {
        let examples = try ManualPage(name).examples()
        #expect(!examples.steps.isEmpty, "\(name) has no EXAMPLES with commands in them")
        try await aside { try TranscriptRun(examples) }.record(for: examples)
    }

    @Test(arguments: Tools.names.filter { ManualPage.exists($0 + ".1") })
    func optionsAreThoseOfTheHelp(_ tool: String) throws {
        let page = try ManualPage(tool + ".1")
        let (status, help) = try Project.run(quoted(Tools.folder.path + "/" + tool) + " --help")
        #expect(status == 0)
        let offered = options(in: help)
        let described = page.describedOptions
        #expect(described.subtracting(offered).sorted() == [], "in \(tool).1, not in --help")
        #expect(offered.subtracting(described).sorted() == [], "in --help, not in \(tool).1")
        #expect(
            page.synopsisOptions.subtracting(described).sorted() == [],
            "in SYNOPSIS of \(tool).1, not described")
        #expect(offered.isSuperset(of: ["--help", "--version"]))
    }

    @Test func commandsAreThoseOfTheHelp() throws {
        let help = try Project.run(quoted(Tools.folder.path + "/smsenc-keyring") + " --help").output
        let page = try Project.run("cat man/smsenc-keyring.1").output
        let offered = Set(help.matches(of: #/(?m)^  ([a-z][a-z-]*)/#).map(\.1))
        let described = Set(page.matches(of: #/(?m)^\.It Ic ([a-z-]+)/#).map(\.1))
        #expect(described.symmetricDifference(offered).sorted() == [], "in one of them only")
        #expect(offered.contains("destroy"))
    }

    @Test(arguments: [
        "smsenc-slips.1", "smsenc-compose.1", "smsenc-outbox.1", "smsenc-file.1",
        "smsenc-open.1",
    ])
    func optionsAreThoseOfTheScripts(_ name: String) throws {
        let page = try ManualPage(name)
        var offered: Set<String> = []
        for script in page.names {
            let (status, help) = try Project.run("scripts/\(script) --help")
            #expect(status == 0)
            offered.formUnion(options(in: help).filter { $0.hasPrefix("--") })
        }
        let described = page.describedOptions.filter { $0.hasPrefix("--") }
        #expect(described.subtracting(offered).sorted() == [], "in \(name), not in --help")
        #expect(offered.subtracting(described).sorted() == [], "in --help, not in \(name)")
    }

    /// What is printed for people who are no programmers: one side of paper, in their words.
    @Test func cardIsOnePage() throws {
        let (status, pages) = try Project.run(
            "mandoc -T pdf -O paper=a4 man/smsenc-card.7 | grep -a /Count")
        #expect(status == 0)
        #expect(pages == "/Count 1\n")
        let card = try String(
            contentsOfFile: Project.folder.path + "/man/smsenc-card.7", encoding: .utf8
        ).lowercased()
        for word in ["frame", "gsm", "septet", "cipher"] {
            #expect(!card.contains(word), "\(word) is no word of plain speech")
        }
    }

    @Test(arguments: Tools.names.filter { ManualPage.exists($0 + ".1") })
    func exitStatusesAreThoseOfTheInterface(_ tool: String) throws {
        let page = try ManualPage(tool + ".1")
        let statuses = page.exitStatuses
        #expect(Set(statuses).isSuperset(of: [0, 1, 64]), "EXIT STATUS of \(tool).1")
        #expect(Set(statuses).subtracting(documented).sorted() == [], "EXIT STATUS of \(tool).1")
        #expect(statuses == Set(statuses).sorted(), "EXIT STATUS of \(tool).1 in order, once each")
    }

    /// The exit statuses that all four tools share, after sysexits(3).
    private let documented: Set = [0, 1, 64, 65, 66, 73, 74, 75, 77]

    /// `[-dnN]` is -d, -n and -N; `--far` itself.
    private func options(in help: String) -> Set<String> {
        var options: Set<String> = []
        for (_, hyphens, name) in help.matches(of: #/(?:^|[\s\[(,|=])(--?)([A-Za-z][A-Za-z-]*)/#)
            .map(\.output)
        {
            if hyphens == "--" {
                options.insert("--" + name)
            } else {
                options.formUnion(name.map { "-\($0)" })
            }
        }
        return options
    }
}
