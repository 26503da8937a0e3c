// This target implements smsenc-pad(1). The options are in this file and in `PadOptions`. `CipherRun`
// contains the loop over the messages. `ContactCache` looks up the contacts of records. `DiagnosticText`
// contains the texts of diagnostics.

import UserInterface
import Keyring
import ToolKit
import System

/// The entry point of smsenc-pad, which encrypts frames and decrypts ciphertexts.
@main
enum Main {
    static let name = "smsenc-pad"

    static let summary = """
        Encrypts frames into ciphertexts of 160 GSM characters, one SMS each.
        -d decrypts them.
        """

    static let options =
        [
            Option("decrypt", short: "d", "decrypt ciphertexts to frames"),
            Option(
                "contact", short: "c", value: "CONTACT",
                "all records belong to CONTACT (default: the name is in the field before the text)"
            ),
            Option("number", short: "n", "print the contact's number in the contact field"),
            Option(
                "name", short: "N",
                "print the contact's name in the contact field; with -n, print both"),
            Option("id", "print the contact's id in the contact field, after the name and number"),
            Option("position", "print the position of each message before the last field"),
            Option(
                "check",
                "report which records would fail, without using keys or printing ciphertexts"),
            Option("far", "with -d, search 4096 messages ahead instead of 128"),
            Option("near", "with -d, search only the next 4 messages of each contact"),
            Option(
                "reread", "with -d, decrypt only messages that were read before in this session"),
            Option(
                "receipts",
                "encrypt all receipts that are due, to confirm which messages were read"),
        ] + KeyringAccess.options
        + FilterOptions.table(
            payload: "read the text from field N, the last field (default: 2, or 1 with -c)"
        )

    static func main() {
        ToolMain.run(tool: name, summary: summary, options: options, run)
    }

    private static func run(_ arguments: Arguments) throws(ExitError) -> ExitStatus {
        let options = try PadOptions(arguments)
        let access = try KeyringAccess(arguments, tool: name)
        let keyring = try access.unlocked(needsSession: options.rereads)
        let contacts = try ContactCache(
            keyring, only: options.contact, toCommit: !options.checks && !options.rereads)
        let filter = try Filter(
            tool: name, options: options.filter, longestBatch: longestBatch,
            bufferSize: 180 * longestBatch)
        // If the process that reads the output dies, the ciphertexts in the pipe are lost. A pipe of one
        // page contains about 20 ciphertexts. The contact's window is 128 message keys, so the contact can
        // still decrypt later messages. The input pipe may be larger, because lost frames can be created
        // again.
        if !options.decrypts, !options.checks {
            File.standardOutput().shrinkPipe()
            File.standardInput().enlargePipe()
        }
        let status =
            if options.checks {
                try run(CipherRun<DryRun>(keyring, options, contacts), filter)
            } else if options.rereads {
                try run(CipherRun<Rereading>(keyring, options, contacts), filter)
            } else if options.decrypts {
                try run(CipherRun<Receiving>(keyring, options, contacts), filter)
            } else {
                try run(
                    CipherRun<Sending>(keyring, options, contacts), filter,
                    of: options.sendsReceipts ? dueReceipts(keyring, options) : nil)
            }
        try access.close()
        return status
    }

    /// - Parameter records: the records to process instead of the input files.
    private static func run<Exchange: MessageExchange & ~Copyable>(
        _ run: consuming CipherRun<Exchange>, _ filter: consuming Filter, of records: [UInt8]? = nil
    ) throws(ExitError) -> ExitStatus {
        var run = run
        return try filter.runBatches(
            of: records,
            { (reader, results) throws(ExitError) in try run.handle(reader, &results) },
            atEnd: { (results) in run.end(&results) })
    }

    /// Returns a record for each contact for whom a receipt is due.
    private static func dueReceipts(
        _ keyring: Keyring, _ options: PadOptions
    ) throws(ExitError) -> [UInt8] {
        var records: [UInt8] = []
        let now = keyring.clocks.wall()
        try throwingExitError(
            keyring.eachContact { (contact, state) in
                guard state.needsReceiptAlone(at: now) else { return }
                if options.printsNumber, contact.number == nil { return }
                records += (contact.id.text + "\t\n").utf8
            })
        return records
    }
}
