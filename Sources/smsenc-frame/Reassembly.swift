internal import FrameLayout
internal import Frames
internal import GSM7
internal import ToolKit
internal import System

/// Joins the parts of split messages. The parts of a message may arrive in any order. The parts are kept
/// in memory until the message is complete.
///
/// Parts belong to the same message if they have the same sender, number of parts and checksum. Parts of
/// different messages are almost never joined, because the checksum of the joined message must also be the
/// checksum in the parts.
struct Reassembly {
    /// A part of a message, stored as the fields before the payload of the part's record, followed by the
    /// text of the part. The memory of a part is overwritten when the part is no longer needed.
    private final class Part {
        let mark: PartMark
        let fieldsLength: Int
        private var line: [UInt8] = []

        init(_ mark: PartMark, _ fields: Span<UInt8>, _ text: Span<UInt8>) {
            self.mark = mark
            self.fieldsLength = fields.count
            // Reserve all memory at once. If the array grew later, a copy of its content would remain in
            // freed memory.
            line.reserveCapacity(fields.count + text.count)
            for index in fields.indices { line.append(fields[index]) }
            for index in text.indices { line.append(text[index]) }
        }

        deinit { wipe(&line) }

        var byteCount: Int { line.count }

        func withFields(_ body: (Span<UInt8>) -> Void) {
            withLine { body($0.extracting(..<fieldsLength)) }
        }

        func withText(_ body: (Span<UInt8>) -> Void) {
            withLine { body($0.extracting(fieldsLength...)) }
        }

        private func withLine(_ body: (Span<UInt8>) -> Void) {
            // The array is overwritten when this object is destroyed. Therefore keep the object alive
            // while `body` reads the array.
            withExtendedLifetime(self) {
                let line = line
                body(line.span)
            }
        }

        func hasText(of other: Part) -> Bool {
            line[fieldsLength...] == other.line[other.fieldsLength...]
        }
    }

    /// An incomplete message, with the parts in the order of their arrival.
    private struct PartialMessage {
        /// Serial number of the message, counted from 0 in the order in which the messages began to arrive.
        let serial: Int
        var parts: [Part]

        func part(_ number: Int) -> Part? { parts.first { $0.mark.number == number } }

        func accepts(_ part: Part) -> Bool {
            let mark = parts[0].mark
            return mark.count == part.mark.count && mark.checksum == part.mark.checksum
        }
    }

    /// The incomplete messages of one sender, oldest message first. The key of a sender is the field
    /// before the payload, which is usually the contact.
    private struct Sender {
        let key: [UInt8]
        var messages: [PartialMessage] = []
        var bytes = 0
    }

    /// Maximum number of incomplete messages that are kept for one sender.
    private static let maximumMessagesPerContact = 1024
    /// Maximum number of bytes in memory for all senders together. `size(of:)` computes the size of each
    /// part.
    private static let maximumBytes = 8 << 20
    /// Maximum number of bytes that a part needs in memory, in addition to its text and fields.
    private static let overhead = 512
    /// Maximum ratio of the output size to the input size, in bytes, when a text is normalised and its
    /// newlines are converted.
    private static let growth = 9

    private let newline: Newline
    private let terminator: UInt8
    /// The senders who have incomplete messages.
    private var senders: [Sender] = []
    private var startedMessages = 0
    private var bytes = 0
    /// Number of parts that were printed separately, and number of messages to which these parts belong.
    private var printedSeparately = (parts: 0, messages: 0)

    init(newline: Newline, terminator: UInt8) {
        self.newline = newline
        self.terminator = terminator
    }

    /// Adds a message, or a part of a message, that `Frame.decodeAsSent` has decoded. If the message was
    /// not split, prints it immediately. If the part is the last missing part of its message, prints the
    /// joined message.
    ///
    /// - Returns: `part` if other parts of the message are still missing.
    mutating func addMessage(
        _ fields: Span<UInt8>, _ text: Span<UInt8>, into output: inout Output
    ) -> RecordStatus {
        guard let mark = PartMark(of: text) else {
            printPart(fields, text, to: &output)
            return .ok
        }
        let sender = sender(of: fields)
        let recordStatus = add(Part(mark, fields, text), of: sender, into: &output)
        if senders[sender].messages.count > Self.maximumMessagesPerContact {
            printSeparately(0, of: sender, to: &output)
        }
        if senders[sender].messages.isEmpty { senders.remove(at: sender) }
        while bytes > Self.maximumBytes { evictOldestMessage(&output) }
        return recordStatus
    }

    /// Prints the parts of incomplete messages with their marks, and reports the number of these parts.
    mutating func printRemaining(_ results: inout Results) {
        let messages = senders.flatMap { $0.messages }.sorted { $0.serial < $1.serial }
        senders = []
        for message in messages { printSeparately(message, to: &results.output) }
        if printedSeparately.messages > 0 {
            results.remark(
                DiagnosticText.partsPrintedSeparately(
                    printedSeparately.parts, of: printedSeparately.messages))
        }
    }

