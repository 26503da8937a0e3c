import Foundation
import Support
import Testing

/// Tests what the scripts promise, and runs the lints.
@Suite("Project", .measured)
struct ProjectTests {
    /// The lints run in the POSIX locale, which many remote logins use.
    @Test(arguments: ["manual", "format", "shell", "python"])
    func lintReportsNothing(_ part: String) throws {
        let (status, output) = try Project.run("LC_ALL=C scripts/lint " + part)
        #expect(status == 0, "scripts/lint \(part)\n\(output)")
        #expect(output == "")
    }

    /// No temporary files may remain, including those of the compiler.
    @Test func buildPrintsTheFolderOfTheToolsLast() throws {
        let (status, output) = try runLeavingNothing("scripts/build")
        try #require(status == 0, "scripts/build\n\(output)")
        let folder = String(try #require(output.split(separator: "\n").last))
        #expect(folder.hasPrefix("/"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == Tools.names.sorted())
        for name in names {
            let file = folder + "/" + name
            #expect(FileManager.default.isExecutableFile(atPath: file))
            let contents = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(!ElfImage(contents).needsInterpreter, "\(name) is not static")
            #expect(!ElfImage(contents).hasSymbolTable, "\(name) is not stripped")
        }
    }

    /// Runs a benchmark without keyrings, because preparing keyrings takes a minute. The test does not
    /// check the speed.
    @Test func benchmarksRunToTheirEnd() throws {
        let (status, output) = try Project.run("scripts/bench --rounds 2 frame")
        #expect(status == 0, "\(output)")
        #expect(output.contains("\nframe  "), "\(output)")
        #expect(try Project.run("scripts/bench frames").status == 64)
    }

    /// Checks models of the protocol, if ProVerif is installed. `scripts/test --all` checks all models.
    @Test(
        .enabled(
            if: Commands.has(proverif),
            "there is no ProVerif: see scripts/proofs --help, then run scripts/test --all"))
    func proofsHold() throws {
        let all = LongTests.areEnabled
        let (status, output) = try Project.run("scripts/proofs" + (all ? "" : " --quick"))
        #expect(status == 0, "\(output)")
    }

    private static let proverif =
        ProcessInfo.processInfo.environment["PROVERIF"] ?? "proverif"

    /// A script with `--help` must print the help before it installs or builds anything.
    @Test(arguments: [
        "bench", "build", "demo", "embedded", "install", "lint", "manual-html", "package", "proofs",
        "setup", "sysroot", "test", "uninstall",
    ])
    func everyScriptPrintsItsHelp(_ script: String) throws {
        let (status, help) = try Project.run("PATH=/usr/bin:/bin scripts/\(script) --help")
        #expect(status == 0)
        #expect(help.hasPrefix("usage: "), "scripts/\(script)")
    }

    @Test func setupPrintsNothingIfNothingIsMissing() throws {
        #expect(try runLeavingNothing("scripts/setup tests") == (0, ""))
    }

    /// Runs a command and checks that it leaves no temporary files.
    private func runLeavingNothing(_ command: String) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let result = try Project.run("TMPDIR=\(quoted(folder)) \(command)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        return result
    }
}

/// A minimal parser of 64-bit little-endian ELF files, which shows how they were linked.
private struct ElfImage {
    private let bytes: Data

    init(_ bytes: Data) { self.bytes = bytes }

    /// True if there is a program header of type PT_INTERP, which names the dynamic linker.
    var needsInterpreter: Bool {
        types(from: number(at: 32, size: 8), size: number(at: 54, size: 2), typeAt: 0, countAt: 56)
            .contains(3)
    }

    /// True if there is a section of type SHT_SYMTAB, which `strip` removes.
    var hasSymbolTable: Bool {
        types(from: number(at: 40, size: 8), size: number(at: 58, size: 2), typeAt: 4, countAt: 60)
            .contains(2)
    }

    private func types(from start: Int, size: Int, typeAt offset: Int, countAt count: Int) -> [Int]
    {
        (0..<number(at: count, size: 2)).map { number(at: start + $0 * size + offset, size: 4) }
    }

    private func number(at offset: Int, size: Int) -> Int {
        bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
