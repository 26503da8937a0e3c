import Foundation
import Support
import Testing

/// Tests changes that phones, chat apps and mail programs make to a copied SMS. smsenc-read undoes most of
/// them and never prints a wrong message.
@Suite("Manglings", .measured)
struct ManglingTests {
    struct Mangling: Sendable {
        let name: String
        let isRead: Bool
        let mangle: @Sendable (String) -> String

        init(_ name: String, isRead: Bool = true, _ mangle: @escaping @Sendable (String) -> String)
        {
            (self.name, self.isRead, self.mangle) = (name, isRead, mangle)
        }

        /// Creates a change that replaces characters.
        init(_ name: String, isRead: Bool = true, _ replacements: [String: String]) {
            self.init(name, isRead: isRead) { sms in
                sms.map { replacements[String($0)] ?? String($0) }.joined()
            }
        }
    }

    static let manglings = [
        Mangling("blanks behind") { $0 + "  " },
        Mangling("blanks in front") { "  \t" + $0 },
        Mangling("CR LF") { $0 + "\r" },
        Mangling("wrapped at 70") { lines($0, of: 70).joined(separator: "\n") },
        Mangling("wrapped, with empty lines") { lines($0, of: 40).joined(separator: "\n\n") },
        Mangling("wrapped at a space") { sms in
            guard let space = sms.firstIndex(of: " ") else { return sms }
            return sms[..<space] + "\n" + sms[sms.index(after: space)...]
        },
        Mangling("letters and marks apart") { $0.decomposedStringWithCanonicalMapping },
        Mangling("small c with cedilla", ["Ç": "ç"]),
        Mangling("ohm and ångström", ["Ω": "\u{2126}", "Å": "\u{212B}"]),
        Mangling("a header above") { "Amina, 08:30\n" + $0 },
        Mangling("a signature below") { $0 + "\n-- \nSent from my phone" },
        Mangling("no-break spaces", [" ": "\u{A0}"]),
        Mangling("narrow no-break spaces", [" ": "\u{202F}"]),
        Mangling("byte order mark") { "\u{FEFF}" + $0 },
        Mangling("zero-width space in front") { "\u{200B}" + $0 },
        Mangling("zero-width spaces inside") { lines($0, of: 20).joined(separator: "\u{200B}") },
        Mangling("word joiners, wrapped") { lines($0, of: 50).joined(separator: "\u{2060}\n") },
        Mangling("soft hyphens") { lines($0, of: 25).joined(separator: "\u{AD}") },
        Mangling("mark of direction behind") { $0 + "\u{200E}" },
        Mangling("isolates of direction") { "\u{2068}" + $0 + "\u{2069}" },
        Mangling("embedding of direction") { "\u{202A} " + $0 + "\u{A0}\u{202C}" },
        Mangling("curly double quotes", ["\"": "\u{201D}"]),
        Mangling("low double quotes", ["\"": "\u{201E}"]),
        Mangling("no-break hyphens", ["-": "\u{2011}"]),
        Mangling("en dashes", ["-": "\u{2013}"]),
        Mangling("figure spaces", [" ": "\u{2007}"]),
        Mangling("curly single quotes", ["'": "\u{2019}"]),
        Mangling("look-alikes of Greek", ["Δ": "\u{2206}", "Σ": "\u{2211}", "Π": "\u{220F}"]),
        Mangling("full-width yen", ["¥": "\u{FFE5}"]),
        Mangling("euro for the currency sign", ["¤": "€"]),
        Mangling("mail quote") { "> " + $0 },
        Mangling("mail quotes, wrapped") { "> > " + lines($0, of: 70).joined(separator: "\n> > ") },
        Mangling("HTML", ["&": "&amp;", "<": "&lt;", ">": "&gt;"]),
        Mangling(
            "HTML, letters too",
            ["é": "&eacute;", "Ω": "&Omega;", "§": "&#167;", "ß": "&#xDF;", "'": "&#39;"]),
        Mangling("HTML of a mail quote") {
            "&gt; " + $0.replacingOccurrences(of: "<", with: "&lt;")
        },
        Mangling("a name in front") { "Amina: " + $0 },
        Mangling("time and name in front, wrapped") {
            lines("[24.11.26, 08:12] Amina: " + $0, of: 70).joined(separator: "\n")
        },
        Mangling("capitals", isRead: false) { $0.uppercased() },
        Mangling("accents lost", isRead: false) {
            $0.folding(options: .diacriticInsensitive, locale: nil)
        },
        Mangling("one cut", isRead: false) { String($0.dropLast()) },
        Mangling("two exchanged", isRead: false) { sms in
            String([sms.last, sms.first].compactMap(\.self)) + sms.dropFirst().dropLast()
        },
        Mangling(
            "question marks for Greek", isRead: false, ["Δ": "?", "Φ": "?", "Γ": "?", "Λ": "?"]),
    ]

