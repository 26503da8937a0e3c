import Access
import Keyring
import LineIO

/// Tables of contacts: bad rows are bad records.
enum Table {
    /// A field as text.
    static func text(_ field: Span<UInt8>) throws(KeyringError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(field.count)
        for index in field.indices { bytes.append(field[index]) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .contact(.badName(String(decoding: bytes, as: UTF8.self), .notUTF8))
        }
        return text
    }

    /// A row that is refused is bad; anything else ends the run.
    static func verdict(_ error: KeyringError) throws(KeyringError) -> Filter.Verdict {
        guard error.status == .rejected else { throw error }
        return .bad(error.text)
    }
}

extension Context {
    /// Refuses the options of tables where there is none.
    func refuseTableOptions() throws(Misuse) {
        for option in Command.tableOptions where arguments.has(option.long) {
            throw Misuse("--\(option.long) goes with - only")
        }
    }
}
