import Access
import Frames
import GSM7
import Keyring
import LineIO
import Primitives

/// Records on their way out.
extension PadRun {
    /// Appends the good records to the output and rejects the bad ones, in order.
    ///
    /// What has become a large block goes out at once, so that a batch takes no room of its own.
    ///
    /// - Parameter noteEnd: told at which position of the output the n-th good record ends.
    func write(
        _ jobs: ArraySlice<Job>, _ reader: borrowing RecordReader, _ outcome: inout Outcome,
        noteEnd: (Int, Int) -> Void
    ) throws(IOError) {
        var good = 0
        for job in jobs {
            switch job.fate {
            case .open: break
            case .bad(let reason): outcome.reject(job.record, in: reader, reason)
            case .done(let arrival):
                reader.withFields(of: job.record) { (fields, _) in
                    writeFields(fields, job, &outcome.output)
                }
                symbols.withRow(job.place) { symbols in
                    outcome.output.withSpace(Frame.longestUTF8) { (text) in
                        Alphabet.write(symbols, to: &text)
                    }
                }
                outcome.output.append(options.filter.terminator)
                noteEnd(good, outcome.output.position)
                good += 1
                switch arrival {
                case .inOrder: break
                case .late:
                    outcome.remark(job.record, Note.late)
                case .again:
                    outcome.remark(job.record, Note.again)
                }
                try outcome.flushBlocks()
            }
        }
    }

    private func writeFields(_ fields: Span<UInt8>, _ job: Job, _ output: inout Output) {
        let text: String? =
            switch options.contactField {
            case .asItCame: nil
            case .number: job.contact?.number
            case .name: job.contact?.name
            }
        guard let text else { return output.append(fields) }
        let before =
            recipients.areNamed ? Recipients.contactField(of: fields).lowerBound : fields.count
        output.append(fields.extracting(..<before))
        output.append(text)
        output.append(UInt8(ascii: "\t"))
    }
}
