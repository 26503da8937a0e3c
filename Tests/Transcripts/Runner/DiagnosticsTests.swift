import Foundation
import Support
import Testing

/// Checks that the sources contain every diagnostic that the manual explains.
@Suite("Diagnostics", .measured)
struct DiagnosticsTests {
    @Test(arguments: ["gsm7-check.1", "smsenc-frame.1", "smsenc-pad.1", "smsenc-keyring.1"])
    func everyDiagnosticInTheManualExists(_ page: String) throws {
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
    /// Returns true if at least a quarter of the words in the text are from this literal.
    fileprivate func shares(with part: String) -> Bool {
        let words = Set(text.split { !$0.isLetter })
        let theirs = part.split { !$0.isLetter }
        return 4 * theirs.count { words.contains($0) } >= theirs.count
    }
}

extension Project {
    /// All source files of the tools and libraries.
    static var sources: [String] {
        let folders = files(in: "Sources", endingIn: [""])
        return folders.flatMap { folder in
            files(in: "Sources/" + folder, endingIn: [".swift"]).map {
                "Sources/\(folder)/\($0)"
            }
        }
    }
}
