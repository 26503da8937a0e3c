import Access
import Crypto
import Keyring
import LineIO
import System

/// The way out, for show (--check): what would be refused is, and nothing goes through or is committed.
struct Checking: Way {
    private let transaction: Transaction
    /// What would become of a message to each contact that was asked about.
    private var known: [Int64: Passed] = [:]
    /// At most: 0.1 KB each.
    private static let mostKnown = 12_000

    init(with keyring: Keyring, searching _: Int) throws(KeyringError) {
        transaction = try keyring.beginReading()
    }

    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> Rejection? {
        Sending.read(payload, into: &symbols, row: row)
    }

    mutating func pass(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> Passed {
        if let passed = known[contact] { return passed }
        let passed = try transaction.outlook(for: contact)
        if known.count < Self.mostKnown { known[contact] = passed }
        return passed
    }

    mutating func commit() throws(KeyringError) { transaction.end() }
    consuming func finish(out count: Int?) throws(KeyringError) {}

    static func isOut(_ place: Range<Int64>, of output: borrowing Output) -> Bool { false }
    static func notEnded(_ error: KeyringError) -> String { error.text }
    static func notNoted(_ error: KeyringError) -> String { error.text }
}
