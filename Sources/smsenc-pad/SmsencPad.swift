import Access
import Keyring
import LineIO
import System

/// smsenc-pad: adds or takes off the one-time pad.
@main
enum SmsencPad {
    static let name = "smsenc-pad"

    static let usage = """
        usage: smsenc-pad [-dnNz] [-c CONTACT] [-f N] [-i IDENTITY] [-k KEYRING] [--far] [FILE ...]
        Enciphers frames into ciphertexts of 160 GSM characters: one SMS each.

          -d, --decipher           take the pad off: ciphertexts into frames
          -c, --contact CONTACT    all records are this contact's, by name or number;
                                   without it the field before the payload names the contact
          -n, --number             on output the contact field is the contact's number
          -N, --name               on output the contact field is the contact's name
          -f, --field N            the payload is field N, the last (1 with -c, else 2)
          -z, --null               records end in NUL instead of a line feed
          -i, --identity IDENTITY  act under this identity, else under the real one
          -k, --keyring KEYRING    the keyring's file
              --far                with -d, search 4096 messages ahead instead of 128
              --password-file FILE the keyring's password is the first line of FILE
              --rejects FILE       write bad records to a new file as well
              --fail-fast          stop at the first bad record
              --progress           show records done and rate on stderr
              --help               show this text
              --version            show name and version

        """

    static let options =
        FilterOptions.table + KeyringAccess.options + ToolMain.options + [
            Option("decipher", short: "d"),
            Option("contact", short: "c", takesValue: true),
            Option("number", short: "n"),
            Option("name", short: "N"),
            Option("far"),
        ]

    /// How much is handled at once, and remembered, within 16 MB: the more, the more messages share a
    /// commit and each contact's row.
    private struct Batches {
        /// Records.
        let length: Int
        /// Bytes of input: so many frames, or four fifths as many ciphertexts, of whose characters a
        /// third have two bytes.
        var size: Int { 180 * length }
        /// Bytes of contacts' names and numbers as they were looked up: those of some 10,000.
        let names: Int

        /// What is known of a contact takes as much as two records.
        init(ofContacts count: Int) {
            let count = min(count, 5120)
            length = max(8192, min(16_000, 18_432 - 2 * count))
            names = min(2_000_000, 300_000 + 400 * count)
        }
    }

    static func main() {
        ToolMain.run(tool: name, run)
    }

    private static func run(_ words: [String]) throws -> ExitStatus {
        let arguments = try Arguments(words, options: options)
        if let status = try ToolMain.answer(arguments, tool: name, usage: usage) { return status }
        let options = try PadOptions(arguments)
        let access = try KeyringAccess(arguments, tool: name)
        let keyring = try access.unlocked()
        let batches = Batches(ofContacts: try keyring.checkHome())
        let recipients = try Recipients(
            keyring, only: options.contact, capacity: batches.names)
        let filter = try Filter(
            tool: name, options: options.filter, longestBatch: batches.length,
            bufferSize: batches.size)
        var run = try PadRun(keyring, recipients, options, longestBatch: batches.length)
        // The keys of what a reader leaves in the pipe are lost: a page of them is in the window.
        // Frames that wait in one can be made again; ciphertexts that have come cannot.
        if !options.deciphers {
            File.standardOutput().narrowPipe()
            File.standardInput().widenPipe()
        }
        let status = try filter.runBatches { (reader, outcome) in
            try run.handle(reader, &outcome)
        }
        try access.close()
        return status
    }
}
