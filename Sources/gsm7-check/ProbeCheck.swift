internal import GSM7
internal import LineIO

/// Compares the probe as it was received with the probe as it was sent.
enum ProbeCheck {
    /// Bytes beyond which what was received is no SMS.
    private static let longest = 4096

    /// Why what was received cannot be compared.
    private enum Fault: Complaint {
        case nothing
        case tooLong
        case text(TextFault)

        var status: ExitStatus { .rejected }

        var text: String {
            switch self {
            case .nothing: "nothing was received; paste the message as it arrived"
            case .tooLong: "longer than an SMS; give the one message that was received"
            case .text(let fault):
                "\(fault.reason); convert the text to UTF-8, as iconv(1) does"
            }
        }
    }

    static func run(_ options: FilterOptions) throws -> ExitStatus {
        var received: [UInt8] = []
        let filter = try Filter(tool: Tool.name, options: options)
        var status = try filter.runBatches { (reader, _) in
            for record in reader.records {
                guard record.fault != .overlong, received.count <= longest else {
                    throw Fault.tooLong
                }
                if !received.isEmpty { received.append(UInt8(ascii: "\n")) }
                reader.withRaw(of: record) { (line) in
                    for index in line.indices { received.append(line[index]) }
                }
            }
        }
        if status == .done { status = try compare(received) }
        return status
    }

    private static func compare(_ received: [UInt8]) throws -> ExitStatus {
        guard received.count <= longest else { throw Fault.tooLong }
        let scalars: [Unicode.Scalar]
        do throws(TextFault) {
            scalars = trimmed(try NormalText.utf8(of: received.span))
        } catch {
            throw Fault.text(error)
        }
        if scalars.isEmpty { throw Fault.nothing }
        let sent = Array(Probe.text.unicodeScalars)
        let changes = Alignment(sent: sent, received: scalars).changes
        _ = try ToolMain.print(changes.map(row).joined())
        return changes.isEmpty ? .done : .rejected
    }

    /// The message without the white space around it, which means nothing.
    private static func trimmed(_ text: [UInt8]) -> [Unicode.Scalar] {
        let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
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
