import FrameLayout
import Foundation
import Frames
import GSM7
import ToolKit
import Support
import System

@testable import smsenc_frame

/// A message that a simulated person writes, in one SMS or in parts.
final class TestMessage: Sendable {
    let serial: Int
    let text: String
    /// Frames of the message, one for each part.
    let frames: [[UInt8]]

    private static let words = [
        "bring", "water", "to", "the", "bridge", "at", "dawn", "Dr", "Osei", "has", "12", "boxes",
        "of",
        "fuel", "for", "Camp-B", "road", "N2", "is", "closed", "£40", "¿donde?", "à", "8:30",
    ]
    private static let otherWords = [
        "мост", "закрыт", "сегодня", "الجسر", "مغلق", "六点", "在桥边", "पुल", "€", "[x]", "~", "😀",
        "née", "Œuvre", "\n", "ሰላም",
    ]

    private init(serial: Int, _ text: String) throws {
        (self.serial, self.text) = (serial, text)
        let utf8 = Array(text.utf8)
        do {
            frames = [try Self.frame(utf8.span)]
        } catch FrameFault.tooLong {
            var frames: [[UInt8]] = []
            try MessageSplitter.forEachPart(of: utf8.span, newline: .lineFeed) {
                (part) throws(FrameFault) in frames.append(try Self.frame(part))
            }
            self.frames = frames
        }
    }

    private static func frame(_ text: Span<UInt8>) throws(FrameFault) -> [UInt8] {
        try [UInt8](atMost: Frame.length) { (frame) throws(FrameFault) in
            try Frame.encode(text, newline: .lineFeed, into: &frame)
        }
    }

    /// Returns a new short message, or one of a few longer messages prepared in advance, because encoding
    /// long messages is slow.
    static func written(
        _ kind: Action.Writing.Kind, serial: Int, _ chance: inout Generator
    ) throws -> TestMessage {
        switch kind {
        case .short:
            return try TestMessage(serial: serial, text(serial, chance.number(below: 14), &chance))
        case .foreign: return chance.pick(try usual.get().foreign)
        case .long: return chance.pick(try usual.get().long)
        }
    }

    private static func text(_ number: Int, _ count: Int, _ chance: inout Generator) -> String {
        (0..<count).reduce("#\(number)") { (text, _) in text + " " + chance.pick(words) } + "."
    }

    private struct Usual: Sendable {
        let foreign: [TestMessage]
        let long: [TestMessage]
    }

    private static let usual = Result { () throws in
        var chance = Generator(seed: 4711)
        let foreign = try (1...8).map { (number) throws in
            let words = (0..<(1 + number % 6)).map { _ in chance.pick(otherWords) }
            return try TestMessage(serial: -number, "-\(number) " + words.joined(separator: " "))
        }
        // For each length, there are two messages with the same checksum, whose parts differ only in their
        // text.
        let long = try (9...14).map { (number) throws in
            let text = text(-number, number < 12 ? 56 : 80, &chance)
            return try TestMessage(serial: -number, number % 3 < 2 ? twin(of: text) : text)
        }
        return Usual(foreign: foreign, long: long)
    }

    var check: UInt32 { ~Self.remainder(after: Array(text.utf8), from: .max) % 10_000 }

    /// Appends a number to a text, so that all texts have the same checksum.
    private static func twin(of text: String) -> String {
        let start = remainder(after: Array(text.utf8), from: .max)
        let number = (10_000...99_999).first { number in
            ~remainder(after: Array(" \(number)".utf8), from: start) % 10_000 == 4711
        }
        return text + " \(number ?? 0)"
    }

    /// Returns the remainder of CRC-32, as in gzip and PNG.
    private static func remainder(after bytes: [UInt8], from start: UInt32) -> UInt32 {
        bytes.reduce(start) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static let table = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { (rest, _) -> UInt32 in
            let isOdd = rest & 1 == 1
            return isOdd ? (rest >> 1) ^ 0xEDB8_8320 : rest >> 1
        }
    }
}

