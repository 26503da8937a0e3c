import FrameLayout
import Foundation
import Frames
import GSM7
import Support
import Testing

/// Checks the table in smsenc-languages(7) and README.md of the number of characters that fit in one SMS.
@Suite(.measured) struct CapacityTests {
    /// A kind of text, with its name, an example, and a generator of random pieces.
    struct TextKind: Sendable, CustomTestStringConvertible {
        let name: String
        let example: String
        let next: @Sendable (inout Generator) -> String

        var testDescription: String { name }

        /// Creates a kind of text that consists of sentences in random order. In the argument, they are
        /// separated by `|`.
        init(_ name: String, _ sentences: String) {
            let all = sentences.split(separator: "|").map(String.init)
            self.init(name, all[0]) { $0.pick(all) + (all[0].hasSuffix("。") ? "" : " ") }
        }

        init(
            _ name: String, _ example: String,
            _ next: @escaping @Sendable (inout Generator) -> String
        ) {
            (self.name, self.example, self.next) = (name, example, next)
        }
    }

    static let kinds = [
        TextKind(
            "English",
            """
            Ok c u at 6 at the bridge.|Pls bring water n bread for 4 ppl, Zainab has none left!|We r safe, \
            dont worry abt us|Can you tell Halima that I'll be late? No fuel in Garissa today.|Dr Mwangi \
            says he can go home on Tue|Couldn't call u, no network since Fri :-(|THANK YOU so much, see you soon
            """),
        TextKind(
            "French",
            """
            Rendez-vous au pont à six heures.|Apporte de l'eau et du pain pour quatre personnes.|Nous \
            allons bien, ne t'inquiète pas.|Dis à ma sœur que je serai en retard.|Le médecin dit qu'il \
            peut rentrer demain.|Je n'ai pas pu t'appeler, il n'y avait pas de réseau.|Merci, à bientôt !
            """),
        TextKind(
            "Russian",
            """
            Встретимся у моста в шесть.|Принеси, пожалуйста, воды и хлеба.|У нас всё хорошо, не \
            волнуйся.|Скажи сестре, что я опоздаю.|Врач говорит, что завтра его отпустят домой.|Не мог \
            тебе позвонить, весь день не было связи.|Спасибо большое, до встречи!
            """),
        TextKind(
            "Arabic",
            """
            نلتقي عند الجسر في السادسة.|أحضر معك ماء وخبزا من فضلك.|نحن بخير فلا تقلق علينا.|قل لأختي إنني \
            سأتأخر قليلا.|يقول الطبيب إنه سيعود إلى البيت غدا.|لم أستطع الاتصال بك لأن الشبكة كانت مقطوعة.
            """),
        TextKind(
            "Hindi",
            """
            छह बजे पुल पर मिलो।|कृपया पानी और रोटी लेकर आना।|हम सब ठीक हैं, चिंता मत करो।|मेरी बहन से कहना कि मुझे देर \
            होगी।|डॉक्टर कहते हैं कि वह कल घर जा सकता है।|मैं फ़ोन नहीं कर सका, दिन भर नेटवर्क नहीं था।
            """),
        TextKind(
            "Chinese",
            """
            六点在桥边见。|请带一点水和面包来。|我们都很好，别担心。|告诉我妹妹我会晚一点到。|医生说他明天可以回家。|今天一天都没有信号，\
            没法给你打电话。|谢谢你，回头见。
            """),
        TextKind("numbers", "12,0,7,133") { "\($0.number(below: 1000))," },
        TextKind("rows of a table", "Ifo;120;8") {
            let place = $0.pick(["Ifo", "Dagahaley", "Hagadera", "Kambioos", "Kakuma", "Dollo"])
            return "\(place);\($0.number(below: 300));\($0.number(below: 20))\n"
        },
        TextKind("key=value", "muac=118 wt=9.4 age=14 sex=F") {
            "muac=\(90 + $0.number(below: 70)) wt=\(4 + $0.number(below: 12)).\($0.number(below: 10)) "
                + "age=\($0.number(below: 60)) sex=\($0.pick(["F", "M"])) "
        },
        TextKind("dates and times", "2026-11-22 14:05") {
            let day = two($0.number(below: 28) + 1)
            return "2026-\(two($0.number(below: 12) + 1))-\(day) "
                + "\(two($0.number(below: 24))):\(two($0.number(below: 60))) "
        },
        TextKind("positions", "-1.28333,36.81667") {
            "-\($0.number(below: 9)).\(10_000 + $0.number(below: 90_000)),"
                + "3\($0.number(below: 10)).\(10_000 + $0.number(below: 90_000)) "
        },
        TextKind("telephone numbers", "+254712345678") {
            "+2547\(10_000_000 + $0.number(below: 90_000_000)) "
        },
        TextKind("codes", "NRB-0045") { generator in
            let letters = (0..<3).map { _ in generator.pick(Array("ABCDEFGHJKLMNPQRSTUVWXYZ")) }
            let number = String(generator.number(below: 10_000) + 10_000).dropFirst()
            return String(letters) + "-\(number) "
        },
        TextKind("hexadecimal", "9f86d081884c7d65") {
            String(0x10_0000 + $0.number(below: 0xF0_0000), radix: 16)
        },
        TextKind("links", "https://example.org/?id=20456") {
            let page = $0.pick(["map", "report", "news", "2026/11", "en/list"])
            return "https://example.org/\(page)?id=\($0.number(below: 100_000)) "
        },
    ]

    /// The number in the table is the median over several random texts.
    @Test(arguments: kinds)
    func manualStatesTheMedianThatFits(_ kind: TextKind) throws {
        var generator = Generator(seed: 31)
        let lengths = try (0..<5).map { _ in try length(kind, &generator) }.sorted()
        let row = "\(kind.name) Ta \(kind.example) Ta \(lengths[lengths.count / 2])"
        let found = try file("man/smsenc-languages.7").split(separator: "\n")
            .first { $0.hasPrefix(".It \(kind.name) Ta \(kind.example) Ta ") }
        #expect(found == ".It \(row)")
        let shown = "| \(kind.name) | `\(kind.example)` |"
        let readme = try file("README.md")
        if readme.contains(shown) {
            #expect(
                readme.contains("\(shown) \(lengths[lengths.count / 2]) |"), "README.md: \(row)")
        }
    }

    /// Returns the length of the longest prefix of a random text that fits in one frame.
    private func length(_ kind: TextKind, _ generator: inout Generator) throws -> Int {
        var text = String.UnicodeScalarView()
        while text.count < 450 { text += kind.next(&generator).unicodeScalars }
        let scalars = Array(text)
        var (low, high) = (100, scalars.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            let utf8 = Array(String(String.UnicodeScalarView(scalars[..<middle])).utf8)
            let (_, taken) = try Frame.measure(utf8.span, newline: .lineFeed)
            if taken <= Frame.text.count { low = middle } else { high = middle }
        }
        return low
    }

    private func file(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }
}

private func two(_ number: Int) -> String { String(String(number + 100).dropFirst()) }
