package import System

/// A filter's run over its inputs: records in, records out, bad ones reported and never lost.
package struct Filter: ~Copyable {
    private let options: FilterOptions
    private var results: Results
    private let longestBatch: Int
    private let bufferSize: Int

    /// Makes the rejects file; nothing is read yet.
    ///
    /// - Parameters:
    ///   - longestBatch: records handled at once.
    ///   - bufferSize: bytes of input held at once.
    /// - Throws: `create`.
    package init(
        tool: String, options: FilterOptions, badRecords: Results.BadRecords = .reported,
        longestBatch: Int = 8192, bufferSize: Int = 4 * RecordReader.longestRecord
    ) throws(IOError) {
        // First what can throw: nothing is to be taken down again then.
        let results = try Results(tool: tool, options: options, badRecords: badRecords)
        self.options = options
        self.longestBatch = longestBatch
        self.bufferSize = bufferSize
        self.results = results
    }

    /// Runs over records one by one. `body` is shown the fields before the payload, each with its
    /// TAB, and the payload, and appends the result to the output, terminator included, or says why the
    /// record is bad; what it appended for a bad one is taken back. `end` is called after the last.
    /// - Throws: `IOError`, and what `body` and `end` throw, as `runBatches`.
    package consuming func run(
        _ body: (Span<UInt8>, Span<UInt8>, inout Output) throws -> Result<Fate, Rejection>,
        atEnd end: (inout Results) throws -> Void = { _ in }
    ) throws -> ExitStatus {
        let options = options
        return try runBatches(
            { (reader, results) in
                for record in reader.records where !results.isStopped {
                    let mark = results.output.count
                    let fate: Result<Fate, Rejection> =
                        if let rejection = Self.rejection(of: record, options) {
                            .failure(rejection)
                        } else {
                            try reader.withFields(of: record) { (fields, payload) in
                                try body(fields, payload, &results.output)
                            }
                        }
                    switch fate {
                    case .success(let fate): results.accept(record, in: reader, as: fate)
                    case .failure(let rejection):
                        results.output.rewind(to: mark)
                        results.reject(record, in: reader, rejection)
                    }
                    try results.flushBlocks()
                }
            }, atEnd: end)
    }

    /// Runs over batches. `body` writes good records to the results' output and rejects bad ones,
    /// those with a fault included (`rejection`), in order. `end` is called after the last.
    /// - Throws: `IOError` for what is neither read nor written, but for an input that is left out, and
    ///   what `body` and `end` throw.
    package consuming func runBatches(
        _ body: (borrowing RecordReader, inout Results) throws -> Void,
        atEnd end: (inout Results) throws -> Void = { _ in }
    ) throws -> ExitStatus {
        for name in options.inputs where !results.isStopped {
            try run(input: name, body)
        }
        try end(&results)
        try results.finish()
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
        input name: String, _ body: (borrowing RecordReader, inout Results) throws -> Void
    ) throws {
        results.input = name == "-" ? "stdin" : name
        do {
            let file = name == "-" ? .standardInput() : try File(reading: name)
            try file.checkIsNotOutput()
            try run(file, body)
        } catch let error as IOError where error.isOfInput {
            results.remark(error.text)
            results.status.merge(error.status)
        }
    }

    private mutating func run(
        _ file: borrowing File,
        _ body: (borrowing RecordReader, inout Results) throws -> Void
    ) throws {
        var reader = RecordReader(
            terminator: options.terminator, payloadField: options.payloadField,
            payloadHasTabs: options.payloadHasTabs, bufferSize: bufferSize)
        let size = file.regularSize
        while !results.isStopped {
            let step = try reader.advance(in: file, atMost: longestBatch) {
                () throws(IOError) in try results.flush()
            }
            switch step {
            case .end: return
            case .batch:
                try body(reader, &results)
                results.progress?.add(reader.records.count, bytes: reader.bytesRead, of: size)
            case .overlong(let range, let number):
                try reader.withBytes(range) { (bytes) throws(IOError) in
                    try results.keepPiece(bytes)
                }
                if let number { results.finishReject(number, nil, Self.overlong) }
            }
            try results.flushBlocks()
        }
    }

    private static let overlong = Rejection(
        .long, "longer than \(RecordReader.longestRecord) bytes; is a line end missing?")

    private static func fieldsReason(_ count: Int, _ options: FilterOptions) -> String {
        let due = options.payloadField
        let reason =
            "\(count == 1 ? "1 field" : "\(count) fields") where \(due) \(due == 1 ? "is" : "are") due"
        guard options.hasFieldOption else {
            return reason + (count > due ? "; take the TAB out" : "; is a TAB missing?")
        }
        return count > due
            ? reason + "; take the TAB out, or, if the text is in the last, give -f \(count)"
            : reason + " (-f \(due)); is \(options.missing) missing?"
    }
}
