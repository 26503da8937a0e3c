package import System

/// Reads records in batches: as many as are waiting, up to a limit, and never more than fit the
/// buffer, so that memory is bounded whatever comes in.
@safe
@usableFromInline
package struct RecordReader: ~Copyable {
    /// Bytes in one record, terminator aside. The longest message that makes sense, 99 parts of 144
    /// characters, takes less than two thirds of it in UTF-8.
    package static let longestRecord = 65_536
    private let terminator: UInt8
    private let payloadField: Int
    private let payloadHasTabs: Bool
    private let bytes: UnsafeMutableRawBufferPointer
    /// What has been read and not handed out: `begin ..< end`.
    private var begin = 0
    private var end = 0
    /// Where bytes that are no longer needed end: they begin at `end`.
    private var dirtyEnd = 0
    private var atEnd = false
    private var lastNumber: Int64 = 0
    private var isFirstBlock = true
    /// Inside a record that is longer than the limit.
    private var isInOverlong = false
    /// The records of the present batch.
    package private(set) var records: [Record] = []
    /// Bytes read from the present input so far.
    package private(set) var bytesRead: Int64 = 0

    /// - Parameter bufferSize: bytes of input held at once, two of the longest records at least.
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

    @inlinable deinit { finish() }

    @usableFromInline
    func finish() {
        unsafe cleanse(UnsafeMutableRawBufferPointer(rebasing: bytes[..<max(dirtyEnd, end)]))
        unsafe bytes.deallocate()
    }

    /// What the input gave.
    package enum Step {
        /// `records` holds at least one.
        case batch
        /// A piece of a record longer than the limit; the last piece carries its number.
        case overlong(Range<Int>, number: Int64?)
        case end
    }

    /// Goes on to the next records of an input.
    ///
    /// - Parameter beforeWaiting: called before a read that would wait.
    /// - Throws: `read`, `folder`, and what `beforeWaiting` throws.
    package mutating func advance(
        in file: borrowing File, atMost limit: Int,
        beforeWaiting: () throws(IOError) -> Void = {}
    ) throws(IOError) -> Step {
        records.removeAll(keepingCapacity: true)
        while true {
            if isInOverlong {
                if let step = drainOverlong() { return step }
            } else if !isFirstBlock || atEnd {
                gather(upTo: limit)
                if records.count >= limit { return .batch }
                if end - begin > Self.longestRecord {
                    if !records.isEmpty { return .batch }
                    isInOverlong = true
                    continue
                }
            }
            if atEnd { return records.isEmpty ? .end : .batch }
            if records.isEmpty {
                moveToFront()
                if !file.hasWaitingInput {
                    cleanseRead()
                    try beforeWaiting()
                }
            } else if unsafe end == bytes.count || !file.hasWaitingInput {
                return .batch
            }
            try fill(from: file)
        }
    }

    /// Shows the first record of an input; nothing where it is empty or the record is too long.
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

    /// Shows bytes of the batch.
    package func withBytes<Failure: Error, Result: ~Copyable>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[range])))
    }

    /// Shows the fields before the payload, each with its TAB, and the payload.
    package func withFields<Failure: Error, Result: ~Copyable>(
        of record: Record, _ body: (Span<UInt8>, Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let fields = unsafe UnsafeRawBufferPointer(rebasing: bytes[record.fields])
        let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes[record.text])
        return try body(
            unsafe Span(_unsafeBytes: fields), unsafe Span(_unsafeBytes: payload))
    }

    /// The first of the fields before the payload, where there are to be any; nil where there is no TAB.
    func identifier(of record: Record) -> [UInt8]? {
        let range = record.fields.lowerBound..<record.text.upperBound
        guard payloadField > 1, let length = offset(of: UInt8(ascii: "\t"), in: range) else {
            return nil
        }
        return withBytes(range.prefix(length)) { Array(copying: $0) }
    }

    /// Hands out a piece of an overlong record, or nil where more must be read first.
    private mutating func drainOverlong() -> Step? {
        let length = offset(of: terminator, in: begin..<end)
        let piece = begin..<(length.map { begin + $0 } ?? end)
        begin = min(piece.upperBound + 1, end)
        if length == nil, !atEnd { return piece.isEmpty ? nil : .overlong(piece, number: nil) }
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

    /// Cleanses what has been handed out, and dealt with, so that nothing of it lies about while nothing
    /// comes.
    private mutating func cleanseRead() {
        guard dirtyEnd > end else { return }
        unsafe cleanse(UnsafeMutableRawBufferPointer(rebasing: bytes[end..<dirtyEnd]))
        dirtyEnd = end
    }

    private mutating func fill(from file: borrowing File) throws(IOError) {
        let count = try unsafe file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
        end += count
        dirtyEnd = max(dirtyEnd, end)
        bytesRead += Int64(count)
        if count == 0 { atEnd = true }
        if isFirstBlock { skipByteOrderMark() }
    }

    /// Drops a byte order mark at the beginning, which may come in pieces.
    private mutating func skipByteOrderMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let head = unsafe bytes[begin..<end].prefix(mark.count)
        if unsafe mark.starts(with: head) {
            if unsafe head.count == mark.count { begin += mark.count } else if !atEnd { return }
        }
        isFirstBlock = false
    }

    /// Finds the ends of records in what has been read.
    private mutating func gather(upTo limit: Int) {
        while records.count < limit, begin < end {
            if let length = offset(of: terminator, in: begin..<end) {
                add(begin..<(begin + length))
                begin += length + 1
            } else if atEnd, end - begin <= Self.longestRecord {
                add(begin..<end)
                begin = end
            } else {
                return
            }
        }
    }

    /// Notes one record, whose terminator is left out of `range`.
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

    /// How far from the beginning of a range a byte is first; nil where it is not in it.
    @inline(__always)
    private func offset(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe System.offset(of: byte, in: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}

/// Why a record is bad before anybody has looked at its text.
package enum RecordFault: Equatable, Sendable {
    /// It has this many fields where the payload was said to be another.
    case fields(Int)
    /// It is longer than `RecordReader.longestRecord`.
    case overlong
}

/// Where one record is in its batch.
package struct Record: Sendable {
    /// The record's number in its input, from 1.
    package let number: Int64
    package let fault: RecordFault?
    /// Offsets in bytes, of which a batch has fewer than 2^32. It ends before a CR.
    fileprivate let start, payload, end, terminator: UInt32

    /// The fields before the payload, each with its TAB.
    fileprivate var fields: Range<Int> { Int(start)..<Int(payload) }
    /// The payload, without a CR at its end.
    fileprivate var text: Range<Int> { Int(payload)..<Int(end) }
    /// The record as it came, CR included and terminator not.
    package var raw: Range<Int> { Int(start)..<Int(terminator) }
}
