import UserInterface
import Crypto
import Keyring
import ToolKit
import System

/// A dry run (`--check`). A dry run reports the messages that cannot be encrypted, but does not encrypt or
/// commit anything.
struct DryRun: MessageExchange, ~Copyable {
    private var transaction: ReadTransaction?
    private let store: KeyringStore
    /// For each contact that was looked up, the result that the encryption of a message would have.
    private var outcomes: [ContactID: ExchangeResult] = [:]
    /// Maximum number of contacts in `outcomes`, each of which occupies 0.1 KB.
    private static let maximumOutcomes = 12_000

    init(with keyring: Keyring, searching _: Int) throws(KeyringError) {
        let begun = try ReadTransaction(keyring)
        store = begun.store
        transaction = consume begun
    }

    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int, _ options: PadOptions
    ) -> RecordError? {
        Sending.read(payload, into: &symbols, row: row, options)
    }

    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID, _ options: PadOptions
    ) throws(KeyringError) -> ExchangeResult {
        if let passed = outcomes[contact] { return passed }
        let passed = try store.contacts.expectedResult(for: contact)
        if outcomes.count < Self.maximumOutcomes { outcomes[contact] = passed }
        return passed
    }

    mutating func commit() throws(KeyringError) { transaction = nil }
}
