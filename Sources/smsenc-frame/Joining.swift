internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Parts of split messages, held until all of one message are there, in whatever order they come.
///
/// Parts belong together when their key, the field just before the payload, their count and their check
/// are equal, and what they make has that check: no message is made of parts of several.
struct Joining {
    /// A part: the record's other fields, then its text. It is overwritten when nobody has it any more.
    private final class Part {
        let mark: PartMark
        let fields: Int
        private var line: [UInt8] = []

        init(_ mark: PartMark, _ fields: Span<UInt8>, _ text: Span<UInt8>) {
            self.mark = mark
            self.fields = fields.count
            // Room at once, so that no copy is left behind.
            line.reserveCapacity(fields.count + text.count)
            for index in fields.indices { line.append(fields[index]) }
            for index in text.indices { line.append(text[index]) }
        }

        deinit { cleanse(&line) }

        var count: Int { line.count }

        func withFields(_ body: (Span<UInt8>) -> Void) {
            withLine { body($0.extracting(..<fields)) }
        }

        func withText(_ body: (Span<UInt8>) -> Void) {
            withLine { body($0.extracting(fields...)) }
        }

        private func withLine(_ body: (Span<UInt8>) -> Void) {
            // As long as this is here the array is not overwritten, and it has no other owner then.
            withExtendedLifetime(self) {
                let line = line
                body(line.span)
            }
        }

        func hasText(of other: Part) -> Bool {
            line[fields...] == other.line[other.fields...]
        }
    }

    /// A message of which some parts have come, in the order in which they came.
    private struct Message {
        let key: [UInt8]
        /// How many messages were begun before.
        let serial: Int
        var parts: [Part]

        func part(_ number: Int) -> Part? { parts.first { $0.mark.number == number } }

        func mayHave(_ part: Part, with key: [UInt8]) -> Bool {
            let mark = parts[0].mark
            return mark.count == part.mark.count && mark.check == part.mark.check && self.key == key
        }
    }

    /// Messages begun after one that is then given up.
    private static let mostBegun = 1024
    /// Bytes of parts that are held; beyond that the message begun first is given up.
    private static let mostBytes = 4 << 20
    /// Bytes that a text grows to at most, for each of its own, in NFC and with its newlines spelt out.
    private static let growth = 9

    private let newline: Newline
    private let terminator: UInt8
    private var messages: [Message] = []
    private var begun = 0
    private var bytes = 0
    /// Parts that were printed as they are, and of how many messages.
    private var givenUp = (parts: 0, messages: 0)

    init(newline: Newline, terminator: UInt8) {
        self.newline = newline
        self.terminator = terminator
    }

    /// Takes a message that was unpacked, its newlines line feeds: prints it where it is no part, and all
    /// of it where it is the last part that was missing.
    ///
    /// - Returns: `part` where it is one, and not the last.
    mutating func take(
        _ fields: Span<UInt8>, _ text: Span<UInt8>, into output: inout Output
    ) -> Fate {
        guard let mark = PartMark(of: text) else {
            write(fields, text, to: &output)
            return .ok
        }
        let fate = add(Part(mark, fields, text), with: key(of: fields), into: &output)
        while let first = messages.first,
            begun - first.serial > Self.mostBegun || bytes > Self.mostBytes
        {
            giveUp(0, to: &output)
        }
        return fate
    }

    /// Prints what is incomplete, part by part, and says so.
    mutating func finish(_ results: inout Results) {
        while !messages.isEmpty { giveUp(0, to: &results.output) }
        if givenUp.messages > 0 {
            results.remark(Words.apart(givenUp.parts, of: givenUp.messages))
        }
    }

    /// Adds a part to the message that it completes, else to the first that lacks it, begun here if need
    /// be.
    private mutating func add(
        _ part: Part, with key: [UInt8], into output: inout Output
    ) -> Fate {
        let number = part.mark.number
        let theirs = messages.indices.filter { messages[$0].mayHave(part, with: key) }
        // Come twice.
        if theirs.contains(where: { messages[$0].part(number)?.hasText(of: part) ?? false }) {
            return .part
        }
        bytes += part.count
        let lacking = theirs.filter { messages[$0].part(number) == nil }
        for index in lacking where messages[index].parts.count == part.mark.count - 1 {
            messages[index].parts.append(part)
            if write(messages[index], after: part, to: &output) {
                drop(index)
                return .ok
            }
            messages[index].parts.removeLast()
        }
        guard let index = lacking.first else {
            messages.append(Message(key: key, serial: begun, parts: [part]))
            begun += 1
            return .part
        }
        messages[index].parts.append(part)
        // All are there, and they are not of one message.
        if messages[index].parts.count == part.mark.count { giveUp(index, to: &output) }
        return .part
    }

    /// Prints a message of which all parts are there, with the fields of the part that came last; prints
    /// nothing, and is false, where it has not the check that they say.
    private func write(_ message: Message, after last: Part, to output: inout Output) -> Bool {
        let parts = message.parts.sorted { $0.mark.number < $1.mark.number }
        return withScratch(parts.reduce(0) { $0 + $1.count }) { (text) in
            for part in parts {
                part.withText { text.append(copying: $0.extracting(part.mark.bytes.count...)) }
            }
            let mark = output.count
            last.withFields { output.append($0) }
            let isWritten = output.withSpace(Self.growth * text.count) { (space) in
                last.mark.write(text.span, newline: newline, to: &space)
            }
            if isWritten { output.append(terminator) } else { output.rewind(to: mark) }
            return isWritten
        }
    }

    /// Prints the parts of a message as they are, in the order in which they came.
    private mutating func giveUp(_ index: Int, to output: inout Output) {
        for part in messages[index].parts {
            part.withFields { (fields) in part.withText { write(fields, $0, to: &output) } }
        }
        givenUp.parts += messages[index].parts.count
        givenUp.messages += 1
        drop(index)
    }

    /// Prints a text after the record's other fields.
    private func write(_ fields: Span<UInt8>, _ text: Span<UInt8>, to output: inout Output) {
        output.append(fields)
        output.withSpace(Self.growth * text.count) {
            Frames.Message.translate(text, to: newline, into: &$0)
        }
        output.append(terminator)
    }

    private mutating func drop(_ index: Int) {
        bytes -= messages[index].parts.reduce(0) { $0 + $1.count }
        messages.remove(at: index)
    }

    /// The field just before the payload; empty where there is none.
    private func key(of fields: Span<UInt8>) -> [UInt8] {
        let fields = Array(copying: fields)
        let start = fields.dropLast().lastIndex(of: UInt8(ascii: "\t")).map { $0 + 1 } ?? 0
        return Array(fields[start...])
    }
}
