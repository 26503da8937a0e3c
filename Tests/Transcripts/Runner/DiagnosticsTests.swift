import Foundation
import Support
import Testing

/// What the tools say is in the manual, and the manual speaks of nothing else.
@Suite("Diagnostics", .measured)
struct DiagnosticsTests {
    /// Where the words of diagnostics are, and the pages that list them under DIAGNOSTICS.
    private static let sources: [(folder: String, files: [String], pages: [String])] = [
        ("Access", ["AccessError", "Keyring+Meant", "KeyringError+Words"], ["smsenc-keyring.1"]),
        ("smsenc-keyring", ["Words"], ["smsenc-keyring.1"]),
        ("smsenc-pad", ["Words"], ["smsenc-pad.1", "smsenc-frame.1"]),
        ("smsenc-frame", ["Words"], ["smsenc-frame.1"]),
        ("Frames", ["FrameFault"], ["smsenc-frame.1"]),
        ("gsm7-check", ["Words"], ["gsm7-check.1"]),
        ("GSM7", ["TextFault", "ForeignEncoding"], ["gsm7-check.1"]),
        ("LineIO", ["IOError+Words", "Filter"], ["smsenc-pad.1", "smsenc-keyring.1"]),
    ]

    /// What is never shown: main dies of SIGPIPE instead, and every reader has its own words.
    private static let unsaid = ["the reader of the output has gone away", "are too many"]

    /// Words from which on a literal is taken for a diagnostic.
    private static let fewestWords = 3

    @Test(arguments: sources.map(\.folder))
    func everyOneIsInTheManual(_ folder: String) throws {
        for (_, files, pages) in Self.sources.filter({ $0.folder == folder }) {
            let heads = try pages.flatMap { try ManualPage($0).diagnostics() }
            for file in files {
                let literals = try SwiftLiteral.all(in: "Sources/\(folder)/\(file).swift")
                    .filter { literal in !Self.unsaid.contains { literal.text.hasSuffix($0) } }
                #expect(literals.contains { $0.wordCount >= Self.fewestWords }, "\(file) moved")
                for literal in literals where literal.wordCount >= Self.fewestWords {
                    #expect(
                        heads.contains { literal.fits(in: $0) },
                        "not in DIAGNOSTICS of \(pages): \(literal.text)")
                }
            }
        }
    }

    @Test(arguments: ["gsm7-check.1", "smsenc-frame.1", "smsenc-pad.1", "smsenc-keyring.1"])
    func theManualListsNoOther(_ page: String) throws {
        let literals = try Project.sources.flatMap(SwiftLiteral.all)
            .filter { $0.wordCount >= 2 }
        for head in try ManualPage(page).diagnostics() {
            let parts = head.components(separatedBy: "; ").filter { part in
                part.split(separator: " ").count { $0.first?.isLowercase == true } >= 3
            }
            for part in parts {
                #expect(
                    literals.contains { $0.fits(in: head) && $0.shares(with: part) },
                    "no tool says: \(head)")
            }
        }
    }
}

extension SwiftLiteral {
    /// Whether a fourth of a text's words are this literal's.
    fileprivate func shares(with part: String) -> Bool {
        let words = Set(text.split { !$0.isLetter })
        let theirs = part.split { !$0.isLetter }
        return 4 * theirs.count { words.contains($0) } >= theirs.count
    }
}

extension Project {
    /// All sources of tools and libraries.
    static var sources: [String] {
        let folders = files(in: "Sources", endingIn: [""])
        return folders.flatMap { folder in
            files(in: "Sources/" + folder, endingIn: [".swift"]).map {
                "Sources/\(folder)/\($0)"
            }
        }
    }
}
