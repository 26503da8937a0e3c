/// A run of records, each of them GSM text as it stands, looked over many bytes at a time.
///
/// This is for copying: it says neither where a record begins nor what it takes.
package struct Skimming {
    /// Bytes of the run, terminators included.
    package private(set) var length = 0
    package private(set) var records = 0

    /// Bytes that are looked over at once, from the beginning of a record: one that is longer needs a
    /// closer look.
    private static let window = 16_384

    /// Bytes that are looked at together.
    private static let block = 32

    private let terminator: UInt8
    private let newline: Newline
    private let basicOnly: Bool

    /// Looks over the records at the beginning of a text, as far as the first that needs a closer look:
    /// one that is not GSM, has a CR, or is long.
    package init(
        _ text: Span<UInt8>, terminator: UInt8, newline: Newline, basicOnly: Bool
    ) {
        self.terminator = terminator
        self.newline = newline
        self.basicOnly = basicOnly
        while length < text.count {
            let window = text.extracting(length..<min(length + Self.window, text.count))
            let good = goodBytes(window)
            var whole = good
            while whole > 0, window[whole - 1] != terminator { whole -= 1 }
            records += PlainBytes.count(of: terminator, in: window.extracting(..<whole))
            length += whole
            if whole == 0 || good < window.count { break }
        }
    }

    /// The bytes up to the first that is neither part of a GSM character nor a terminator.
    private func goodBytes(_ text: Span<UInt8>) -> Int {
        let block = Self.block
        var index = 0
        while index < text.count {
            if text.count - index >= block,
                PlainBytes.isAll(text.extracting(index..<(index + block)), or: terminator)
            {
                index += block
            } else {
                let end = min(index + block, text.count)
                while index < end {
                    if text[index] == terminator {
                        index += 1
                        continue
                    }
                    let code = Code.next(in: text, at: &index, newline: newline)
                    let isGood = code.isBasic || code == .newline || code.isExtended && !basicOnly
                    if !isGood { return index }
                }
            }
        }
        return index
    }
}
