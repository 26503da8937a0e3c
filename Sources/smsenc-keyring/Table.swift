import UserInterface
import GSM7
import Keyring
import ToolKit
import Protocol
import System

extension CommandContext {
    /// Returns the table on stdin if the operand is `-`. Returns nil if the operand is a name.
    ///
    /// - Parameter fields: permitted number of fields in a row. The fields are separated by TABs.
    func table(fields: ClosedRange<Int>) throws(ExitError) -> Table? {
        guard isTable else { return nil }
        var options = try FilterOptions(arguments, payloadField: fields.upperBound, inputs: ["-"])
        options.refusesQuotedFields = true
        return Table(context: self, options: options, fields: fields)
    }

    /// Runs an operation for one contact, or for each row of a table of contacts. The operand is the name
    /// of the contact, or `-` for a table.
    ///
    /// - Parameters:
    ///   - fields: permitted number of fields in a row.
    ///   - changes: true if the operation changes the keyring.
    ///   - body: the operation. The operation receives the operands, or the fields of a row. The operation
    ///     appends its result to the output, without a line terminator. For a row of a table, the
    ///     contact's name and a TAB are appended before the operation is called. Notes about the contact
    ///     are printed after the operation has returned.
    func forContact(
        fields: ClosedRange<Int>, changes: Bool = true,
        _ body: (Keyring, _ fields: [String], inout Output) throws(ExitError) -> Void
    ) throws(ExitError) {
        let table = try table(fields: fields)
        let keyring = changes ? try unlockedForChange() : try access().unlocked()
        if let table {
            return try table.run(
                begin: { (fields, last) throws(ExitError) in fields + [try Table.text(last)] },
                end: { (fields, output) throws(ExitError) in try body(keyring, fields, &output) })
        }
        var output = Output(to: .standardOutput())
        let fields = try operands.map { (field) throws(ExitError) in try Table.text(field.utf8.span)
        }
        try body(keyring, fields, &output)
        for note in notes { diagnostics.say(note) }
        if output.count > 0 { output.append(UInt8(ascii: "\n")) }
        do throws(IOError) { try output.flush() } catch {
            throw printError(error, of: operands[0])
        }
    }

    /// Looks up a contact by a name, which is an operand or a field of a row.
    func contact(_ name: String, of keyring: Keyring) throws(ExitError) -> Contact {
        try suggestions.contact(try Table.text(name.utf8.span), of: keyring)
    }

    /// Appends both verification codes. For a row of a table, the codes are two fields of the output. If
    /// the command does not read a table, each code is on its own line.
    func append(_ codes: VerificationCodes, to output: inout Output) {
        let (yours, theirs) = (codes.yoursShown, codes.theirsShown)
        output.append(isTable ? "\(yours)\t\(theirs)" : "yours\t\(yours)\ntheirs\t\(theirs)")
    }
}

/// A table of contacts on stdin. An operation is run for each row. Rows with errors are reported, and all
/// other rows are processed.
///
/// All commands that process a table of contacts use this type. Each row is committed before its result is
/// printed, and the result is printed immediately. If a run is interrupted, the user can therefore
/// continue with the rows that have no result.
struct Table {
    let context: CommandContext
    let options: FilterOptions
    /// Permitted number of fields in a row of the table.
    let fields: ClosedRange<Int>

    /// Processes the rows of the table in batches. For each batch, the function first calls `begin` for
    /// each row in order, then `work` once for all rows of the batch, and finally `end` for each row in
    /// order.
    ///
    /// Before `end` is called for a row, the contact's name and a TAB are appended to the output. If `end`
    /// appends nothing, the name and the TAB are removed, and nothing is printed for the row. Notes about
    /// the contact are printed after `end` has returned.
    ///
    /// - Parameters:
    ///   - longestBatch: maximum number of rows in a batch.
    ///   - begin: receives the fields before the last field, and the last field. The last field of a row
    ///     may be secret.
    ///   - end: appends the result of a row without a line terminator.
    /// - Throws: the errors of `begin` and `end`. If `begin` or `end` throws an error with the exit status
    ///   1, the function rejects the row instead of throwing the error.
    func run<Work>(
        batchesOf longestBatch: Int = 1024,
        begin: (_ fields: [String], _ last: Span<UInt8>) throws(ExitError) -> Work,
        meanwhile work: ([Work]) -> Void = { _ in },
        end: (Work, _ output: inout Output) throws(ExitError) -> Void
    ) throws(ExitError) {
        let filter = try Filter(tool: Main.name, options: options, longestBatch: longestBatch)
        context.status = try filter.runBatches { (reader, results) throws(ExitError) in
            var rows: [Result<(name: String, work: Work), ExitError>] = []
            for record in reader.records {
                do throws(ExitError) {
                    rows.append(.success(try self.begin(record, in: reader, begin)))
                } catch {
                    guard error.rejection != nil else { throw error }
                    rows.append(.failure(error))
                    if options.stopsAtFirst { break }
                }
            }
            work(rows.compactMap { try? $0.get().work })
            for (record, row) in zip(reader.records, rows) where !results.isStopped {
                let mark = results.output.count
                context.notes = []
                var done: String?
                do throws(ExitError) {
                    let row = try row.get()
                    results.output.append(row.name + "\t")
                    let start = results.output.count
                    try end(row.work, &results.output)
                    if results.output.count > start {
                        results.output.append(options.terminator)
                    } else {
                        results.output.rewind(to: mark)
                    }
                    results.accept(record, in: reader, notes: context.notes)
                    done = row.name
                } catch {
                    guard let rejection = error.rejection else { throw error }
                    results.output.rewind(to: mark)
                    results.reject(record, in: reader, rejection)
                }
                do throws(IOError) { try results.flush() } catch {
                    throw done.map { context.printError(error, of: $0) } ?? error.exitError
                }
            }
        }
    }

    private func begin<Work>(
        _ record: Record, in reader: borrowing RecordReader,
        _ body: ([String], Span<UInt8>) throws(ExitError) -> Work
    ) throws(ExitError) -> (name: String, work: Work) {
        switch record.fault {
        // Users may omit the last fields of a row. The reader then reports a wrong number of fields, and
        // the payload is the whole record.
        case .fields(let count) where fields.contains(count):
            if let rejection = Filter.spreadsheetRejection(of: record, in: reader, options) {
                throw rejection.exitError
            }
        default:
            if let rejection = Filter.rejection(of: record, in: reader, options) {
                throw rejection.exitError
            }
        }
        return try reader.withFields(of: record) { (before, payload) throws(ExitError) in
            let tab = UInt8(ascii: "\t")
            let start = payload.indices.last { payload[$0] == tab }.map { $0 + 1 } ?? 0
            let last = payload.extracting(start...)
            // There is a TAB after each field except the last.
            let names = (Array(copying: before) + Array(copying: payload.extracting(..<start)))
                .split(separator: tab, omittingEmptySubsequences: false)
            let fields = try names.dropLast().map { (name) throws(ExitError) in
                try Self.text(name.span)
            }
            let name = fields.isEmpty ? try Self.text(last) : fields[0]
            return (name, try body(fields, last))
        }
    }

    /// Converts a field of a row to a string without the white space that spreadsheets often add around a
    /// field.
    ///
    /// - Throws: `badName`.
    static func text(_ field: Span<UInt8>) throws(ExitError) -> String {
        let bytes = Array(copying: field.extracting(WhiteSpace.trimmed(field)))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let shown = String(decoding: bytes, as: UTF8.self)
            throw KeyringError.contact(.badName(shown, .notUTF8)).exitError
        }
        return text
    }
}
