package import System

/// Reads records in batches.
///
/// A batch contains the records that have arrived. The caller and the size of the buffer limit the number
/// of records in a batch. The reader therefore needs only a limited amount of memory, however long the
/// input is.
@safe
@usableFromInline
package struct RecordReader: ~Copyable {
    /// Maximum length of a record in bytes, without its terminator. The longest message that the tools can
    /// encode has 99 parts with 144 characters each. In UTF-8, the longest message needs less than two thirds
    /// of this maximum length.
    package static let longestRecord = 65_536
    private let terminator: UInt8
    private let payloadField: Int
    private let payloadHasTabs: Bool
    private let bytes: UnsafeMutableRawBufferPointer
    /// The range `begin ..< end` contains the bytes that were read, but not returned yet.
    private var begin = 0
    private var end = 0
    /// End of the bytes in the buffer that have not been overwritten yet. Earlier batches may have left bytes
    /// between `end` and `dirtyEnd`.
    private var dirtyEnd = 0
    private var isAtEnd = false
    private var lastNumber: Int64 = 0
    private var isFirstBlock = true
    /// True while the reader reads the rest of a record that is longer than `longestRecord`.
    private var isInOverlong = false
    /// The records of the current batch.
    package private(set) var records: [Record] = []
    /// Number of bytes read from the current input.
    package private(set) var bytesRead: Int64 = 0

    /// Creates a reader with an empty buffer.
    ///
    /// - Parameter bufferSize: maximum number of input bytes in memory at once. The buffer is at
    ///   least twice as long as `longestRecord`.
    package init(
        terminator: UInt8 = UInt8(ascii: "\n"), payloadField: Int = 1, payloadHasTabs: Bool = false,
        bufferSize: Int = 0
    ) {
        self.terminator = terminator
        self.payloadField = payloadField
        self.payloadHasTabs = payloadHasTabs
        unsafe bytes = .allocate(
            byteCount: max(bufferSize, 2 * Self.longestRecord), alignment: 64)
    }

    /// Creates a reader of records that are already in memory. Each record has one field before an empty
    /// payload. This reader ignores the file that is passed to `advance`.
    init(of records: [UInt8]) {
        self.init(payloadField: 2, bufferSize: records.count)
        unsafe bytes.copyBytes(from: records)
        end = records.count
        isAtEnd = true
    }

    @inlinable deinit { finish() }

    @usableFromInline
    func finish() {
        unsafe wipe(UnsafeMutableRawBufferPointer(rebasing: bytes[..<max(dirtyEnd, end)]))
        unsafe bytes.deallocate()
    }

    /// The result of `advance`.
    package enum Step {
        /// There is at least one record in `records`.
        case batch
        /// A piece of a record that is longer than `longestRecord`. The range of the piece can be passed to
        /// `withBytes`. For the last piece of a record, `number` is the record's number. For all other pieces
        /// of a record, `number` is nil.
        case overlong(Range<Int>, number: Int64?)
        case end
    }

    /// Reads the next batch of records of an input.
    ///
    /// - Parameter beforeWaiting: called before a read that would block.
    /// - Throws: `read`, `folder`, and the errors of `beforeWaiting`.
    package mutating func advance(
        in file: borrowing File, atMost limit: Int,
        beforeWaiting: () throws(IOError) -> Void = {}
    ) throws(IOError) -> Step {
        records.removeAll(keepingCapacity: true)
        while true {
            if isInOverlong {
                if let step = nextOverlongPiece() { return step }
            } else if !isFirstBlock || isAtEnd {
                findRecords(upTo: limit)
                if records.count >= limit { return .batch }
                if end - begin > Self.longestRecord {
                    if !records.isEmpty { return .batch }
                    isInOverlong = true
                    continue
                }
            }
            if isAtEnd { return records.isEmpty ? .end : .batch }
            if records.isEmpty {
                moveToFront()
                if !file.hasWaitingInput {
                    wipeReturnedRecords()
                    try beforeWaiting()
                }
            } else if unsafe end == bytes.count || !file.hasWaitingInput {
                return .batch
            }
            try readMore(from: file)
        }
    }

    /// Passes the first record of a file to `body`. If the file is empty or the record is too long, passes
    /// an empty span.
    ///
    /// - Throws: `read`, `folder`.
    package static func withFirst<Result: ~Copyable>(
        of file: borrowing File, endingIn terminator: UInt8 = UInt8(ascii: "\n"),
        _ body: (Span<UInt8>) -> Result
    ) throws(IOError) -> Result {
        var reader = RecordReader(terminator: terminator)
        _ = try reader.advance(in: file, atMost: 1)
        guard let first = reader.records.first else { return reader.withBytes(0..<0, body) }
        return reader.withFields(of: first) { (_, payload) in body(payload) }
    }

    /// Passes a range of bytes in the current batch to `body`.
    package func withBytes<Failure: Error, Result: ~Copyable>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[range])))
    }

    /// Passes the fields before the payload, each with the TAB after it, and the payload to `body`.
    package func withFields<Failure: Error, Result: ~Copyable>(
        of record: Record, _ body: (Span<UInt8>, Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let fields = unsafe UnsafeRawBufferPointer(rebasing: bytes[record.fields])
        let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes[record.text])
        return try body(
            unsafe Span(_unsafeBytes: fields), unsafe Span(_unsafeBytes: payload))
    }

    /// Returns true if a record contains a byte.
    func contains(_ byte: UInt8, in record: Record) -> Bool {
        offset(of: byte, in: record.raw) != nil
    }

    /// Returns the first field of a record. Returns nil if the payload is the first field, or if the
    /// record has no TAB.
    func identifier(of record: Record) -> [UInt8]? {
        let range = record.fields.lowerBound..<record.text.upperBound
        guard payloadField > 1, let length = offset(of: UInt8(ascii: "\t"), in: range) else {
            return nil
        }
        return withBytes(range.prefix(length)) { Array(copying: $0) }
    }

    /// Returns the next piece of an overlong record, or nil if more bytes have to be read first.
    private mutating func nextOverlongPiece() -> Step? {
        let length = offset(of: terminator, in: begin..<end)
        let piece = begin..<(length.map { begin + $0 } ?? end)
        begin = min(piece.upperBound + 1, end)
        if length == nil, !isAtEnd { return piece.isEmpty ? nil : .overlong(piece, number: nil) }
        isInOverlong = false
        lastNumber += 1
        return .overlong(piece, number: lastNumber)
    }

    private mutating func moveToFront() {
        guard begin > 0 else { return }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[begin..<end])
        unsafe bytes.copyMemory(from: rest)
        end -= begin
        begin = 0
    }

    /// Overwrites the records of earlier batches. The caller overwrites old records before each read, because
    /// the read may wait for a long time.
    private mutating func wipeReturnedRecords() {
        guard dirtyEnd > end else { return }
        unsafe wipe(UnsafeMutableRawBufferPointer(rebasing: bytes[end..<dirtyEnd]))
        dirtyEnd = end
    }

    private mutating func readMore(from file: borrowing File) throws(IOError) {
        let count = try unsafe file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
        end += count
        dirtyEnd = max(dirtyEnd, end)
        bytesRead += Int64(count)
        if count == 0 { isAtEnd = true }
        if isFirstBlock { skipByteOrderMark() }
    }

    /// Skips a byte order mark at the beginning of the input, even if it arrives in pieces.
    private mutating func skipByteOrderMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let head = unsafe bytes[begin..<end].prefix(mark.count)
        if unsafe mark.starts(with: head) {
            if unsafe head.count == mark.count { begin += mark.count } else if !isAtEnd { return }
        }
        isFirstBlock = false
    }

    /// Adds the complete records in the buffer to `records`.
    private mutating func findRecords(upTo limit: Int) {
        while records.count < limit, begin < end {
            if let length = offset(of: terminator, in: begin..<end) {
                add(begin..<(begin + length))
                begin += length + 1
            } else if isAtEnd, end - begin <= Self.longestRecord {
                add(begin..<end)
                begin = end
            } else {
                return
            }
        }
    }

    /// Adds one record to the batch. `range` does not include the record's terminator.
    private mutating func add(_ range: Range<Int>) {
        lastNumber += 1
        var end = range.upperBound
        if terminator == UInt8(ascii: "\n"), end > range.lowerBound,
            unsafe bytes[end - 1] == UInt8(ascii: "\r")
        {
            end -= 1
        }
        var payload = range.lowerBound
        var field = 1
        while !payloadHasTabs || field < payloadField,
            let length = offset(of: UInt8(ascii: "\t"), in: payload..<end)
        {
            field += 1
            if field > payloadField { break }
            payload += length + 1
        }
        var fault: RecordFault?
        if range.count > Self.longestRecord {
            fault = .overlong
        } else if field != payloadField {
            let line = unsafe bytes[range.lowerBound..<end]
            fault = unsafe .fields(1 + line.count { $0 == UInt8(ascii: "\t") })
        }
        let start = fault == nil ? payload : range.lowerBound
        records.append(
            Record(
                number: lastNumber, fault: fault, start: UInt32(range.lowerBound),
                payload: UInt32(start), end: UInt32(end), terminator: UInt32(range.upperBound)))
    }

    /// Searches a range for a byte. Returns the byte's offset from the beginning of the range, or nil if
    /// the range does not contain the byte.
    @inline(__always)
    private func offset(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe System.offset(of: byte, in: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}

/// A fault that the reader finds in a record, without examining its payload.
package enum RecordFault: Equatable, Sendable {
    /// The record has the wrong number of fields. The associated value is the number of fields in the
    /// record.
    case fields(Int)
    /// The record is longer than `RecordReader.longestRecord`.
    case overlong
}

/// The position of one record in the reader's buffer.
package struct Record: Sendable {
    /// The record's number in its input, beginning with 1.
    package let number: Int64
    package let fault: RecordFault?
    /// Byte offsets in the buffer, which are always below 2^32. If there is a CR before the terminator, `end`
    /// is the offset of the CR.
    fileprivate let start, payload, end, terminator: UInt32

    /// The range of the fields before the payload, including the TAB after each field.
    fileprivate var fields: Range<Int> { Int(start)..<Int(payload) }
    /// The range of the payload, without a CR at the end of the line.
    fileprivate var text: Range<Int> { Int(payload)..<Int(end) }
    /// The range of the whole record, including a CR at the end of the line, but not the terminator.
    package var raw: Range<Int> { Int(start)..<Int(terminator) }
}
