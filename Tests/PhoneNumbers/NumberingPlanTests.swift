import Foundation
import Support
import Testing

@testable import PhoneNumbers

/// Tests each calling code of numbering-plans.tsv with each length that its numbers can have.
@Suite(.measured) struct NumberingPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        let prefix: String
        let lengths: [Int]
        let example: String
        var testDescription: String { code }

        init(_ line: Substring) {
            let fields = line.split(separator: "\t").map(String.init)
            (code, example) = (fields[0], fields[4])
            prefix = ["-", code].contains(fields[1]) ? "" : fields[1]
            lengths = Set(fields[2...3].flatMap { $0.split(separator: ",").compactMap { Int($0) } })
                .sorted()
        }

        /// The mobile number in the table, and numbers of each length that begin with each digit.
        var numbers: [String] {
            let digits = String(repeating: "1234567890", count: 2)
            return [example]
                + lengths.flatMap { length in
                    ((prefix.isEmpty ? 0 : 1)...9).map { "\($0)\(digits.prefix(length - 1))" }
                }
        }
    }

    static let rows: [Row] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "numbering-plans.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { Row($0) }
    }()

    @Test func theTableContainsEachRow() {
        let items = Self.rows.map { row in
            var ranges: [ClosedRange<Int>] = []
            for length in row.lengths {
                if let last = ranges.last, last.upperBound == length - 1 {
                    ranges[ranges.count - 1] = last.lowerBound...length
                } else {
                    ranges.append(length...length)
                }
            }
            let lengths = ranges.map {
                $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
            }
            return "\(row.code)/\(row.prefix)/\(lengths.joined(separator: ","))"
        }
        #expect(items.count == 206)
        #expect(NumberingPlan.table.split { " \n".contains($0) }.map(String.init) == items)
    }

    @Test(arguments: rows) func aNumberNeverBecomesAnotherNumber(_ row: Row) {
        for number in row.numbers {
            let right = "+\(row.code)\(number)"
            for text in [right, "00\(row.code) \(number)"] {
                expect(text, in: row, toBe: right, orNational: false)
            }
            for text in [
                "\(row.prefix)\(number)", "\(row.prefix) \(number)", "(\(row.prefix))\(number)",
                number,
                "\(row.code)\(number)", "\(row.code) \(number)", "+\(row.code) (0)\(number)",
                "00\(row.code)(0)\(number)", "\(row.code) (0)\(number)",
                "+\(row.code)\(row.prefix)\(number)",
                "\(row.code) \(row.prefix)\(number)",
            ] {
                expect(text, in: row, toBe: right, orNational: true)
            }
        }
    }

    /// Checks the meaning of a spelling of a number, and that a contact with the number is found by each
    /// spelling that leads to it.
    private func expect(
        _ text: String, in row: Row, toBe right: String, orNational: Bool
    ) {
        let digits = text.filter(\.isNumber)
        switch PhoneNumber(text, country: row.code) {
        case .complete(let number) where number.utf8.count > 6:
            #expect(number == right, "\(text)")
            #expect(PhoneNumber.lookUps(text, country: row.code) == [right], "\(text)")
        case .complete(let number): #expect(number == digits && row.prefix != "", "\(text)")
        case .national(let number):
            #expect(orNational && number == digits, "\(text)")
        case .unclear(let readings):
            #expect(readings.isEmpty || readings.contains(right), "\(text)")
        case .invalid: Issue.record("\(text)")
        }
    }
}
