package import System

/// Reads records in batches: as many as are waiting, up to a limit, and never more than fit the
/// buffer, so that memory is bounded whatever comes in.
@safe
package struct RecordReader: ~Copyable {
    /// Bytes in one record, terminator aside. The longest message that makes sense, 99 parts of 144
    /// characters, takes less than two thirds of it in UTF-8.
    package static let longestRecord = 65_536
    let terminator: UInt8
    let payloadField: Int
    let bytes: UnsafeMutableRawBufferPointer
    /// What has been read and not handed out: `begin ..< end`.
    var begin = 0
    var end = 0
    /// Where bytes that are no longer needed end: they begin at `end`.
    private var dirtyEnd = 0
    var atEnd = false
    var lastNumber = 0
    private var isFirstBlock = true
    /// Inside a record that is longer than the limit.
    private(set) var isInOverlong = false
    /// The records of the present batch.
    package internal(set) var records: [Record] = []
    /// Bytes read from the present input so far.
    package private(set) var bytesRead = 0

    /// - Parameter bufferSize: bytes of input held at once.
    package init(terminator: UInt8, payloadField: Int, bufferSize: Int) {
        self.terminator = terminator
        self.payloadField = payloadField
        unsafe bytes = .allocate(
            byteCount: max(bufferSize, 2 * Self.longestRecord), alignment: 64)
    }

    deinit {
        unsafe cleanse(UnsafeMutableRawBufferPointer(rebasing: bytes[..<max(dirtyEnd, end)]))
        unsafe bytes.deallocate()
    }

    /// Starts anew, for the next input.
    package mutating func restart() {
        (begin, end, lastNumber, bytesRead) = (0, 0, 0, 0)
        (atEnd, isFirstBlock, isInOverlong) = (false, true, false)
        records.removeAll(keepingCapacity: true)
    }

    /// What the input gave.
    package enum Step {
        /// `records` holds at least one.
        case batch
        /// A piece of a record longer than the limit; the last piece carries its number.
        case overlong(Range<Int>, number: Int?)
        case end
    }

    /// Goes on to the next records of an input.
    ///
    /// - Parameter beforeWaiting: called before a read that would wait.
    package mutating func advance(
        in file: borrowing File, atMost limit: Int,
        beforeWaiting: () throws(IOError) -> Void
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
        let fields = unsafe UnsafeRawBufferPointer(rebasing: bytes[record.start..<record.payload])
        let payload = unsafe UnsafeRawBufferPointer(rebasing: bytes[record.payload..<record.end])
        return try body(
            unsafe Span(_unsafeBytes: fields), unsafe Span(_unsafeBytes: payload))
    }

    /// Shows the record as it came, CR included and terminator not.
    package func withRaw<Failure: Error, Result: ~Copyable>(
        of record: Record, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(record.start..<record.next, body)
    }

    /// Hands out a piece of an overlong record, or nil where more must be read first.
    private mutating func drainOverlong() -> Step? {
        let start = begin
        if let length = offset(of: terminator, in: begin..<end) {
            begin += length + 1
            return finishOverlong(start..<(start + length))
        }
        begin = end
        if atEnd { return finishOverlong(start..<end) }
        return start == end ? nil : .overlong(start..<end, number: nil)
    }

    private mutating func finishOverlong(_ range: Range<Int>) -> Step {
        isInOverlong = false
        lastNumber += 1
        return .overlong(range, number: lastNumber)
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
        bytesRead += count
        if count == 0 { atEnd = true }
        if isFirstBlock { skipByteOrderMark() }
    }

    /// Drops a byte order mark at the beginning, which may come in pieces.
    private mutating func skipByteOrderMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let length = min(end - begin, mark.count)
        let isLike = (0..<length).allSatisfy { unsafe bytes[begin + $0] == mark[$0] }
        if isLike, length < mark.count, !atEnd { return }
        if isLike, length == mark.count { begin += length }
        isFirstBlock = false
    }
}
