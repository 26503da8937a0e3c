import Foundation
import ToolKit
import System
import Support
import Testing

@Suite(.measured) struct RecordReaderTests {
    /// Reads bytes from a real file in batches of `limit`. Returns each record as `number|fields|payload`,
    /// with a `!` before it if the record has a fault.
    private func read(
        _ input: [UInt8], field: Int = 1, terminator: UInt8 = 10, limit: Int = .max
    ) throws -> [String] {
        let path = NSTemporaryDirectory() + "record-reader-" + UUID().uuidString
        try Data(input).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = RecordReader(terminator: terminator, payloadField: field, bufferSize: 0)
        let file = try File(reading: path)
        var found: [String] = []
        while true {
            switch try reader.advance(in: file, atMost: limit, beforeWaiting: {}) {
            case .end: return found
            case .overlong(_, let number):
                if let number { found.append("!\(number)") }
            case .batch:
                for record in reader.records {
                    let mark = record.fault == nil ? "" : "!"
                    found.append(
                        reader.withFields(of: record) { (fields, payload) in
                            "\(mark)\(record.number)|\(text(fields))|\(text(payload))"
                        })
                }
            }
        }
    }

    private func text(_ span: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        for index in span.indices { bytes.append(span[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func linesEndInLFWithOrWithoutCR() throws {
        #expect(try read(Array("a\r\nb\n\nc".utf8)) == ["1||a", "2||b", "3||", "4||c"])
    }

    @Test func aByteOrderMarkIsRemovedAtTheBeginningOnly() throws {
        #expect(
            try read(Array("\u{FEFF}a\n\u{FEFF}b\n".utf8)) == ["1||a", "2||\u{FEFF}b"])
    }

    /// Each piece is written when the reader waits for it.
    @Test func aByteOrderMarkThatArrivesInPiecesIsRemoved() throws {
        let path = NSTemporaryDirectory() + "record-reader-" + UUID().uuidString
        #expect(unsafe mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = unsafe open(path, O_RDWR)
        defer { close(writer) }
        let file = try File(reading: path)
        var reader = RecordReader()
        var pieces: [[UInt8]] = [[0xEF], [0xBB], [0xBF], [0x61, 0x0A]]
        _ = try reader.advance(in: file, atMost: 1) {
            let piece = pieces.removeFirst()
            #expect(unsafe write(writer, piece, piece.count) == piece.count)
        }
        let record = try #require(reader.records.first)
        #expect(reader.withFields(of: record) { (_, payload) in text(payload) } == "a")
    }

    @Test func aLineFeedIsTextIfRecordsEndInNUL() throws {
        #expect(try read(Array("a\nb\0c\r\0".utf8), terminator: 0) == ["1||a\nb", "2||c\r"])
    }

    @Test func thePayloadMustBeTheLastField() throws {
        let input = Array("1\tx\ty\n2\tx\n3\tx\ty\tz\n\t\t\n".utf8)
        #expect(
            try read(input, field: 3)
                == ["1|1\tx\t|y", "!2||2\tx", "!3||3\tx\ty\tz", "4|\t\t|"])
    }

    @Test func anyBatchLimitGivesTheSameRecords() throws {
        let input = Array((1...500).map { "\($0)\ttext\n" }.joined().utf8)
        let whole = try read(input, field: 2)
        for limit in [1, 7, 499, 500, 501] {
            #expect(try read(input, field: 2, limit: limit) == whole)
        }
    }

    @Test func anOverlongRecordIsCountedAndSkipped() throws {
        let longest = RecordReader.longestRecord
        for length in [longest, longest + 1, 3 * longest, 10 * longest] {
            let input =
                Array("a\n".utf8) + [UInt8](repeating: 120, count: length) + Array("\nb".utf8)
            let found = try read(input)
            #expect(found.count == 3 && found.first == "1||a" && found.last == "3||b")
            #expect(found[1].hasPrefix("!2") == (length > longest))
        }
    }

    @Test func anOverlongRecordMayBeTheLast() throws {
        let input = [UInt8](repeating: 120, count: 5 * RecordReader.longestRecord)
        #expect(try read(input) == ["!1"])
        #expect(try read(input + [10]) == ["!1"])
    }
}
