import FrameLayout
import UserInterface
import Frames
import GSM7
import Keyring
import ToolKit
import Crypto
import Protocol
import System

/// Maximum number of records in a batch. With batches of this size, a run needs less than 12 MB of memory.
let longestBatch = 3584

/// Encrypts or decrypts batches of records.
struct CipherRun<Exchange: MessageExchange & ~Copyable>: ~Copyable {
    private let keyring: Keyring
    private let options: PadOptions
    private var contacts: ContactCache
    /// The states of all records that have been loaded from the batch.
    private var items: [WorkItem] = []
    /// Index of the first loaded record within the batch.
    private var first = 0
    /// The symbols of all loaded records, with one row for each record. Each row contains the frame or the
    /// ciphertext of a record, until encryption or decryption replaces it with the result.
    private var symbols = SecretRows(count: longestBatch, size: Frame.length)
    private var notices = RunNotices()

    init(_ keyring: Keyring, _ options: PadOptions, _ contacts: consuming ContactCache) {
        self.keyring = keyring
        self.options = options
        self.contacts = contacts
    }

    /// The state of one record. The symbols of the record are in the row of `symbols` with the same index.
    struct WorkItem {
        /// Index of the record's contact in `contacts`.
        var contact: Int?
        /// The result for the record, or nil if its message was not encrypted or decrypted yet.
        var result: Result<RecordStatus, RecordError>?
        /// The number that the record's message adds to the count of missing messages. The number is
        /// negative if the message was counted as missing before it arrived.
        var missing = 0
        /// Position of the record's message, or nil if the message was not encrypted or decrypted.
        var position: Position?
        /// Range of the record's result in the output, or nil if the result has not been written yet. If
        /// nothing is printed for the record, the range is empty.
        var output: Range<Int64>?
    }

