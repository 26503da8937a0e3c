import UserInterface
import Keyring
import PhoneNumbers
import ToolKit
import System

/// Commands that print information about contacts, but never print a key.
extension Command {
    static let list = Command(
        name: "list",
        forms: [
            (
                "",
                "list contacts with number, state, pending keys, counts, last message, receipts and id"
            )
        ],
        options: [
            Option(
                "state", value: "none|waiting|unverified|changed|verified|lost|restored",
                "list only contacts in this state, or in several states separated by commas"),
            Option(
                "silent", value: "DURATION",
                "list only contacts from whom no message was read for DURATION, such as 3d"),
            Option("names", "print only the names"),
        ], hint: "; to list one contact, use show"
    ) { (context) throws(ExitError) in
        let states = try context.arguments.value("state").map(Options.states)
        let silence = try context.duration(of: "silent")
        let namesOnly = context.arguments.has("names")
        let keyring = try context.access().unlocked()
        let now = keyring.clocks.wall()
        var lines = Lines(under: namesOnly ? nil : header)
        if namesOnly, states == nil, silence == nil {
            try throwingExitError(
                keyring.eachCard { (contact) throws(KeyringError) in
                    try throwingKeyringError(lines.append([contact.name]))
                })
            return try throwingExitError(io: lines.finish())
        }
        try throwingExitError(
            keyring.eachContact { (contact, state) throws(KeyringError) in
                if let states, !states.contains(state.status) { return }
                if let silence, !state.isSilent(for: silence, at: now) { return }
                let fields =
                    namesOnly
                    ? [contact.name]
                    : lines.isTerminal
                        ? shownRow(contact, state, keyring.clocks)
                        : row(contact, state, keyring.clocks)
                try throwingKeyringError(lines.append(fields))
            })
        if context.isAtTerminal, lines.isEmpty {
            context.closingNote =
                states == nil && silence == nil
                ? DiagnosticText.noContacts : DiagnosticText.noneListed
            return
        }
        try throwingExitError(io: lines.finish())
    }

    static let show = Command(
        name: "show",
        forms: [
            ("CONTACT", "show one contact, with the times of the last synchronisation and last use")
        ],
        maximumOperands: 1,
        hint: "; show takes one contact, with quotation marks around a name with spaces"
    ) { (context) throws(ExitError) in
        guard let name = context.operands.first else { throw .misuse("give a name") }
        let keyring = try context.access().unlocked()
        let contact = try context.contact(name, of: keyring)
        let (state, missing) = try throwingExitError(keyring.stateAndMissing(of: contact))
        var fields = row(contact, state, keyring.clocks)
        fields.insert(
            contentsOf: [
                time(state.lastSynchronisation, keyring.clocks),
                time(state.lastUse, keyring.clocks), String(state.read), String(missing),
            ], at: fields.count - 1)
        guard File.standardOutput().isTerminal else { return try context.print([fields]) }
        var rows = Array(zip(labels, fields))
        rows.insert(("next step", nextStep(contact, state)), at: 5)
        try context.printOnTerminal(rows)
    }

    /// The header that `list` prints on a terminal.
    private static let header = [
        "NAME", "NUMBER", "STATE", "NEXT STEP", "SENT", "UNCONFIRMED", "RECEIVED", "MISSING",
        "LAST HEARD", "RECEIPTS", "ID",
    ]

    /// Names of the fields that `show` prints. On a terminal, `show` prints each field on its own line.
    private static let labels = [
        "name", "number", "state", "synchronised by", "pending", "messages sent", "unconfirmed",
        "messages received", "missing", "last heard", "receipts", "last synchronisation",
        "last use", "read by contact", "not read by contact", "id",
    ]

    /// Returns the fields that `list` prints on a terminal. On a terminal, the column NEXT STEP replaces
    /// the fields `by` and `pending`.
    private static func shownRow(
        _ contact: Contact, _ state: ContactState, _ clocks: Clocks
    ) -> [String] {
        let fields = row(contact, state, clocks)
        return fields[..<3] + [nextStep(contact, state)] + fields[5...]
    }

