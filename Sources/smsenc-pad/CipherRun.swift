import FrameLayout
import UserInterface
import Frames
import GSM7
import Keyring
import ToolKit
import Crypto
import Protocol
import System

/// Maximum number of records handled at once. This limit keeps the memory of a run below 12 MB.
let longestBatch = 3584

/// Encrypts or decrypts batches of records.
struct CipherRun<Exchange: MessageExchange & ~Copyable>: ~Copyable {
    private let keyring: Keyring
    private let options: PadOptions
    private var contacts: ContactCache
    /// State of the records of the batch that have been loaded.
    private var items: [WorkItem] = []
    /// Index in the batch of the first loaded record.
    private var first = 0
    /// Symbols of the frames or ciphertexts of these records. Encryption and decryption replace them in
    /// place.
    private var symbols = SecretRows(count: longestBatch, size: Frame.length)
    private var notices = RunNotices()

    init(_ keyring: Keyring, _ options: PadOptions, _ contacts: consuming ContactCache) {
        self.keyring = keyring
        self.options = options
        self.contacts = contacts
    }

    /// The state of one record. Its symbols are in the row with the same index.
    struct WorkItem {
        /// Index of the record's contact in `contacts`.
        var contact: Int?
        var stage = Stage.open
        /// For a decrypted message, how it arrived.
        var info: ReceivedInfo?
        /// Position of the record's message. Nil if the message was not encrypted or decrypted.
        var position: Position?
        /// Range of the record's result in the output, or nil before the result is written. The range is empty
        /// if there is no output.
        var output: Range<Int64>?

        /// Number of messages that this message adds to the missing ones. Negative if it arrived late.
        var missing: Int { info.map { $0.missing - $0.found.count } ?? 0 }
    }

    enum Stage {
        case open
        /// The message was encrypted or decrypted.
        case done
        /// The message was decrypted, and contains only a receipt.
        case onlyReceipt
        case bad(RecordError)
    }

    /// Handles a batch in one exchange with the keyring, or in several exchanges if a limit is reached.
    ///
    /// The limits apply to the number of keys in flight, the number of contacts in an exchange, and the
    /// memory for contacts.
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
                    // Other processes use up the limit of keys in flight for this contact.
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

    /// Reports at the end of the run which contacts have missing messages. If nearly all messages of a
    /// contact arrived late, reports that somebody with a copy of the keyring may be writing in that
    /// conversation (smsenc-security(7), A copied keyring).
    func end(_ results: inout Results) {
        let suspicions = notices.suspicions()
        for (contact, arrivals) in suspicions where arrivals.missing > 0 {
            let positions = options.printsPosition ? arrivals.newestMissing.map { $0.text } : []
            results.remark(DiagnosticText.missing(arrivals.missing, of: contact, positions))
        }
        let suspicion = suspicions.first { $0.arrivals.areMostlyLate }
        guard let (contact, arrivals) = suspicion else { return }
        results.remark(DiagnosticText.lateness(of: contact, arrivals.late, of: arrivals.read))
    }

    /// Maximum number of pauses while other processes use up the limit of keys in flight for a contact, and the
    /// length of a pause. All pauses add up to half a minute.
    private var maximumWaits: Int { 1500 }
    private var pauseMilliseconds: Int { 20 }