    /// Adds a part to an incomplete message of its sender. If the part completes a message, the part is
    /// added to the message that it completes. Any other part is added to the oldest message in which the
    /// part is missing. If no incomplete message needs the part, the part starts a new message.
    private mutating func add(
        _ part: Part, of sender: Int, into output: inout Output
    ) -> RecordStatus {
        let number = part.mark.number
        let messages = senders[sender].messages
        let candidates = messages.indices.filter { messages[$0].accepts(part) }
        // The part is a duplicate.
        if candidates.contains(where: { messages[$0].part(number)?.hasText(of: part) ?? false }) {
            return .part
        }
        let incomplete = candidates.filter { messages[$0].part(number) == nil }
        for index in incomplete where messages[index].parts.count == part.mark.count - 1 {
            if printJoined(messages[index].parts + [part], to: &output) {
                removeMessage(index, of: sender)
                return .ok
            }
        }
        let size = Self.size(of: part)
        bytes += size
        senders[sender].bytes += size
        guard let index = incomplete.first else {
            senders[sender].messages.append(PartialMessage(serial: startedMessages, parts: [part]))
            startedMessages += 1
            return .part
        }
        senders[sender].messages[index].parts.append(part)
        // All parts have arrived, but the checksum shows that they belong to different messages.
        if senders[sender].messages[index].parts.count == part.mark.count {
            printSeparately(index, of: sender, to: &output)
        }
        return .part
    }

    /// Prints a complete message. The other fields of the printed record are copied from the part that
    /// arrived last.
    ///
    /// - Returns: false if the checksum of the joined message is not the checksum in the parts. If the two
    ///   checksums differ, nothing is printed.
    private func printJoined(_ parts: [Part], to output: inout Output) -> Bool {
        let last = parts[parts.count - 1]
        let parts = parts.sorted { $0.mark.number < $1.mark.number }
        return withScratch(parts.reduce(0) { $0 + $1.byteCount }) { (text) in
            for part in parts {
                part.withText { text.append(copying: $0.extracting(part.mark.bytes.count...)) }
            }
            let mark = output.count
            last.withFields { output.append($0) }
            let isWritten = output.withSpace(Self.growth * text.count) { (space) in
                last.mark.joinParts(text.span, newline: newline, to: &space)
            }
            if isWritten { output.append(terminator) } else { output.rewind(to: mark) }
            return isWritten
        }
    }

    /// Prints and removes the oldest message of the sender whose messages need the most memory.
    private mutating func evictOldestMessage(_ output: inout Output) {
        var most = 0
        for index in senders.indices where senders[index].bytes > senders[most].bytes {
            most = index
        }
        printSeparately(0, of: most, to: &output)
        if senders[most].messages.isEmpty { senders.remove(at: most) }
    }

    private mutating func printSeparately(_ index: Int, of sender: Int, to output: inout Output) {
        printSeparately(senders[sender].messages[index], to: &output)
        removeMessage(index, of: sender)
    }

    /// Prints the parts of a message with their marks, in the order in which they arrived.
    private mutating func printSeparately(_ message: PartialMessage, to output: inout Output) {
        for part in message.parts {
            part.withFields { (fields) in part.withText { printPart(fields, $0, to: &output) } }
        }
        printedSeparately.parts += message.parts.count
        printedSeparately.messages += 1
    }

    /// Prints a record with the given fields, and the text in NFC.
    private func printPart(_ fields: Span<UInt8>, _ text: Span<UInt8>, to output: inout Output) {
        output.append(fields)
        output.withSpace(Self.growth * text.count) {
            // This never fails, because the text was decoded from a frame.
            _ = try? Message.normalise(text, newline: newline, to: &$0)
        }
        output.append(terminator)
    }

    private mutating func removeMessage(_ index: Int, of sender: Int) {
        let size = senders[sender].messages[index].parts.reduce(0) { $0 + Self.size(of: $1) }
        bytes -= size
        senders[sender].bytes -= size
        senders[sender].messages.remove(at: index)
    }

    /// Returns the number of bytes of memory that a part occupies.
    private static func size(of part: Part) -> Int { part.byteCount + overhead }

    /// Returns the index of a record's sender. The last field before the payload contains the sender's
    /// name. If the record has no field before the payload, the sender's name is empty.
    private mutating func sender(of fields: Span<UInt8>) -> Int {
        let fields = Array(copying: fields)
        let start = fields.dropLast().lastIndex(of: UInt8(ascii: "\t")).map { $0 + 1 } ?? 0
        let key = Array(fields[start...])
        if let index = senders.firstIndex(where: { $0.key == key }) { return index }
        senders.append(Sender(key: key))
        return senders.count - 1
    }
}
