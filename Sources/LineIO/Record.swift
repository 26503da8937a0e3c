/// Why a record is bad before anybody has looked at its text.
package enum RecordFault: Equatable, Sendable {
    /// It has so many fields where the payload was said to be another.
    case fields(Int)
    /// It is longer than `RecordReader.longestRecord`.
    case overlong
}

/// Where one record stands in its batch: offsets in bytes.
///
///     fields before the payload, each with its TAB   start ..< payload
///     payload                                        payload ..< end
///     CR and terminator, where there are any         end ..< next
///
/// A batch has thousands of them, so each takes 24 bytes.
package struct Record: Sendable {
    /// The record's number in its input, from 1.
    package let number: Int
    private let places: (start: UInt32, payload: UInt32, end: UInt32)
    /// Bit 0: a CR stands before the terminator. Bit 1: the record is too long. Above: how many fields
    /// it has, where those are not as many as are due.
    private let marks: UInt32

    var start: Int { Int(places.start) }
    var payload: Int { Int(places.payload) }
    var end: Int { Int(places.end) }
    var next: Int { end + Int(marks & 1) }

    /// - Parameters:
    ///   - range: the record without CR and terminator, in a buffer of less than 4 GB.
    ///   - payload: where the payload begins.
    init(_ number: Int, in range: Range<Int>, payload: Int, hasReturn: Bool, _ fault: RecordFault?)
    {
        self.number = number
        places = (UInt32(range.lowerBound), UInt32(payload), UInt32(range.upperBound))
        let faultMarks: UInt32 =
            switch fault {
            case nil: 0
            case .overlong: 2
            case .fields(let count): UInt32(count) << 2
            }
        marks = faultMarks | (hasReturn ? 1 : 0)
    }

    package var fault: RecordFault? {
        if marks & 2 != 0 { return .overlong }
        return marks >> 2 == 0 ? nil : .fields(Int(marks >> 2))
    }
}