    /// Handles messages in one exchange with the keyring: encrypts or decrypts them, commits, writes the
    /// output, and finishes the exchange. No output is written before the commit on which it depends.
    ///
    /// - Returns: the index at which the next exchange begins. This is `start` if other processes must
    ///   write their output first.
    private mutating func exchange(
        from start: Int, _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(ExitError) -> Int {
        // Flush before the exchange begins. Otherwise, other processes would have to wait while this process
        // waits for the reader of its output.
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
                // Report the error that occurred first. The later error does not affect what has been
                // written.
                results.remark(Exchange.unfinished(error))
            }
            throw error.exitError
        }
        do throws(KeyringError) {
            try exchange.finish(written: nil)
        } catch {
            // Stop here, because the next commit would probably fail in the same way.
            throw ExitError(error.status, Exchange.unrecorded(error))
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
            if case .open = items[index].stage, let place = items[index].contact {
                let contact = contacts[place]
                let passed = try symbols.withMutableRow(index) { (symbols) throws(KeyringError) in
                    try exchange.process(&symbols, of: contact.id)
                }
                switch passed {
                case .not(.batchFull): return index
                case .not(.nothingWaits): break
                case .not(let reason):
                    if case .newerVersion(let summary, let info, let position) = reason {
                        notices.collect(from: summary, of: contact, info, at: position)
                        (items[index].info, items[index].position) = (info, position)
                    }
                    items[index].stage = .bad(rejection(for: reason, index, contact))
                case .done(let summary, let info, let position):
                    notices.collect(from: summary, of: contact, info, at: position)
                    (items[index].info, items[index].position) = (info, position)
                    items[index].stage = .done
                    if info?.hasText == false { items[index].stage = .onlyReceipt }
                }
            }
            if case .bad = items[index].stage, options.filter.stopsAtFirst { return index + 1 }
        }
        return items.count
    }

    /// Returns the reason why a message was rejected.
    private func rejection(for reason: ExchangeFailure, _ index: Int, _ contact: Contact)
        -> RecordError
    {
        switch reason {
        case .notReady(let summary):
            RecordError(.state, DiagnosticText.line(for: contact, summary))
        case .readBefore: RecordError(.read, DiagnosticText.readBefore)
        case .new: RecordError(.new, DiagnosticText.new)
        case .readElsewhere: RecordError(.read, DiagnosticText.readElsewhere)
        case .newerVersion: RecordError(.newer, DiagnosticText.newerVersion)
        case .gone, .batchFull, .nothingWaits:
            RecordError(.contact, KeyringError.contact(.unknown(contact.name)).text)
        case .readAgainFirst(let count):
            RecordError(.state, DiagnosticText.readAgainFirst(contact, count))
        case .noKey:
            symbols.withRow(index) {
                RecordError(
                    .refused, DiagnosticText.refusal($0, of: contact, searching: options.window))
            }
        }
    }

    /// Returns the number of messages for which `countsAsWritten` is true.
    private func writtenMessages(in range: Range<Int>, of output: borrowing Output) -> Int {
        items[range].count { item in
            item.output.map { Exchange.countsAsWritten($0, of: output) } ?? false
        }
    }

    /// Appends the results of good records to the output and rejects the others, in order. Flushes large
    /// blocks immediately, so that the buffer does not grow to the size of a batch.
    private mutating func write(
        _ range: Range<Int>, _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(IOError) {
        for index in range {
            let (item, record) = (items[index], reader.records[first + index])
            switch item.stage {
            case .open: break
            case .bad(let rejection):
                results.reject(
                    record, in: reader, rejection, missing: item.missing,
                    position: position(of: item))
                if results.isStopped { return }
            case .onlyReceipt:
                let end = results.output.position
                items[index].output = end..<end
                accept(record, in: reader, as: .receipt, item, &results)
            case .done:
                let start = results.output.position
                reader.withFields(of: record) { (fields, _) in
                    writeFields(fields, item, &results.output)
                }
                if options.checks {
                    // A dry run prints the fields without the TAB after the last field.
                    if results.output.position > start {
                        results.output.rewind(to: results.output.count - 1)
                    }
                } else {
                    symbols.withRow(index) { symbols in
                        results.output.withSpace(Frame.longestUTF8) { (text) in
                            Alphabet.write(symbols, to: &text)
                        }
                    }
                }
                results.output.append(options.filter.terminator)
                items[index].output = start..<results.output.position
                switch item.info?.arrival {
                case .inOrder, nil: accept(record, in: reader, as: .ok, item, &results)
                case .late:
                    accept(record, in: reader, as: .late, item, &results, note: DiagnosticText.late)
                case .again:
                    accept(
                        record, in: reader, as: .again, item, &results, note: DiagnosticText.again)
                case .reread: accept(record, in: reader, as: .reread, item, &results)
                }
                try results.flushBlocks()
            }
        }
    }

    private func accept(
        _ record: Record, in reader: borrowing RecordReader, as recordStatus: RecordStatus,
        _ item: WorkItem, _ results: inout Results, note: String? = nil
    ) {
        results.accept(
            record, in: reader, as: recordStatus, missing: item.missing,
            notes: note.map { [$0] } ?? [], position: position(of: item))
    }

    /// Returns the position of a record's message, or nil if it is not known or not printed.
    private func position(of item: WorkItem) -> String? {
        options.printsPosition ? item.position?.text : nil
    }

    private func writeFields(_ fields: Span<UInt8>, _ item: WorkItem, _ output: inout Output) {
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
        if options.printsPosition { append(position(of: item) ?? "-", to: &output) }
    }

    private func append(_ field: String?, to output: inout Output) {
        output.append(field ?? "")
        output.append(UInt8(ascii: "\t"))
    }
}

/// Looks up the contacts of records, and parses the records' frames or ciphertexts.
extension CipherRun where Exchange: ~Copyable {
    /// Loads records until the memory for contacts is used up.
    private mutating func load(_ reader: borrowing RecordReader) throws(KeyringError) {
        contacts.makeRoom()
        defer { contacts.endLookUps() }
        for record in reader.records[first...] {
            var item = WorkItem()
            if let bad = try read(record, in: reader, into: &item) { item.stage = .bad(bad) }
            items.append(item)
            if case .bad = item.stage, options.filter.stopsAtFirst { break }
            if contacts.isFull { break }
        }
    }

    /// Stores the contact of a record in the item and the symbols of the record in a row. Returns the
    /// reason if the record is rejected.
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
                if case .not(.notReady(let summary)) = try contacts.expectedResult(for: contact) {
                    return RecordError(.state, DiagnosticText.line(for: contact, summary))
                }
                return RecordError(.number, DiagnosticText.noNumber(contact))
            }
            if let bad = Exchange.read(payload, into: &symbols, row: items.count) { return bad }
            return nil
        }
        guard let unknown else { return bad }
        return RecordError(.contact, try contacts.text(for: unknown))
    }
}
