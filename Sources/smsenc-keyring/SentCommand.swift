import UserInterface
import Keyring
import Protocol
import ToolKit
import System

/// The command that prints whether contacts have read messages that the user sent.
extension Command {
    static let sent = Command(
        name: "sent",
        forms: [("-", "read contacts and positions, and print the state of each message")],
        maximumOperands: 1, hint: "; sent takes only -, and reads a table from stdin",
        columns: []
    ) { (context) throws(ExitError) in
        var options = try FilterOptions(context.arguments, payloadField: 2, inputs: ["-"])
        options.missing = "write CONTACT TAB POSITION"
        let keyring = try context.access().unlocked()
        let filter = try Filter(tool: Main.name, options: options)
        context.status = try filter.runBatches { (reader, results) throws(ExitError) in
            // Use a separate transaction for each batch. No transaction is then open while this process
            // waits for input.
            try throwingExitError(
                keyring.reading { (store) throws(KeyringError) in
                    var query = try SentQuery(store)
                    for record in reader.records where !results.isStopped {
                        if let bad = Filter.rejection(of: record, in: reader, options) {
                            results.reject(record, in: reader, bad)
                            continue
                        }
                        try reader.withFields(of: record) { (fields, text) throws(KeyringError) in
                            let name = String(
                                decoding: Array(copying: fields).dropLast(), as: UTF8.self)
                            guard let position = Position(text) else {
                                return results.reject(record, in: reader, badPosition)
                            }
                            let state: SentState
                            do throws(KeyringError) {
                                state = try query.state(of: position, to: name)
                            } catch {
                                guard error.status == .rejected else { throw error }
                                let text = error.text
                                return results.reject(
                                    record, in: reader, RecordError(.contact, text))
                            }
                            results.output.append(fields)
                            results.output.append(text)
                            results.output.append(words(for: state))
                            results.output.append(options.terminator)
                            results.accept(record, in: reader, as: .ok)
                        }
                    }
                })
        }
    }

    private static let badPosition = RecordError(
        .text, "this is not a position; a position has the form K3F9Q7ZM.17.5")

    private static func words(for state: SentState) -> String {
        switch state {
        case .read: "\tread"
        case .missing(let time): "\tmissing\t" + (time < 0 ? "-" : timestamp(time))
        case .ended: "\tended"
        case .unknown: "\t"
        }
    }
}
