package import System

/// What becomes of the records of a run: output, diagnostics, rejects, fates, and the exit status.
package struct Results: ~Copyable {
    /// What is done with bad records, besides writing them to the rejects file where there is one.
    package enum BadRecords: Sendable {
        /// Reported on stderr.
        case reported
        /// Written to the output instead of the good ones, without a word.
        case printed
        /// Only the exit status tells of them.
        case silent
    }

    package var output: Output
    package internal(set) var status = ExitStatus.done
    /// True when a record was bad and the run is to stop at the first.
    package private(set) var isStopped = false

    let options: FilterOptions
    private let diagnostics: Diagnostics
    private let badRecords: BadRecords
    private var rejects: Output?
    private var fates: Fates?
    var progress: Progress?
    /// The input that is read, as diagnostics name it.
    var input = "stdin"

    init(tool: String, options: FilterOptions, badRecords: BadRecords) throws(IOError) {
        diagnostics = Diagnostics(tool: tool)
        self.badRecords = badRecords
        self.options = options
        progress = options.showsProgress ? Progress() : nil
        output = Output(to: .standardOutput())
        rejects = nil
        fates = nil
        if let path = options.rejectsPath {
            rejects = Output(to: try File(rejects: path))
        }
        if let path = options.statusPath {
            let file = try File(rejects: path)
            // A line of another kind among them would be taken for a fate.
            for other in [File.standardOutput().number, File.standardError().number]
            where file.isShared(with: other) {
                throw .shared(path)
            }
            fates = Fates(to: file, endingIn: options.terminator)
        }
    }

    /// Puts on record that a record went through; what is printed for it is in the output.
    ///
    /// - Parameters:
    ///   - missing: messages before it that have not come.
    ///   - notes: what is said of it all the same.
    ///   - tag: names its SMS; empty if there is none.
    package mutating func accept(
        _ record: Record, in reader: borrowing RecordReader, as fate: Fate = .ok,
        missing: Int = 0, notes: [String] = [], tag: String = ""
    ) {
        for note in notes { remark(record, in: reader, note) }
        guard fates != nil else { return }
        fates?.append(
            record.number, reader.identifier(of: record), fate, missing: missing,
            notes.joined(separator: "; "), tag: tag, after: output.position)
    }

    /// Leaves a record out of the output and says why.
    ///
    /// - Parameter tag: names its SMS; empty if there is none.
    package mutating func reject(
        _ record: Record, in reader: borrowing RecordReader, _ rejection: Rejection,
        tag: String = ""
    ) {
        reader.withBytes(record.raw) { keep($0) }
        finishReject(record.number, reader.identifier(of: record), rejection, tag: tag)
    }

    private mutating func remark(
        _ record: Record, in reader: borrowing RecordReader, _ text: String
    ) {
        progress?.clear()
        diagnostics.say(text, of: record.number, reader.identifier(of: record), in: input)
    }

    /// Says something of the run.
    package mutating func remark(_ text: String) {
        progress?.clear()
        diagnostics.say(text)
    }

    /// Writes out what was gathered; rejects first, so that no record is in neither, and fates last, when
    /// they are certain.
    /// - Throws: `write`, `readerLeft`, as the next.
    package mutating func flush() throws(IOError) {
        try rejects?.flush()
        guard fates != nil else { return try output.flush() }
        do throws(IOError) {
            try output.flush()
            try output.synchronise()
        } catch {
            // What went wrong first ends the run.
            try? fates?.flush(certain: output.isFile ? 0 : output.certainlyLeft)
            throw error
        }
        try fates?.flush(certain: output.position)
    }

    /// Writes out what has become a large block.
    package mutating func flushBlocks() throws(IOError) {
        if max(output.count, rejects?.count ?? 0, fates?.count ?? 0) >= Output.blockSize {
            try flush()
        }
    }

    mutating func finishReject(
        _ number: Int64, _ identifier: [UInt8]?, _ rejection: Rejection, tag: String = ""
    ) {
        rejects?.append(options.terminator)
        switch badRecords {
        case .reported:
            progress?.clear()
            diagnostics.say(rejection.text, of: number, identifier, in: input)
        case .printed: output.append(options.terminator)
        case .silent: break
        }
        fates?.append(
            number, identifier, rejection.fate, missing: 0, rejection.text, tag: tag,
            after: output.position)
        status.merge(.rejected)
        isStopped = options.stopsAtFirst
    }

    /// Ends the run: rejects and fates are brought to the disk.
    mutating func finish() throws(IOError) {
        try flush()
        try rejects?.synchronise()
        try fates?.synchronise()
        progress?.finish()
    }

    /// Keeps a bad record, or a piece of one that is too long to be held at once.
    mutating func keep(_ bytes: Span<UInt8>) {
        rejects?.append(bytes)
        if badRecords == .printed { output.append(bytes) }
    }
}
