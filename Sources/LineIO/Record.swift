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
package struct Record: Sendable {
    /// The record's number in its input, from 1.
    package let number: Int
    let start: Int
    let payload: Int
    let end: Int
    let next: Int
    package let fault: RecordFault?
}
