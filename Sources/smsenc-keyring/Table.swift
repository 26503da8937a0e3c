import Access
import Keyring
import LineIO
import Protocol
import System

extension Context {
    /// The table that `-` stands for; nil where the operand is a name.
    ///
    /// - Parameter fields: how many a row may have, TAB between them.
    func table(fields: ClosedRange<Int>) throws(Stop) -> Table? {
        guard isTable else { return nil }
        let options = try FilterOptions(arguments, payloadField: fields.upperBound, inputs: ["-"])
        return Table(context: self, options: options, fields: fields)
    }

    /// Does something for the contact that is named, or for each row of the table that `-` stands for.
    ///
    /// - Parameters:
    ///   - fields: how many a row may have.
    ///   - changes: whether the keyring is changed in any case.
    ///   - body: is shown the operands, or a row's fields, and appends what is printed, its end left out, and
    ///     of a row the name. Notes are said once it is done.
    func forContact(
        fields: ClosedRange<Int>, changes: Bool = true,
        _ body: (Keyring, _ fields: [String], inout Output) throws(Stop) -> Void
    ) throws(Stop) {
        let table = try table(fields: fields)
        let keyring = changes ? try unlockedToChange() : try access().unlocked()
        if let table {
            return try table.run(
                begin: { (fields, last) throws(Stop) in fields + [try Table.text(last)] },
                end: { (fields, output) throws(Stop) in try body(keyring, fields, &output) })
        }
        var output = Output(to: .standardOutput())
        try body(keyring, operands, &output)
        for note in notes { diagnostics.say(note) }
        if output.count > 0 { output.append(UInt8(ascii: "\n")) }
        do throws(IOError) { try output.flush() } catch {
            throw stop(notPrinting: error, of: operands[0])
        }
    }

    /// The contact that is named, by a person or in a row.
    func contact(_ name: String, of keyring: Keyring) throws(Stop) -> Contact {
        isTable ? try orStop(keyring.contact(named: name)) : try keyring.contact(meant: name)
    }

    /// Appends both codes, each on a line, or in a row of a table.
    func append(_ codes: VerificationCodes, to output: inout Output) {
        let (yours, theirs) = (codes.yoursShown, codes.theirsShown)
        output.append(isTable ? "\(yours)\t\(theirs)" : "yours\t\(yours)\ntheirs\t\(theirs)")
    }
}

/// A table of contacts on stdin: rows in, rows out; bad ones are reported and kept, the others go on.
///
/// The one loop of all commands that take `-`. A row is done, and so durable, before it is printed, and
/// printed at once: a run that was broken off can be taken up again.
struct Table {
    let context: Context
    let options: FilterOptions
    /// How many a row may have.
    let fields: ClosedRange<Int>

    /// Runs over batches of rows: each is begun, in order; then all of them are worked on at once; then
    /// each is ended, in order.
    ///
    /// - Parameters:
    ///   - longestBatch: rows that are worked on at once.
    ///   - begin: is shown the fields before the last, and the last, which may be secret.
    ///   - end: appends what is printed for a row behind the contact's name, its end left out; for a row that
    ///     prints nothing, nothing. Notes are said once it is done.
    /// - Throws: what `begin` and `end` throw, but for what has the status 1: that makes the row bad.
    func run<Work>(
        batchesOf longestBatch: Int = 1024,
        begin: (_ fields: [String], _ last: Span<UInt8>) throws(Stop) -> Work,
        meanwhile work: ([Work]) -> Void = { _ in },
        end: (Work, _ output: inout Output) throws(Stop) -> Void
    ) throws(Stop) {
        let filter = try Filter(tool: Main.name, options: options, longestBatch: longestBatch)
        context.status = try filter.runBatches { (reader, results) throws(Stop) in
            var rows: [Result<(name: String, work: Work), Stop>] = []
            for record in reader.records {
                do throws(Stop) {
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
                do throws(Stop) {
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
                    throw done.map { context.stop(notPrinting: error, of: $0) } ?? error.stop
                }
            }
        }
    }

    private func begin<Work>(
        _ record: Record, in reader: borrowing RecordReader,
        _ body: ([String], Span<UInt8>) throws(Stop) -> Work
    ) throws(Stop) -> (name: String, work: Work) {
        switch record.fault {
        // The reader takes a record without its last fields for a whole payload.
        case .fields(let count) where fields.contains(count): break
        default:
            if let rejection = Filter.rejection(of: record, options) { throw rejection.stop }
        }
        return try reader.withFields(of: record) { (before, payload) throws(Stop) in
            let tab = UInt8(ascii: "\t")
            let start = payload.indices.last { payload[$0] == tab }.map { $0 + 1 } ?? 0
            let last = payload.extracting(start...)
            // Each field before the last ends in a TAB.
            let names = (Array(copying: before) + Array(copying: payload.extracting(..<start)))
                .split(separator: tab, omittingEmptySubsequences: false)
            let fields = try names.dropLast().map { (name) throws(Stop) in
                try Self.text(name.span)
            }
            let name = fields.isEmpty ? try Self.text(last) : fields[0]
            return (name, try body(fields, last))
        }
    }

    /// A field as text.
    ///
    /// - Throws: `badName`.
    static func text(_ field: Span<UInt8>) throws(Stop) -> String {
        let bytes = Array(copying: field)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let shown = String(decoding: bytes, as: UTF8.self)
            throw KeyringError.contact(.badName(shown, .notUTF8)).stop
        }
        return text
    }
}