/// Checks the reassembly of messages by smsenc-frame. Every output must be a message that was written, or one
/// of its parts.
struct ReassemblyCheck {
    /// A person's process `smsenc-frame -dj`, which runs during the whole simulation.
    private final class Reader {
        var reassembly = Reassembly(newline: .lineFeed, terminator: 0)
        var output: Output
        /// Lines that may be printed, with the number of times, and lines that must be printed next.
        var allowed: [String: Int] = [:]
        var due: [String] = []
        /// Parts that have arrived, by sender and message. For each part mark, the first message with this
        /// mark, or -1 for several messages.
        var parts: [String: Set<Int>] = [:]
        var marks: [String: Int] = [:]
        /// Lines of messages of which all parts have arrived.
        var wholes: Set<String> = []
        private let pipe = Pipe()

        init() throws {
            let writing = pipe.fileHandleForWriting.fileDescriptor
            output = Output(to: try File(rejects: "/dev/fd/\(writing)"))
        }

        /// Reads the lines that were printed. The pipe has room for 65,536 bytes.
        func shown() throws -> [String] {
            let count = output.count
            guard count > 0 else { return [] }
            try output.flush()
            let bytes = try pipe.fileHandleForReading.read(upToCount: count) ?? Data()
            return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private var readers: [Persona: Reader] = [:]

    /// Passes an SMS that a person read to that person's smsenc-frame.
    ///
    /// - Returns: the number of messages that were reassembled.
    mutating func add(_ sms: SMS, to who: Persona) throws -> Int {
        guard let message = sms.message, case .pad(_, _, let frame, _) = sms.content else {
            return 0
        }
        let reader = try readers[who] ?? Reader()
        readers[who] = reader
        let blank = frame[..<150] + [UInt8](repeating: Alphabet.space, count: 10)
        let text = try [UInt8](atMost: Frame.longestMessage) { (text) throws(FrameFault) in
            try Frame.decode(Array(blank).span, newline: .lineFeed, into: &text)
        }
        let line = { (text: String) in "\(sms.sender)\t\(text)" }
        reader.allowed[line(String(decoding: text, as: UTF8.self)), default: 0] += 1
        if message.frames.count > 1 {
            let mark = line("\(message.frames.count) \(message.check)")
            let isAlone = reader.marks[mark, default: message.serial] == message.serial
            reader.marks[mark] = isAlone ? message.serial : -1
            let name = line("\(message.serial)")
            reader.parts[name, default: []].insert(sms.part)
            if reader.parts[name]?.count == message.frames.count {
                reader.parts[name] = nil
                reader.allowed[line(message.text), default: 0] += 1
                reader.wholes.insert(line(message.text))
                if isAlone { reader.due.append(line(message.text)) }
            }
        } else {
            reader.due.append(line(message.text))
        }
        _ = reader.reassembly.addMessage(Array(line("").utf8).span, text.span, into: &reader.output)
        return reader.output.count > 30_000 ? try read(by: who) : 0
    }

    /// Checks the lines that were printed.
    ///
    /// - Returns: the number of messages that were reassembled.
    func read(by who: Persona) throws -> Int {
        guard let reader = readers[who] else { return 0 }
        var joined = 0
        for line in try reader.shown() {
            guard let count = reader.allowed[line], count > 0 else {
                throw Violation(.readAsWritten, "\(who) is shown what nobody wrote: \(line)")
            }
            reader.allowed[line] = count > 1 ? count - 1 : nil
            if let place = reader.due.firstIndex(of: line) { reader.due.remove(at: place) }
            if reader.wholes.contains(line) { joined += 1 }
        }
        guard reader.due.isEmpty else {
            throw Violation(
                .readAsWritten, "\(who) is not shown, though all has come: \(reader.due)")
        }
        return joined
    }
}