    private static func lines(_ text: String, of length: Int) -> [String] {
        stride(from: 0, to: text.count, by: length).map { start in
            String(text.dropFirst(start).prefix(length))
        }
    }

    /// Number of changed SMS that are tested for each kind of change.
    private static let samples = 3

    private static let preparation = """
        set -e; umask 077; echo 'Correct horse!' >password; export SMSENC_PASSWORD_FILE=password
        for who in amina bela; do
            smsenc-keyring -k $who init --user $who
        done
        smsenc-keyring -k amina add Bela >key
        smsenc-keyring -k bela add Amina | smsenc-keyring -k amina sync Bela
        smsenc-keyring -k bela sync Amina <key
        seq 1000 1999 | sed 's/.*/Message &/' | smsenc-frame | smsenc-pad -k amina -c Bela >sms
        smsenc-keyring -k bela unlock >session
        mkdir in out
        """

    private static let reading = """
        . ./session; export SMSENC_KEYRING=$PWD/bela
        cd in; for file in *; do smsenc-read Amina <$file >../out/$file 2>../out/$file.said; done; :
        """

    @Test func mostMangledMessagesAreReadAndNoneWrongly() async throws {
        let (home, environment) = try makeHome(tools: Tools.folder)
        defer { try? FileManager.default.removeItem(at: home) }
        let desk = home.appending(path: "desk")
        func run(_ script: String) async throws {
            let status = try await onBlockingThread {
                exitStatus(
                    of: try spawn(
                        ["/bin/sh", "-c", "{ \(script)\n} >log 2>&1"], environment: environment,
                        in: desk.path, descriptors: []))
            }
            let log = (try? String(contentsOf: desk.appending(path: "log"), encoding: .utf8)) ?? ""
            try #require(status == 0, "\(log)")
        }
        try await run(Self.preparation)
        let sent = try String(contentsOf: desk.appending(path: "sms"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        var next = 0
        var expected: [(file: String, mangling: Mangling, message: String)] = []
        for mangling in Self.manglings {
            for _ in 0..<Self.samples {
                while Array(mangling.mangle(sent[next]).utf8) == Array(sent[next].utf8) {
                    next += 1
                }
                let file = String(1000 + expected.count)
                let text = Data((mangling.mangle(sent[next]) + "\n").utf8)
                try text.write(to: desk.appending(path: "in/\(file)"))
                expected.append((file, mangling, "Message \(1000 + next)\n"))
                next += 1
            }
        }
        try await run(Self.reading)
        var read: Set<String> = []
        for (file, mangling, message) in expected {
            let out = try String(contentsOf: desk.appending(path: "out/\(file)"), encoding: .utf8)
            if out == message { read.insert(mangling.name) }
            let said = try String(
                contentsOf: desk.appending(path: "out/\(file).said"), encoding: .utf8)
            #expect(out == (mangling.isRead ? message : ""), "\(mangling.name): \(said)")
        }
        #expect(read.count >= 24 && Self.manglings.count >= 30)
    }
}
