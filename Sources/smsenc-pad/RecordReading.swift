import Access
import Frames
import GSM7
import Keyring
import LineIO
import Primitives
import Protocol

/// Records on their way in.
extension PadRun {
    /// Why a record cannot be read.
    enum Fault {
        case record(RecordFault)
        case contact(KeyringError)
        /// Numbers are to be written, and the contact has none.
        case noNumber
        /// It is no frame.
        case frame(any Error)
        /// It has so many characters where a ciphertext has 160.
        case length(Int)
        /// It is not of the characters of a ciphertext.
        case ciphertext(TextFault)
    }

    /// Reads the batch's records, as many as there is room for their contacts: those and the symbols, or
    /// that something is wrong.
    mutating func read(_ reader: borrowing RecordReader) throws(KeyringError) {
        recipients.makeRoom()
        jobs.reserveCapacity(reader.records.count - first)
        ends.reserveCapacity(reader.records.count - first)
        for record in reader.records[first...] {
            var job = Job()
            if try read(record, reader, into: &job, jobs.count) != nil { job.fate = .bad(.unread) }
            jobs.append(job)
            ends.append(0)
            if case .bad = job.fate, options.filter.stopsAtFirst { break }
            if recipients.areTooMany { break }
        }
    }

    /// Reads a record again that could not be read, for what is wrong with it, in words.
    mutating func wordsForUnread(_ index: Int, _ reader: borrowing RecordReader) -> String {
        let record = reader.records[first + index]
        var job = Job()
        let fault: Fault?
        do throws(KeyringError) {
            fault = try read(record, reader, into: &job, index)
        } catch {
            return error.text
        }
        return reader.withFields(of: record) { (fields, payload) in
            switch fault {
            case .record(let fault): Filter.reason(fault, options.filter)
            case .contact(let error): error.text
            case .noNumber: Advice.noNumber(job.contact)
            case .frame(let fault): Advice.line(forFrame: fault, like: Likeness(payload))
            case .length(let count): Advice.line(forLength: count, of: payload)
            case .ciphertext(let fault): Advice.line(forCiphertext: fault)
            // Somebody has added the contact meanwhile.
            case nil:
                Advice.line(forUnknown: fields.extracting(Recipients.contactField(of: fields)))
            }
        }
    }

    /// Opens the records of a plan of which nothing stands, or those from `start` on: their symbols are
    /// read anew.
    mutating func reopen(_ plan: Plan, from start: Int = 0, _ reader: borrowing RecordReader) {
        for group in plan.groups {
            var next: Int? = group.first
            while let index = next {
                next = plan.following(index)
                guard index >= start else { continue }
                // What was read once can be read again.
                let fault = reader.withFields(of: reader.records[first + index]) { (_, payload) in
                    readSymbols(payload, index)
                }
                jobs[index].fate = fault == nil ? .open : .bad(.unread)
            }
        }
    }

    /// Reads a record: its contact into the job, and its symbols.
    ///
    /// - Throws: what is wrong with the keyring rather than with the record.
    private mutating func read(
        _ record: Record, _ reader: borrowing RecordReader, into job: inout Job, _ place: Int
    ) throws(KeyringError) -> Fault? {
        if let fault = record.fault { return .record(fault) }
        return try reader.withFields(of: record) { (fields, payload) throws(KeyringError) in
            do throws(KeyringError) {
                job.recipient = try recipients.contact(of: fields)
            } catch {
                guard error.status == .rejected else { throw error }
                return .contact(error)
            }
            if options.contactField == .number, job.contact?.number == nil { return .noNumber }
            return readSymbols(payload, place)
        }
    }

    private mutating func readSymbols(_ payload: Span<UInt8>, _ place: Int) -> Fault? {
        options.deciphers ? readCiphertext(payload, place) : readFrame(payload, place)
    }

    private mutating func readFrame(_ payload: Span<UInt8>, _ place: Int) -> Fault? {
        do {
            let count = try symbols.write(row: place) { (symbols) throws(TextFault) in
                try Alphabet.decode(payload, into: &symbols, from: .frame)
            }
            try symbols.withRow(place) { (symbols) throws(FrameFault) in
                try Frame.check(symbols.extracting(..<count))
            }
            return nil
        } catch {
            return .frame(error)
        }
    }

    /// Reads a ciphertext as phones and gateways deliver them.
    private mutating func readCiphertext(_ payload: Span<UInt8>, _ place: Int) -> Fault? {
        do throws(TextFault) {
            let count = try symbols.write(row: place) { (symbols) throws(TextFault) in
                try Alphabet.decode(
                    payload.extracting(WhiteSpace.trimmed(payload)), into: &symbols,
                    from: .ciphertext)
            }
            return count == Ciphertext.length ? nil : .length(count)
        } catch .tooMany(let count) {
            return .length(count)
        } catch {
            return .ciphertext(error)
        }
    }
}
