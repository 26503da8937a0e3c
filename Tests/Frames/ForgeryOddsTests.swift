import FrameLayout
import Foundation
import Frames
import Support
import Testing

/// Checks that the documents state the odds of a forgery for the current number of forms. Each additional
/// form makes a forgery more likely.
@Suite(.measured) struct ForgeryOddsTests {
    /// Number of values that six symbols can have.
    private let failsafes = Double(125 * 125 * 125) * 125 * 125 * 125

    /// Each argument is a number of keys with which a forged SMS is tried (smsenc-protocol(7), LIMITS):
    /// one key, all keys, all keys with --far, and eight keys of 100 and of 5,000 contacts.
    @Test(arguments: [1.0, 2304, 10240, 800, 40000])
    func documentsStateTheOddsOfAForgery(_ keys: Double) throws {
        let odds = String(format: "%.1f", log2(failsafes / keys / Double(Form.allCases.count)))
        for name in ["man/smsenc-security.7"] + (keys == 1 ? ["Tests/Proofs/README"] : []) {
            #expect(try text(of: name).contains("2^-\(odds)"), "\(name) gives other odds")
        }
    }

    @Test(arguments: [2304.0, 10240, 800, 40000])
    func documentsStateTheTriesOfAForgery(_ keys: Double) throws {
        let tries = failsafes / keys / Double(Form.allCases.count) / 1e6
        let shown = tries < 100 ? Int(tries.rounded()) : Int((tries / 10).rounded()) * 10
        for name in ["man/smsenc-security.7"] + (keys == 2304 || keys == 10240 ? ["README.md"] : [])
        {
            #expect(try text(of: name).contains("\(shown) million"), "\(name) gives other odds")
        }
    }

    private func text(of name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../" + name)
        return try String(contentsOf: file, encoding: .utf8)
    }
}
