internal import GSM7

extension Workspace {
    /// Takes in a text, of one with more than `Compression.mostCharacters` the beginning; how many were
    /// taken in, and how many it has.
    ///
    /// - Throws: `malformed`, `control`.
    mutating func take(_ text: Span<UInt8>) throws(WritingFault) -> (taken: Int, count: Int) {
        var (index, count) = (0, 0)
        while index < text.count {
            guard let (scalar, length) = CodePoint.decode(text, at: index) else {
                throw .malformed(text[index], column: count + 1)
            }
            let unit = Unit(rawValue: scalar.value)
            if unit.isControl { throw .control(scalar, column: count + 1) }
            if count < characters.count { characters[count] = unit.rawValue }
            index += length
            count += 1
        }
        return (min(count, characters.count), count)
    }

    /// Spells the first characters in small letters and marks; how many units that takes.
    ///
    /// - Parameter capsRun: letters of the other case in a row from which on CAPS stands for SHIFT
    ///   before each.
    mutating func spell(_ count: Int, capsRun: Int = 3) -> Int {
        let pairs = CasePairs.shared
        var isCaps = false
        var length = 0
        for index in 0..<count {
            let distance = pairs.distance(of: characters[index])
            if distance != 0, (distance > 0) != isCaps {
                if capsRun <= count - index,
                    letters(from: index, below: count, atMost: capsRun) == capsRun
                {
                    units[length] = Unit.caps.rawValue
                    isCaps.toggle()
                } else {
                    units[length] = Unit.shift.rawValue
                }
                length += 1
            }
            units[length] = characters[index] &+ UInt32(bitPattern: max(distance, 0))
            length += 1
        }
        units[length] = Unit.end.rawValue
        return length + 1
    }

    /// Counts letters of one case in a row, whatever has no case between them.
    private func letters(from start: Int, below end: Int, atMost most: Int) -> Int {
        let pairs = CasePairs.shared
        let isCapital = pairs.distance(of: characters[start]) > 0
        var count = 0
        var index = start
        while index < end, count < most {
            let distance = pairs.distance(of: characters[index])
            if distance != 0 {
                if (distance > 0) != isCapital { break }
                count += 1
            }
            index += 1
        }
        return count
    }
}
