internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Parts of split messages, held until all of one message are there, in whatever order they come.
///
/// Parts belong together when their key, the field just before the payload, and their count are equal.
/// Where several such messages are open, a part goes to the one begun last that lacks it, so that one
/// part lost, or come twice, spoils none of the messages after it; a part that all have begins another.
struct Joining {
    /// A part as it is printed by itself: the record's other fields, then the text with its number.
    private struct Part {
        let number: PartNumber
        let fields: Int
        var line: [UInt8]
    }

    /// A message of which some parts have come, in the order in which they came.
    private struct Message {
        let key: [UInt8]
        let count: Int
        /// How many messages were begun before.
        let serial: Int
        var parts: [Part]
    }

    /// Messages begun after one that is then given up.
    private static let mostBegun = 1024
    /// Bytes of parts that are held; beyond that the message begun first is given up.
    private static let mostBytes = 4 << 20

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

    /// Takes a message that was unpacked: prints it where it is no part, and all of it where it is the
    /// last part that was missing.
    mutating func take(_ fields: Span<UInt8>, _ text: Span<UInt8>, into output: inout Output) {
        guard let number = PartNumber(of: text) else {
            output.append(fields)
            output.append(text)
            output.append(terminator)
            return
        }
        var line: [UInt8] = []
        line.append(atMost: fields.count + text.count) { (line) in
            line.append(copying: fields)
            line.append(copying: text)
        }
        let part = Part(number: number, fields: fields.count, line: line)
        bytes += part.line.count
        let index = add(part, with: key(of: fields))
        if messages[index].parts.count == number.count {
            write(messages[index], to: &output)
            drop(index)
        }
        while let first = messages.first,
            begun - first.serial > Self.mostBegun || bytes > Self.mostBytes
        {
            giveUp(first, to: &output)
        }
    }

    /// Prints what is incomplete, part by part, and says so.
    mutating func finish(_ results: inout Results) {
        while let first = messages.first { giveUp(first, to: &results.output) }
        if givenUp.messages > 0 {
            results.remark(Words.incomplete(givenUp.parts, of: givenUp.messages))
        }
    }

    /// Adds a part to the message that it belongs to, begun here if need be; where that is.
    private mutating func add(_ part: Part, with key: [UInt8]) -> Int {
        let index = messages.lastIndex { (message) in
            message.count == part.number.count && message.key == key
                && !message.parts.contains { $0.number == part.number }
        }
        if let index {
            messages[index].parts.append(part)
            return index
        }
        messages.append(
            Message(key: key, count: part.number.count, serial: begun, parts: [part]))
        begun += 1
        return messages.count - 1
    }

    /// Prints a message of which all parts are there, with the fields of the part that came last.
    private func write(_ message: Message, to output: inout Output) {
        if let last = message.parts.last {
            output.append(last.line.span.extracting(..<last.fields))
        }
        let parts = message.parts.sorted { $0.number.number < $1.number.number }
        for (part, next) in zip(parts, parts.dropFirst() + parts.suffix(1)) {
            let text = part.line.span.extracting(part.fields...)
            output.append(text.extracting(part.number.length...))
            if part.number != next.number {
                let rest = next.line.span.extracting((next.fields + next.number.length)...)
                if Splitting.isCutBetweenWords(text, rest, newline: newline) {
                    output.append(UInt8(ascii: " "))
                }
            }
        }
        output.append(terminator)
    }

    /// Prints the parts of the first message as they are, in the order in which they came.
    private mutating func giveUp(_ message: Message, to output: inout Output) {
        for part in message.parts {
            output.append(part.line.span)
            output.append(terminator)
        }
        givenUp.parts += message.parts.count
        givenUp.messages += 1
        drop(0)
    }

    /// Forgets a message, and overwrites it.
    private mutating func drop(_ index: Int) {
        for part in messages[index].parts.indices {
            bytes -= messages[index].parts[part].line.count
            cleanse(&messages[index].parts[part].line)
        }
        messages.remove(at: index)
    }

    /// The field just before the payload; empty where there is none.
    private func key(of fields: Span<UInt8>) -> [UInt8] {
        let fields = Array(copying: fields)
        let start = fields.dropLast().lastIndex(of: UInt8(ascii: "\t")).map { $0 + 1 } ?? 0
        return Array(fields[start...])
    }
}
