import UserInterface
import Keyring
import ToolKit

/// The command that computes keyed hashes of texts for scripts.
extension Command {
    static let hash = Command(
        name: "hash",
        forms: [("-", "read lines, and print a keyed hash of each")],
        maximumOperands: 1, hint: "; hash takes only -, and reads the texts from stdin",
        columns: []
    ) { (context) throws(ExitError) in
        var options = try FilterOptions(context.arguments, inputs: ["-"])
        options.payloadHasTabs = true
        let keyring = try context.access().unlocked()
        let filter = try Filter(tool: Main.name, options: options)
        context.status = try filter.run { (_, text, output) in
            output.append(keyring.hash(of: text))
            output.append(options.terminator)
            return .success(.ok)
        }
    }
}
