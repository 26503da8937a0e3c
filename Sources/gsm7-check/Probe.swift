internal import GSM7
internal import ToolKit
internal import System

/// A test message that shows which characters a route changes. The test message begins with a few words by
/// which people can recognise the message. After these words, the test message contains every character of
/// the alphabet.
///
/// Routes often remove repeated spaces, and spaces at both ends of a message. The probe contains no such
/// spaces, because ciphertexts do not contain them either. The first character after the words at the
/// beginning of the probe is `@`, which has the code 0. Faulty software treats a character with the code 0
/// as the end of the message.
enum Probe {
    static let text = "smsenc probe, 160 characters long: " + Alphabet.text

    /// Maximum length of the received text in bytes, which no SMS exceeds.
    private static let longest = 4096

    /// Reads the received probe, and prints how it differs from the probe that was sent.
    static func compare(_ options: FilterOptions) throws(ExitError) -> ExitStatus {
        var received: [UInt8] = []
        let filter = try Filter(tool: Main.name, options: options)
        var status = try filter.runBatches { (reader, _) throws(ExitError) in
            for record in reader.records {
                if !received.isEmpty { received.append(UInt8(ascii: "\n")) }
                received += reader.withBytes(record.raw) { Array(copying: $0) }
                guard received.count <= longest else { throw .tooLong }
            }
        }
        if status == .done { status = try compareText(received) }
        return status
    }

    private static func compareText(_ received: [UInt8]) throws(ExitError) -> ExitStatus {
        let scalars: [Unicode.Scalar]
        do throws(TextFault) {
            let text = try NormalText.utf8(of: received.span)
            // Ignore white space around the message.
            let message = String(decoding: text[WhiteSpace.trimmed(text.span)], as: UTF8.self)
            scalars = Array(message.unicodeScalars)
        } catch {
            throw .unreadable(error)
        }
        if scalars.isEmpty { throw .nothingReceived }
        let sent = Array(text.unicodeScalars)
        let differences = ProbeComparison(sent: sent, received: scalars).differences
        _ = try ToolMain.print(differences.map(row).joined())
        return differences.isEmpty ? .done : .rejected
    }

    /// Returns a row of the table of differences. The row consists of the sent character, a TAB, and the
    /// received character.
    private static func row(_ difference: ProbeComparison.Difference) -> String {
        "\(cell(difference.sent))\t\(cell(difference.received))\n"
    }

    private static func cell(_ scalar: Unicode.Scalar?) -> String {
        scalar?.codePointAndName ?? "-"
    }
}

/// A comparison that finds the differences between a sent text and a received text.
private struct ProbeComparison {
    /// A character that was sent, and the character that was received instead. If a character was lost,
    /// `received` is nil. If a character was added, `sent` is nil.
    struct Difference: Equatable {
        let sent: Unicode.Scalar?
        let received: Unicode.Scalar?
    }

    /// The smallest set of differences that explains the received text, in the order of the text. If the
    /// same difference occurs several times in the text, it is listed only once.
    private(set) var differences: [Difference] = []

    init(sent: [Unicode.Scalar], received: [Unicode.Scalar]) {
        let costs = Self.costs(sent, received)
        var (row, column) = (0, 0)
        while row < sent.count || column < received.count {
            let difference: Difference
            let here = costs[row][column]
            if row < sent.count, column < received.count,
                here == costs[row + 1][column + 1] + (sent[row] == received[column] ? 0 : 1)
            {
                difference = Difference(sent: sent[row], received: received[column])
                (row, column) = (row + 1, column + 1)
            } else if row < sent.count, here == costs[row + 1][column] + 1 {
                difference = Difference(sent: sent[row], received: nil)
                row += 1
            } else {
                difference = Difference(sent: nil, received: received[column])
                column += 1
            }
            if difference.sent != difference.received, !differences.contains(difference) {
                differences.append(difference)
            }
        }
    }

    /// Returns a table of Levenshtein distances. For each offset in `sent` and each offset in `received`,
    /// the table contains the distance between the two texts from these offsets to their ends.
    private static func costs(_ sent: [Unicode.Scalar], _ received: [Unicode.Scalar]) -> [[Int]] {
        let empty = [Int](repeating: 0, count: received.count + 1)
        var costs = [[Int]](repeating: empty, count: sent.count + 1)
        for row in (0...sent.count).reversed() {
            for column in (0...received.count).reversed() {
                if row == sent.count || column == received.count {
                    costs[row][column] = sent.count - row + received.count - column
                } else {
                    let same = sent[row] == received[column] ? 0 : 1
                    costs[row][column] = min(
                        costs[row + 1][column + 1] + same, costs[row + 1][column] + 1,
                        costs[row][column + 1] + 1)
                }
            }
        }
        return costs
    }
}
