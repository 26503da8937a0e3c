internal import GSM7
internal import ToolKit
internal import System

/// A test message that shows which characters a route changes. It begins with a few words by which people
/// recognise it. Every character of the alphabet follows.
///
/// Routes often remove repeated spaces, and spaces at both ends of a message. No ciphertext has such spaces,
/// and neither has the probe. `@` directly follows the words. Its code is 0, and faulty software treats this
/// code as the end of a message.
enum Probe {
    static let text = "smsenc probe, 160 characters long: " + Alphabet.text

    /// Maximum length of the received text in bytes. A longer text is not an SMS.
    private static let longest = 4096

    /// Reads the probe as it was received, and prints the differences from the probe that was sent.
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

    /// Returns a row of the table of differences: the character sent, a TAB, and the character received.
    private static func row(_ difference: ProbeComparison.Difference) -> String {
        "\(cell(difference.sent))\t\(cell(difference.received))\n"
    }

    private static func cell(_ scalar: Unicode.Scalar?) -> String {
        scalar?.codePointAndName ?? "-"
    }
}

/// Aligns a sent and a received text, and finds the characters that differ.
private struct ProbeComparison {
    /// A character that was sent, and the character received in its place. Either is nil if a character
    /// was lost or added.
    struct Difference: Equatable {
        let sent: Unicode.Scalar?
        let received: Unicode.Scalar?
    }

    /// The smallest set of differences that explains the received text, in the order of the text and
    /// without duplicates.
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

    /// Returns the Levenshtein distance between the remainders of the two texts, for each pair of offsets.
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
