internal import System

/// A filter's run over its inputs: records in, records out, bad ones reported and never lost.
package struct Filter: ~Copyable {
    private var results: Results
    private let longestBatch: Int
    private let bufferSize: Int

    /// Makes the rejects file; nothing is read yet.
    ///
    /// - Parameters:
    ///   - longestBatch: records handled at once.
    ///   - bufferSize: bytes of input held at once.
    /// - Throws: `create`, `shared`.
    package init(
        tool: String, options: FilterOptions, badRecords: Results.BadRecords = .reported,
        longestBatch: Int = 8192, bufferSize: Int = 4 * RecordReader.longestRecord
    ) throws(Stop) {
        // First what can throw: nothing is to be taken down again then.
        let results = try orStop(
            io: Results(tool: tool, options: options, badRecords: badRecords))
        self.longestBatch = longestBatch
        self.bufferSize = bufferSize
        self.results = results
    }

    /// Runs over records one by one. `body` is shown the fields before the payload, each with its
    /// TAB, and the payload, and appends the result to the output, terminator included, or says why the
    /// record is bad; what it appended for a bad one is taken back. `end` is called after the last.
    /// - Throws: as `runBatches`.
    package consuming func run(
        _ body: (Span<UInt8>, Span<UInt8>, inout Output) -> Result<Fate, Rejection>,
        atEnd end: (inout Results) -> Void = { _ in }
    ) throws(Stop) -> ExitStatus {
        let options = results.options
        return try runBatches(
            { (reader, results) throws(Stop) in
                for record in reader.records where !results.isStopped {
                    let mark = results.output.count
                    let fate: Result<Fate, Rejection> =
                        if let rejection = Self.rejection(of: record, options) {
                            .failure(rejection)
                        } else {
                            reader.withFields(of: record) { (fields, payload) in
                                body(fields, payload, &results.output)
                            }
                        }
                    switch fate {
                    case .success(let fate): results.accept(record, in: reader, as: fate)
                    case .failure(let rejection):
                        results.output.rewind(to: mark)
                        results.reject(record, in: reader, rejection)
                    }
                    try orStop(io: results.flushBlocks())
                }
            }, atEnd: end)
    }

    /// Runs over batches. `body` writes good records to the results' output and rejects bad ones,
    /// those with a fault included (`rejection`), in order. `end` is called after the last.
    /// - Throws: what is neither read nor written, but for an input that is left out; what `body` throws.
    package consuming func runBatches(
        _ body: (borrowing RecordReader, inout Results) throws(Stop) -> Void,
        atEnd end: (inout Results) -> Void = { _ in }
    ) throws(Stop) -> ExitStatus {
        for name in results.options.inputs where !results.isStopped {
            try run(input: name, body)
        }
        end(&results)
        try orStop(io: results.finish())
        return results.status
    }

    /// Why a record is bad before anybody has looked at its text; nil when it is not.
    package static func rejection(of record: Record, _ options: FilterOptions) -> Rejection? {
        switch record.fault {
        case .overlong: overlong
        case .fields(let count): Rejection(.fields, fieldsReason(count, options))
        case nil: nil
        }
    }

    private mutating func run(
        input name: String, _ body: (borrowing RecordReader, inout Results) throws(Stop) -> Void
    ) throws(Stop) {
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
                if let number { results.finishReject(number, nil, Self.overlong) }
            }
            try orStop(io: results.flushBlocks())
        }
    }

    /// Opens an input; nil where it is left out.
    private mutating func open(_ name: String) throws(Stop) -> File? {
        do throws(IOError) {
            let file = name == "-" ? .standardInput() : try File(reading: name)
            try file.checkIsNotOutput()
            return file
        } catch {
            try leaveOut(error)
            return nil
        }
    }

    /// Goes on to the next records of an input; to its end where the rest is left out.
    private mutating func advance(
        _ reader: inout RecordReader, in file: borrowing File
    ) throws(Stop) -> RecordReader.Step {
        do throws(IOError) {
            return try reader.advance(in: file, atMost: longestBatch) {
                () throws(IOError) in try results.flush()
            }
        } catch {
            try leaveOut(error)
            return .end
        }
    }

    /// Leaves an input out, where what the system refused is of it alone.
    private mutating func leaveOut(_ error: IOError) throws(Stop) {
        guard error.isOfInput else { throw error.stop }
        results.remark(error.text)
        results.status.merge(error.status)
    }

    private static let overlong = Rejection(
        .long, "longer than \(RecordReader.longestRecord) bytes; is a line end missing?")

    private static func fieldsReason(_ count: Int, _ options: FilterOptions) -> String {
        let due = options.payloadField
        let reason =
            "\(count == 1 ? "1 field" : "\(count) fields") instead of \(due)"
        guard options.hasFieldOption else {
            return reason + (count > due ? "; remove the TAB" : "; is a TAB missing?")
        }
        return count > due
            ? reason + "; remove the TAB, or if the text is in the last field, use -f \(count)"
            : reason + " (-f \(due)); is \(options.missing) missing?"
    }
}
