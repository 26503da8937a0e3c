internal import Crypto

/// The encoding of Boolean values, texts and lists in records. A text or list begins with its number of
/// bytes or entries (2 bytes).
extension SecretWriter {
    mutating func put(_ isTrue: Bool) { put(isTrue ? 1 : 0 as UInt8) }

    mutating func put(_ text: String) {
        let utf8 = Array(text.utf8)
        put(UInt16(utf8.count))
        put(utf8.span)
    }

    /// Writes a list, and calls `write` to write each entry.
    mutating func put<Entry>(_ list: [Entry], _ write: (Entry, inout SecretWriter) -> Void) {
        put(UInt16(list.count))
        for entry in list { write(entry, &self) }
    }
}

extension SecretReader {
    mutating func bool() throws(InvalidRecord) -> Bool { try byte() != 0 }

    mutating func text() throws(InvalidRecord) -> String {
        try text(Int(try integer() as UInt16))
    }

    /// Reads a list, and calls `read` to read each entry.
    mutating func list<Entry>(
        _ read: (inout SecretReader) throws(InvalidRecord) -> Entry
    ) throws(InvalidRecord) -> [Entry] {
        var list: [Entry] = []
        for _ in 0..<(try integer() as UInt16) { list.append(try read(&self)) }
        return list
    }
}
