internal import System

/// Records found in what has been read.
extension RecordReader {
    /// Finds the ends of records in what has been read.
    mutating func gather(upTo limit: Int) {
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
        while let length = offset(of: UInt8(ascii: "\t"), in: payload..<end) {
            field += 1
            if field > payloadField { break }
            payload += length + 1
        }
        var fault: RecordFault?
        if range.count > Self.longestRecord {
            fault = .overlong
        } else if field != payloadField {
            fault = .fields(fieldCount(range.lowerBound..<end))
        }
        records.append(
            Record(
                lastNumber, in: range.lowerBound..<end,
                payload: fault == nil ? payload : range.lowerBound,
                hasReturn: end < range.upperBound, fault))
    }

    private func fieldCount(_ range: Range<Int>) -> Int {
        var count = 1
        for index in range {
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: "\t") { count += 1 }
        }
        return count
    }

    /// How far from the beginning of a range a byte stands first; nil where it does not.
    @inline(__always)
    func offset(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe System.offset(of: byte, in: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}
