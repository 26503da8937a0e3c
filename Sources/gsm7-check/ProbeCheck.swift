internal import GSM7
internal import LineIO

/// Compares the probe as it was received with the probe as it was sent.
enum ProbeCheck {
    /// Bytes beyond which what was received is no SMS.
    private static let longest = 4096

    static func run(_ options: FilterOptions) throws -> ExitStatus {
        var received: [UInt8] = []
        var status = try Filter(tool: Tool.name, options: options).runBatches {
            (reader, outcome) in
            for record in reader.records {
                if let reason = Filter.reason(of: record, options) {
                    outcome.reject(record, in: reader, reason)
                    continue
                }
                if received.count > longest { continue }
                if !received.isEmpty { received.append(UInt8(ascii: "\n")) }
                reader.withFields(of: record) { (_, line) in
                    for index in line.indices { received.append(line[index]) }
                }
            }
        }
        if status.rawValue > ExitStatus.rejected.rawValue { return status }
        status.note(try compare(received))
        return status
    }

    private static func compare(_ received: [UInt8]) throws -> ExitStatus {
        let diagnostics = Diagnostics(tool: Tool.name)
        guard received.count <= longest else {
            diagnostics.say("longer than an SMS; give the one message that was received")
            return .rejected
        }
        let scalars: [Unicode.Scalar]
        do throws(TextFault) {
            scalars = trimmed(try NormalText(received.span))
        } catch {
            diagnostics.say("\(error.reason); convert the text to UTF-8, as iconv(1) does")
            return .rejected
        }
        guard !scalars.isEmpty else {
            diagnostics.say("nothing was received; paste the message as it arrived")
            return .rejected
        }
        let sent = Array(Probe.text.unicodeScalars)
        let changes = Alignment(sent: sent, received: scalars).changes
        _ = try ToolMain.print(changes.map(row).joined())
        return changes.isEmpty ? .done : .rejected
    }

    /// The message without the white space around it, which means nothing.
    private static func trimmed(_ text: NormalText) -> [Unicode.Scalar] {
        let scalars = String(decoding: text.utf8, as: UTF8.self).unicodeScalars
        let start = scalars.drop { $0.properties.isWhitespace }
        let end = start.reversed().drop { $0.properties.isWhitespace }
        return end.reversed()
    }

    /// A row of the table: sent, TAB, received.
    private static func row(_ change: Alignment.Change) -> String {
        "\(cell(change.sent))\t\(cell(change.received))\n"
    }

    private static func cell(_ scalar: Unicode.Scalar?) -> String { scalar?.inWords ?? "-" }
}
