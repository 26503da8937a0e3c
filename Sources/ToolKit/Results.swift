package import System

/// Collects the results of a run: the output, the diagnostics, the rejects, the statuses of records, and the
/// exit status.
package struct Results: ~Copyable {
    /// The ways in which bad records are reported. If there is a rejects file, bad records are also
    /// written to this file.
    package enum BadRecords: Sendable {
        /// Bad records are reported on stderr.
        case reported
        /// Bad records are written to the output, without diagnostics. Good records are not written to the
        /// output.
        case printed
        /// Bad records are not reported, and only change the exit status.
        case silent
    }

    package var output: Output
    package internal(set) var status = ExitStatus.done
    /// True if the run has to stop, because a record was bad and the user gave `--fail-fast`.
    package private(set) var isStopped = false

    let options: FilterOptions
    private let diagnostics: Diagnostics
    private let badRecords: BadRecords
    private var rejects: Output?
    private var statusFile: StatusFile?
    /// The pieces of advice about the whole table that this run has already printed. Each piece of advice is
    /// printed only for the first record that needs it.
    private var tableAdvice: [String] = []
    /// Number of records for which advice was not printed again.
    private var unreported = 0
    var progress: Progress?
    /// Name of the current input file, as shown in diagnostics.
    var input = "stdin"

    init(tool: String, options: FilterOptions, badRecords: BadRecords) throws(IOError) {
        diagnostics = Diagnostics(tool: tool)
        self.badRecords = badRecords
        self.options = options
        progress = options.showsProgress ? Progress() : nil
        output = Output(to: .standardOutput())
        rejects = nil
        statusFile = nil
        if let path = options.rejectsPath {
            rejects = Output(to: try File(rejects: path))
        }
        if let path = options.statusPath {
            let file = try File(rejects: path)
            // If other output were written to the status file, it could be mistaken for the status of a
            // record.
            for other in [File.standardOutput().number, File.standardError().number]
            where file.isShared(with: other) {
                throw .shared(path)
            }
            statusFile = StatusFile(to: file, options)
        }
    }

    /// Records that a record was processed. The caller has already appended the result to the output.
    ///
    /// - Parameters:
    ///   - missing: the number by which this record changes the count of missing messages. A negative
    ///     number means that the record's message was missing before.
    ///   - notes: diagnostics about the record.
    ///   - position: the position of the record's message, or nil if it is not known.
    package mutating func accept(
        _ record: Record, in reader: borrowing RecordReader, as recordStatus: RecordStatus = .ok,
        missing: Int = 0, notes: [String] = [], position: String? = nil
    ) {
        for note in notes { remark(record, in: reader, note) }
        guard statusFile != nil else { return }
        statusFile?.append(
            record.number, reader.identifier(of: record), recordStatus, missing: missing,
            notes.joined(separator: "; "), position: position, after: output.position)
    }

    /// Records that a record was rejected, and reports the reason. The parameters `missing` and `position` have
    /// the same meaning as in `accept`.
    package mutating func reject(
        _ record: Record, in reader: borrowing RecordReader, _ rejection: RecordError,
        missing: Int = 0, position: String? = nil
    ) {
        reader.withBytes(record.raw) { keep($0) }
        completeReject(
            record.number, reader.identifier(of: record), rejection, missing: missing,
            position: position)
    }

    private mutating func remark(
        _ record: Record, in reader: borrowing RecordReader, _ text: String
    ) {
        progress?.clear()
        diagnostics.say(text, of: record.number, reader.identifier(of: record), in: input)
    }

    /// Prints a diagnostic that does not belong to a single record.
    package mutating func remark(_ text: String) {
        progress?.clear()
        diagnostics.say(text)
    }

    /// Writes all buffered data.
    ///
    /// Rejected records are written to the rejects file before the output is written. If the tool is killed,
    /// the rejects file therefore contains all bad records before the last record in the output. Statuses are
    /// written last, because they depend on whether the output could be written.
    ///
    /// - Throws: `write`, `readerLeft`.
    package mutating func flush() throws(IOError) {
        try rejects?.flush()
        guard statusFile != nil else { return try output.flush() }
        do throws(IOError) {
            try output.flush()
            try output.synchronise()
        } catch {
            // Report only the error that occurred first. Ignore an error that occurs while the statuses
            // are written.
            try? statusFile?.flush(certain: output.isFile ? 0 : output.certainlyWritten)
            throw error
        }
        try statusFile?.flush(certain: output.position)
    }

    /// Flushes if one of the buffers has reached `Output.blockSize`.
    ///
    /// - Throws: `write`, `readerLeft`.
    package mutating func flushBlocks() throws(IOError) {
        if max(output.count, rejects?.count ?? 0, statusFile?.count ?? 0) >= Output.blockSize {
            try flush()
        }
    }

    mutating func completeReject(
        _ number: Int64, _ identifier: [UInt8]?, _ rejection: RecordError, missing: Int = 0,
        position: String? = nil
    ) {
        rejects?.append(options.terminator)
        switch badRecords {
        case .reported:
            if tableAdvice.contains(rejection.text) {
                unreported += 1
            } else {
                if CSVGuess.isAdvice(rejection.text) { tableAdvice.append(rejection.text) }
                progress?.clear()
                diagnostics.say(rejection.text, of: number, identifier, in: input)
            }
        case .printed: output.append(options.terminator)
        case .silent: break
        }
        statusFile?.append(
            number, identifier, rejection.recordStatus, missing: missing, rejection.text,
            position: position, after: output.position)
        status.merge(.rejected)
        isStopped = options.stopsAtFirst
    }

    /// Ends the run. Writes all buffered data, and calls fsync(2) on the rejects file and the status file.
    mutating func finish() throws(IOError) {
        try flush()
        try rejects?.synchronise()
        try statusFile?.synchronise()
        progress?.finish()
        if unreported > 0 {
            remark(
                unreported == 1
                    ? "1 more record was rejected for the same reason"
                    : "\(unreported) more records were rejected for the same reason")
        }
    }

    /// Appends a bad record to the rejects. If a record is too long, appends a piece of it.
    mutating func keep(_ bytes: Span<UInt8>) {
        rejects?.append(bytes)
        if badRecords == .printed { output.append(bytes) }
    }
}
