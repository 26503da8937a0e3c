import Access
import Frames
import GSM7
import Keyring
import LineIO
import Crypto
import System

/// Records on their way out.
extension PadRun {
    /// Appends the good records to the output and rejects the bad ones, in order.
    ///
    /// What has become a large block goes out at once, so that a batch takes no room of its own.
    mutating func write(
        _ range: Range<Int>, _ reader: borrowing RecordReader, _ outcome: inout Outcome
    ) throws(IOError) {
        for index in range {
            let record = reader.records[first + index]
            switch jobs[index].fate {
            case .open: break
            case .bad(let reason):
                outcome.reject(record, in: reader, words(for: reason, index, reader))
                if outcome.isStopped { return }
            case .done(let arrival):
                reader.withFields(of: record) { (fields, _) in
                    writeFields(fields, jobs[index].contact, &outcome.output)
                }
                symbols.withRow(index) { symbols in
                    outcome.output.withSpace(Frame.longestUTF8) { (text) in
                        Alphabet.write(symbols, to: &text)
                    }
                }
                outcome.output.append(options.filter.terminator)
                ends[index] = UInt32(outcome.output.position - outputStart)
                switch arrival {
                case .inOrder: break
                case .late: outcome.remark(record, Note.late)
                case .again: outcome.remark(record, Note.again)
                }
                try outcome.flushBlocks()
            }
        }
    }

    private mutating func words(
        for reason: Reason, _ index: Int, _ reader: borrowing RecordReader
    ) -> String {
        guard let contact = jobs[index].contact else { return wordsForUnread(index, reader) }
        return switch reason {
        case .unread: wordsForUnread(index, reader)
        case .refused:
            symbols.withRow(index) {
                Advice.refusal($0, of: contact, far: options.searchesFar)
            }
        case .notReady(let state): Advice.line(for: contact, state)
        case .gone: KeyringError.unknown(contact.name).text
        }
    }

    private func writeFields(_ fields: Span<UInt8>, _ contact: Contact?, _ output: inout Output) {
        let text: String? =
            switch options.contactField {
            case .asItCame: nil
            case .number: contact?.number
            case .name: contact?.name
            }
        guard let text else { return output.append(fields) }
        let before =
            recipients.areNamed ? Recipients.contactField(of: fields).lowerBound : fields.count
        output.append(fields.extracting(..<before))
        output.append(text)
        output.append(UInt8(ascii: "\t"))
    }
}