    /// Handles a batch in one exchange with the keyring. If the exchange reaches a limit, handles the rest
    /// of the batch in further exchanges.
    ///
    /// An exchange has limits for the number of keys in flight, the number of contacts, and the memory for
    /// contacts.
    mutating func handle(
        _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(ExitError) {
        first = 0
        while first < reader.records.count, !results.isStopped {
            // Overwrite the symbols now, because it may take hours until the next batch arrives.
            defer {
                symbols.wipe()
                first += items.count
                items.removeAll(keepingCapacity: true)
            }
            try throwingExitError(load(reader))
            var start = 0
            var waits = 0
            while start < items.count, !results.isStopped {
                let end = try exchange(from: start, reader, &results)
                if end == start {
                    // Other processes have reached the limit of keys in flight for this contact.
                    waits += 1
                    if waits > maximumWaits { throw KeyringError.store(.busy).exitError }
                    MonotonicClock.pause(milliseconds: pauseMilliseconds)
                } else {
                    waits = 0
                }
                start = end
            }
        }
    }

    /// At the end of the run, reports the contacts with missing messages, and the contacts whose messages
    /// nearly all arrived late. If nearly all messages arrive late, somebody with a copy of the keyring
    /// may be writing in the conversation (smsenc-security(7), A copied keyring).
    func end(_ results: inout Results) {
        let suspicions = notices.suspicions()
        for arrivals in suspicions where arrivals.missingCount > 0 {
            let positions = options.printsPosition ? arrivals.newestMissing.map { $0.text } : []
            results.remark(
                DiagnosticText.missing(arrivals.missingCount, of: arrivals.contact, positions))
        }
        guard let late = suspicions.first(where: { $0.areMostlyLate }) else { return }
        results.remark(DiagnosticText.lateness(of: late.contact, late.late, of: late.read))
    }

    /// Maximum number of consecutive pauses, which together take half a minute. The run pauses while other
    /// processes have reached the limit of keys in flight for a contact.
    private var maximumWaits: Int { 1500 }
    private var pauseMilliseconds: Int { 20 }

    /// Handles messages in one exchange with the keyring. Encrypts or decrypts the messages, commits,
    /// writes the output, and finishes the exchange. The output of a message is written only after the
    /// commit.
    ///
    /// - Returns: the index at which the next exchange begins, or `start` if other processes must write
    ///   their output first.
    private mutating func exchange(
        from start: Int, _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(ExitError) -> Int {
        // Flush before the exchange begins. A flush may have to wait for the process that reads the
        // output. If this happened during the exchange, other processes would have to wait, too.
        try throwingExitError(io: results.flush())
        var exchange = try throwingExitError(Exchange(with: keyring, searching: options.window))
        let end = try throwingExitError(transform(from: start, in: &exchange))
        try throwingExitError(exchange.commit())
        do throws(IOError) {
            notices.reportStates(&results)
            try write(start..<end, reader, &results)
            try results.flush()
            try results.output.synchronise()
        } catch {
            let count = writtenMessages(in: start..<end, of: results.output)
            do throws(KeyringError) {
                try exchange.finish(written: count)
            } catch {
                // Report both errors, and throw the error that occurred first. The later error does not
                // change what has been written.
                results.remark(Exchange.unfinished(error, areAllWritten: false))
            }
            throw error.exitError
        }
        do throws(KeyringError) {
            try exchange.finish(written: nil)
        } catch {
            // Stop here, because the next commit would probably fail in the same way.
            throw ExitError(error.status, Exchange.unfinished(error, areAllWritten: true))
        }
        notices.reportSilence(&results)
        return end
    }

    /// Encrypts or decrypts records in order, until the limits of the exchange are reached.
    ///
    /// - Returns: the index of the first record that was not handled.
    private mutating func transform(
        from start: Int, in exchange: inout Exchange
    ) throws(KeyringError) -> Int {
        for index in start..<items.count {
            if items[index].result == nil, let place = items[index].contact {
                let contact = contacts[place]
                let passed = try symbols.withMutableRow(index) { (symbols) throws(KeyringError) in
                    try exchange.process(&symbols, of: contact.id, options)
                }
                if case .batchFull = passed { return index }
                items[index].result = result(of: passed, index, contact)
            }
            if case .failure = items[index].result, options.filter.stopsAtFirst {
                return index + 1
            }
        }
        return items.count
    }

    /// Returns the result for a message. If the message was encrypted or decrypted, also records its
    /// position and other facts about it. Returns nil if there is nothing to output or to report.
    private mutating func result(
        of passed: ExchangeResult, _ index: Int, _ contact: Contact
    ) -> Result<RecordStatus, RecordError>? {
        switch passed {
        case .nothingWaits, .batchFull: return nil
        case .done(let summary, let info, let position):
            note(summary, of: contact, info, position, index)
            return .success(status(of: info))
        case .newerVersion(let summary, let info, let position):
            note(summary, of: contact, info, position, index)
            return .failure(RecordError(.newer, DiagnosticText.newerVersion))
        case .notReady(let summary):
            return .failure(RecordError(.state, DiagnosticText.line(for: contact, summary)))
        case .readBefore: return .failure(RecordError(.read, DiagnosticText.readBefore))
        case .new: return .failure(RecordError(.new, DiagnosticText.new))
        case .readElsewhere: return .failure(RecordError(.read, DiagnosticText.readElsewhere))
        case .gone:
            let text = KeyringError.contact(.unknown(contact.name)).text
            return .failure(RecordError(.contact, text))
        case .readAgainFirst(let count):
            return .failure(RecordError(.state, DiagnosticText.readAgainFirst(contact, count)))
        case .noKey:
            let text = symbols.withRow(index) {
                DiagnosticText.refusal($0, of: contact, searching: options.window)
            }
            return .failure(RecordError(.refused, text))
        }
    }

    private mutating func note(
        _ summary: ContactSummary, of contact: Contact, _ info: ReceivedInfo?,
        _ position: Position?, _ index: Int
    ) {
        notices.collect(from: summary, of: contact, info, at: position)
        items[index].missing = info.map { $0.missing.count - $0.found.count } ?? 0
        items[index].position = position
    }

    /// Returns the status of an encrypted or decrypted message.
    private func status(of info: ReceivedInfo?) -> RecordStatus {
        guard let info else { return .ok }
        if !info.hasText { return .receipt }
        return switch info.arrival {
        case .inOrder: .ok
        case .late: .late
        case .again: .again
        case .reread: .reread
        }
    }

    /// Returns the number of messages for which `countsAsWritten` is true.
    private func writtenMessages(in range: Range<Int>, of output: borrowing Output) -> Int {
        items[range].count { item in
            item.output.map { Exchange.countsAsWritten($0, of: output) } ?? false
        }
    }

    /// Processes the results of records in order. Appends good records to the output, and rejects bad
    /// records. Large blocks are flushed immediately, because the buffer would otherwise grow to the size
    /// of a batch.
    private mutating func write(
        _ range: Range<Int>, _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(IOError) {
        for index in range {
            let (item, record) = (items[index], reader.records[first + index])
            let position = options.printsPosition ? item.position?.text : nil
            let start = results.output.position
            switch item.result {
            case nil: break
            case .failure(let rejection):
                results.reject(
                    record, in: reader, rejection, missing: item.missing, position: position)
                if results.isStopped { return }
            case .success(let recordStatus):
                if recordStatus != .receipt {
                    reader.withFields(of: record) { (fields, _) in
                        writeFields(fields, item, position, &results.output)
                    }
                    writePayload(index, after: start, &results.output)
                }
                items[index].output = start..<results.output.position
                let note = DiagnosticText.note(about: recordStatus)
                results.accept(
                    record, in: reader, as: recordStatus, missing: item.missing,
                    notes: note.map { [$0] } ?? [], position: position)
                try results.flushBlocks()
            }
        }
    }

    private func writeFields(
        _ fields: Span<UInt8>, _ item: WorkItem, _ position: String?, _ output: inout Output
    ) {
        if options.printsName || options.printsNumber || options.printsID {
            let contact = item.contact.map { contacts[$0] }
            let before =
                contacts.areNamedInRecords
                ? ContactCache.contactField(of: fields).lowerBound : fields.count
            output.append(fields.extracting(..<before))
            if options.printsName { append(contact?.name, to: &output) }
            if options.printsNumber { append(contact?.number, to: &output) }
            if options.printsID { append(contact?.id.text, to: &output) }
        } else {
            output.append(fields)
        }
        if options.printsPosition { append(position ?? "-", to: &output) }
    }

    private func writePayload(_ index: Int, after start: Int64, _ output: inout Output) {
        if !options.checks {
            symbols.withRow(index) { symbols in
                output.withSpace(Frame.longestUTF8) { (text) in Alphabet.write(symbols, to: &text) }
            }
        } else if output.position > start {
            // A dry run prints only the fields before the payload. Remove the TAB after the last of them.
            output.rewind(to: output.count - 1)
        }
        output.append(options.filter.terminator)
    }

    private func append(_ field: String?, to output: inout Output) {
        output.append(field ?? "")
        output.append(UInt8(ascii: "\t"))
    }
}

/// Looks up the contacts of records, and parses the records' frames or ciphertexts.
extension CipherRun where Exchange: ~Copyable {
    /// Loads records until the end of the batch, or until the memory for contacts is full.
    private mutating func load(_ reader: borrowing RecordReader) throws(KeyringError) {
        contacts.makeRoom()
        defer { contacts.endLookUps() }
        for record in reader.records[first...] {
            var item = WorkItem()
            if let bad = try read(record, in: reader, into: &item) { item.result = .failure(bad) }
            items.append(item)
            if case .failure = item.result, options.filter.stopsAtFirst { break }
            if contacts.isFull { break }
        }
    }

    /// Looks up the contact of a record and stores it in `item`. Stores the symbols of the record in a
    /// row. If the record is rejected, returns the reason.
    private mutating func read(
        _ record: Record, in reader: borrowing RecordReader, into item: inout WorkItem
    ) throws(KeyringError) -> RecordError? {
        if let bad = Filter.rejection(of: record, in: reader, options.filter) { return bad }
        var unknown: KeyringError?
        let bad: RecordError? = try reader.withFields(of: record) {
            (fields, payload) throws(KeyringError) in
            let contact: Contact
            do throws(KeyringError) {
                let place = try contacts.contact(of: fields)
                item.contact = place
                contact = contacts[place]
            } catch {
                guard error.status == .rejected else { throw error }
                unknown = error
                return nil
            }
            if options.printsNumber, contact.number == nil {
                // If the contact is not synchronised, setting a number would not help. Therefore check the
                // state first.
                if case .notReady(let summary) = try contacts.expectedResult(for: contact) {
                    return RecordError(.state, DiagnosticText.line(for: contact, summary))
                }
                return RecordError(.number, DiagnosticText.noNumber(contact))
            }
            return Exchange.read(payload, into: &symbols, row: items.count, options)
        }
        guard let unknown else { return bad }
        return RecordError(.contact, try contacts.text(for: unknown))
    }
}