    /// Describes what the user has to do next for a contact, and names the command to run.
    private static func nextStep(_ contact: Contact, _ state: ContactState) -> String {
        if contact.number.map(PhoneNumber.isNational) == true { return "add calling code: edit" }
        return switch (state.pending, state.status) {
        case (.syncKey, _): "enter their key: sync"
        case (.offer, _): "enter their offer: accept"
        case (.nothing, .verified): "-"
        case (.nothing, .unverified), (.nothing, .changed): "compare codes: verify"
        case (.nothing, _): "synchronise: resync or offer"
        }
    }

    private static func row(_ contact: Contact, _ state: ContactState, _ clocks: Clocks) -> [String]
    {
        [
            contact.name, contact.number ?? "-", state.status.rawValue, state.method.rawValue,
            state.pending.rawValue, String(state.sent), String(state.unconfirmed),
            String(state.received), String(state.missing), time(state.lastHeard, clocks),
            state.getsReceipts ? "on" : "off", contact.id.text,
        ]
    }

    /// Formats a time. If the clock was wrong when the time was recorded, returns `unknown`.
    ///
    /// - Parameter seconds: seconds since 1970, or 0 if the event never happened, or a negative value if
    ///   its time is unknown.
    private static func time(_ seconds: Int64, _ clocks: Clocks) -> String {
        if seconds == 0 { return "-" }
        let isFuture = clocks.plausibleWallTime.map { $0 < seconds } ?? false
        return seconds < 0 || isFuture ? "unknown" : timestamp(seconds)
    }
}

/// Calls `body`, and converts an `IOError` that `body` throws to a `KeyringError`. Closures use this
/// function if they print output while they iterate over the keyring.
func throwingKeyringError(_ body: @autoclosure () throws(IOError) -> Void) throws(KeyringError) {
    do throws(IOError) { try body() } catch { throw .output(error) }
}

/// Prints lines about contacts on stdout.
///
/// The fields of a line are separated by TABs. On a terminal, the fields are printed in aligned columns
/// below a header.
private struct Lines: ~Copyable {
    /// Number of spaces between two columns.
    private static let gap = 2

    private var output = Output(to: .standardOutput())
    /// Lines that have not been printed yet, or nil if stdout is not a terminal. On a terminal, lines are
    /// collected before they are printed, because the widths of the columns depend on all lines.
    private var waiting: [[String]]?

    /// True if the lines are printed on a terminal.
    var isTerminal: Bool { waiting != nil }
    /// True if stdout is a terminal and no lines except the header have been collected.
    var isEmpty: Bool { waiting?.count == 1 }

    init(under header: [String]?) {
        if let header, File.standardOutput().isTerminal { waiting = [header] }
    }

    mutating func append(_ fields: [String]) throws(IOError) {
        if waiting != nil {
            waiting?.append(fields.map(quoted))
        } else {
            for (index, field) in fields.enumerated() {
                if index > 0 { output.append(UInt8(ascii: "\t")) }
                output.append(field)
            }
            output.append(UInt8(ascii: "\n"))
            try output.flushBlock()
        }
    }

    mutating func finish() throws(IOError) {
        let rows = waiting ?? []
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        // If not all columns fit on the terminal, omit the last columns.
        let limit = File.standardOutput().terminalColumns ?? .max
        var count = widths.count
        while count > 1, widths[..<count].reduce(-Self.gap, { $0 + $1 + Self.gap }) > limit {
            count -= 1
        }
        for fields in rows.map({ $0.prefix(count) }) {
            var line = ""
            for (field, width) in zip(fields.dropLast(), widths) {
                line += field + String(repeating: " ", count: width + Self.gap - field.count)
            }
            output.append(line + (fields.last ?? "") + "\n")
        }
        try output.flush()
    }
}
