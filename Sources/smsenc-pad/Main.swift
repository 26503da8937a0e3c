// smsenc-pad: usage and options here and in Options, the way of messages in PadRun, whom they are for in
// Recipients, what is said of them in Words.

import Access
import Keyring
import LineIO
import System

/// smsenc-pad: adds or takes off the pad.
@main
enum Main {
    static let name = "smsenc-pad"

    static let usage = """
        usage: smsenc-pad [-dnNz] [-c CONTACT] [-f N] [-i IDENTITY] [-k KEYRING] [--check | --far] [FILE ...]
        Enciphers frames into ciphertexts of 160 GSM characters: one SMS each.

          -d, --decipher           take the pad off: ciphertexts into frames
          -c, --contact CONTACT    all records are this contact's, by name or number;
                                   without it the field before the payload names the contact
          -n, --number             on output the contact field is the contact's number
          -N, --name               on output the contact field is the contact's name; with -n both,
                                   the name first
          -f, --field N            the payload is field N, the last (1 with -c, else 2)
          -z, --null               records end in NUL instead of a line feed
          -i, --identity IDENTITY  act under this identity, else under the real one
          -k, --keyring KEYRING    the keyring's file
              --check              say what would go through; no key is used, no ciphertext printed
              --far                with -d, search 4096 messages ahead instead of 128
              --password-file FILE the keyring's password is the first line of FILE
              --rejects FILE       write bad records to a new file as well
              --status FILE        write what became of each record to a new file
              --fail-fast          stop at the first bad record
              --progress           show records done and rate on stderr
          -h, --help               show this text
              --version            show name and version

        """

    static let options =
        FilterOptions.table + KeyringAccess.options + [
            Option("decipher", short: "d"),
            Option("contact", short: "c", takesValue: true),
            Option("number", short: "n"),
            Option("name", short: "N"),
            Option("far"),
            Option("check"),
        ]

    static func main() {
        ToolMain.run(tool: name, usage: usage, options: options, run)
    }

    private static func run(_ arguments: Arguments) throws(Stop) -> ExitStatus {
        let options = try PadOptions(arguments)
        let access = try KeyringAccess(arguments, tool: name)
        let keyring = try access.unlocked()
        try orStop(keyring.checkIsOriginal())
        let recipients = try Recipients(keyring, only: options.contact)
        let filter = try Filter(
            tool: name, options: options.filter, longestBatch: longestBatch,
            bufferSize: 180 * longestBatch)
        // When a reader dies, what is in the pipe is lost with it. One page, some 20 ciphertexts, stays
        // within the contact's window of 128. The input may hold more: frames can be made again.
        if !options.deciphers, !options.checks {
            File.standardOutput().narrowPipe()
            File.standardInput().widenPipe()
        }
        let status =
            if options.checks {
                try run(PadRun<Checking>(keyring, options, recipients), filter)
            } else if options.deciphers {
                try run(PadRun<Receiving>(keyring, options, recipients), filter)
            } else {
                try run(PadRun<Sending>(keyring, options, recipients), filter)
            }
        try access.close()
        return status
    }

    private static func run<Exchange: Way & ~Copyable>(
        _ run: consuming PadRun<Exchange>, _ filter: consuming Filter
    ) throws(Stop) -> ExitStatus {
        var run = run
        return try filter.runBatches(
            { (reader, results) throws(Stop) in try run.handle(reader, &results) },
            atEnd: { (results) in run.end(&results) })
    }
}
