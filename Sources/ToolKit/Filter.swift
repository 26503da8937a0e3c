internal import System

/// Runs a filter. Reads records from the input files, passes them to the tool, writes the results, and
/// reports bad records.
package struct Filter: ~Copyable {
    private var results: Results
    private let longestBatch: Int
    private let bufferSize: Int

    /// Creates the rejects file and the status file, but does not read any input yet.
    ///
    /// - Parameters:
    ///   - longestBatch: maximum number of records in a batch.
    ///   - bufferSize: maximum number of input bytes in memory at once.
    /// - Throws: `create`, `shared`.
    package init(
        tool: String, options: FilterOptions, badRecords: Results.BadRecords = .reported,
        longestBatch: Int = 8192, bufferSize: Int = 4 * RecordReader.longestRecord
    ) throws(ExitError) {
        // Evaluate this before any stored property is set. If it threw later, the properties that are
        // already set would have to be destroyed.
        let results = try throwingExitError(
            io: Results(tool: tool, options: options, badRecords: badRecords))
        self.longestBatch = longestBatch
        self.bufferSize = bufferSize
        self.results = results
    }

    /// Processes the records one by one. If `body` rejects a record, the output that it has appended for
    /// this record is removed.
    ///
    /// - Parameters:
    ///   - body: receives the fields before the payload, each with the TAB after it, and the payload. `body`
    ///     appends the result and the terminator to the output, or returns the reason why the record is
    ///     rejected.
    ///   - end: called after the last record.
    /// - Throws: the same errors as `runBatches`.
    package consuming func run(
        _ body: (Span<UInt8>, Span<UInt8>, inout Output) -> Result<RecordStatus, RecordError>,
        atEnd end: (inout Results) -> Void = { _ in }
    ) throws(ExitError) -> ExitStatus {
        let options = results.options
        return try runBatches(
            { (reader, results) throws(ExitError) in
                for record in reader.records where !results.isStopped {
                    let mark = results.output.count
                    let recordStatus: Result<RecordStatus, RecordError> =
                        if let rejection = Self.rejection(of: record, in: reader, options) {
                            .failure(rejection)
                        } else {
                            reader.withFields(of: record) { (fields, payload) in
                                body(fields, payload, &results.output)
                            }
                        }
                    switch recordStatus {
                    case .success(let recordStatus):
                        results.accept(record, in: reader, as: recordStatus)
                    case .failure(let rejection):
                        results.output.rewind(to: mark)
                        results.reject(record, in: reader, rejection)
                    }
                    try throwingExitError(io: results.flushBlocks())
                }
            }, atEnd: end)
    }

    /// Processes the records in batches.
    ///
    /// `body` must also reject the records for which `rejection(of:in:_:)` returns a reason. If an input
    /// cannot be opened, or is also the output, it is reported and skipped.
    ///
    /// - Parameters:
    ///   - records: records to process instead of the input files. Each record is a line that consists of
    ///     one field, a TAB, and an empty payload.
    ///   - body: processes the records of a batch in order, appends the result of each good record to the
    ///     output, and rejects each bad record.
    ///   - end: called after the last batch.
    /// - Throws: errors of reading and writing, and the errors of `body`.
    package consuming func runBatches(
        of records: [UInt8]? = nil,
        _ body: (borrowing RecordReader, inout Results) throws(ExitError) -> Void,
        atEnd end: (inout Results) -> Void = { _ in }
    ) throws(ExitError) -> ExitStatus {
        if let records {
            var reader = RecordReader(of: records)
            while !results.isStopped, case .batch = try advance(&reader, in: .standardInput()) {
                try body(reader, &results)
                results.progress?.add(reader.records.count, bytes: 0, of: nil)
                try throwingExitError(io: results.flushBlocks())
            }
        } else {
            for name in results.options.inputs where !results.isStopped {
                try run(input: name, body)
            }
        }
        end(&results)
        try throwingExitError(io: results.finish())
        return results.status
    }

    /// Checks the length and the fields of a record. Returns the reason for rejecting the record, or nil if
    /// its payload can be processed.
    package static func rejection(
        of record: Record, in reader: borrowing RecordReader, _ options: FilterOptions
    ) -> RecordError? {
        switch record.fault {
        case .overlong: overlong
        case .fields(let count):
            RecordError(
                .fields,
                reader.withBytes(record.raw) { fieldsReason(count, options, of: $0) })
        case nil: spreadsheetRejection(of: record, in: reader, options)
        }
    }

    /// Returns the reason for rejecting a record that a spreadsheet has written in a format that the tools
    /// cannot read, or nil for other records.
    package static func spreadsheetRejection(
        of record: Record, in reader: borrowing RecordReader, _ options: FilterOptions
    ) -> RecordError? {
        guard options.refusesQuotedFields, options.payloadField > 1 else { return nil }
        return reader.withBytes(record.raw) { line in
            if case .fields(1) = record.fault, let separator = CSVGuess.separator(in: line, over: 0)
            {
                return RecordError(.fields, CSVGuess.advice(for: separator))
            }
            guard reader.contains(UInt8(ascii: "\""), in: record) else { return nil }
            let message = options.payloadIsMessage ? options.payloadField : nil
            return CSVGuess.quotedField(in: line, message: message).map { field in
                RecordError(.fields, CSVGuess.advice(forQuotedField: field))
            }
        }
    }

    private mutating func run(
        input name: String,
        _ body: (borrowing RecordReader, inout Results) throws(ExitError) -> Void
    ) throws(ExitError) {
        results.input = name == "-" ? "stdin" : name
        guard let file = try open(name) else { return }
        let options = results.options
        var reader = RecordReader(
            terminator: options.terminator, payloadField: options.payloadField,
            payloadHasTabs: options.payloadHasTabs, bufferSize: bufferSize)
        let size = file.regularSize
        while !results.isStopped {
            switch try advance(&reader, in: file) {
            case .end: return
            case .batch:
                try body(reader, &results)
                results.progress?.add(reader.records.count, bytes: reader.bytesRead, of: size)
            case .overlong(let range, let number):
                reader.withBytes(range) { results.keep($0) }
                if let number { results.completeReject(number, nil, Self.overlong) }
            }
            try throwingExitError(io: results.flushBlocks())
        }
    }

    /// Opens an input file. Returns nil if the file has to be skipped.
    private mutating func open(_ name: String) throws(ExitError) -> File? {
        do throws(IOError) {
            let file = name == "-" ? .standardInput() : try File(reading: name)
            try file.checkIsNotOutput()
            return file
        } catch {
            try skipInput(error)
            return nil
        }
    }

    /// Reads the next batch of records. Returns `.end` if the rest of the input has to be skipped.
    private mutating func advance(
        _ reader: inout RecordReader, in file: borrowing File
    ) throws(ExitError) -> RecordReader.Step {
        do throws(IOError) {
            return try reader.advance(in: file, atMost: longestBatch) {
                () throws(IOError) in try results.flush()
            }
        } catch {
            try skipInput(error)
            return .end
        }
    }

    /// Reports that an input is skipped because of `error`. If the error also affects other inputs, throws
    /// the error instead of skipping the input.
    private mutating func skipInput(_ error: IOError) throws(ExitError) {
        guard error.isOfInput else { throw error.exitError }
        results.remark(
            error.text + (error.isMissingFile ? "; " + results.options.operandAdvice : ""))
        results.status.merge(error.status)
    }

    private static let overlong = RecordError(
        .long,
        "the record is longer than \(RecordReader.longestRecord) bytes; check whether a line ending is missing"
    )

    private static func fieldsReason(
        _ count: Int, _ options: FilterOptions, of line: Span<UInt8>
    ) -> String {
        let due = options.payloadField
        let reason =
            "the record has \(count == 1 ? "1 field" : "\(count) fields") instead of \(due)"
        if count == 1, let separator = CSVGuess.separator(in: line, over: options.payloadLength) {
            return "\(reason); \(CSVGuess.advice(for: separator))"
        }
        guard options.hasFieldOption else {
            return reason + (count > due ? "; remove a TAB" : "; separate the fields with TAB")
        }
        return count > due
            ? reason + "; remove a TAB, or use -f \(count) if the text is in the last field"
            : reason + " (-f \(due)); \(options.missing)"
    }
}
