internal import Crypto
internal import Protocol

/// The hashes of all used sync keys and offers. The keyring never accepts a used sync key or offer again. A
/// record contains up to 256 hashes. The ids of the records are 0, 1, and so on.
struct UsedKeyStore {
    let store: KeyringStore

    /// The kind and the owner of a used sync key or offer.
    enum Use {
        case key, ownKey, offer, ownOffer

        fileprivate var label: StaticString {
            switch self {
            case .key: "sync key"
            case .ownKey: "own sync key"
            case .offer: "offer"
            case .ownOffer: "own offer"
            }
        }
    }

    /// Checks that a contact's sync key or offer was never used with any contact.
    ///
    /// - Throws: `ownKeyEntered`, `keyUsed`, `ownOfferEntered`, `offerUsed`, `damaged`.
    func checkUnused(
        _ key: borrowing SecretBytes, _ kind: VerificationCodes.Kind, by contact: Contact
    ) throws(KeyringError) {
        let name = contact.name
        let faults: [(Use, SyncFault)] =
            switch kind {
            case .keys: [(.ownKey, .ownKeyEntered(name)), (.key, .keyUsed(name))]
            case .offers: [(.ownOffer, .ownOfferEntered(name)), (.offer, .offerUsed(name))]
            }
        for (use, fault) in faults {
            let hash = hash(of: key, use)
            for id in store.ids(of: .usedKeys) where try block(id).contains(hash) {
                throw .sync(fault)
            }
        }
    }

    /// Records the use of a sync key or offer.
    func record(_ key: borrowing SecretBytes, as use: Use) throws(KeyringError) {
        try append([hash(of: key, use)])
    }

    /// Appends hashes of sync keys and offers, for example from a backup.
    func append(_ hashes: [[UInt8]]) throws(KeyringError) {
        var id = store.ids(of: .usedKeys).last ?? 0
        var block = try store.ids(of: .usedKeys).isEmpty ? UsedKeyBlock([]) : block(id)
        for hash in hashes {
            if block.count == UsedKeyBlock.maximum {
                try save(block, id)
                id += 1
                block = UsedKeyBlock([])
            }
            block = UsedKeyBlock(block.hashes + hash)
        }
        try save(block, id)
    }

    func forEach(_ body: ([UInt8]) throws(KeyringError) -> Void) throws(KeyringError) {
        for id in store.ids(of: .usedKeys) {
            let block = try block(id)
            for index in 0..<block.count { try body(block[index]) }
        }
    }

    private func block(_ id: Int64) throws(KeyringError) -> UsedKeyBlock {
        let name = RecordName(.usedKeys, id)
        if let tag = store.tag(of: name) {
            if let known = store.keys.usedKeys[id, tag] { return known }
            let found = try store.read(
                name, under: store.keys.masterKeys.sealingKey, UsedKeyBlock.init(from:))
            if let found {
                store.keys.usedKeys[id, tag] = found
                return found
            }
        }
        throw .store(.damaged("records of used keys are missing"))
    }

    private func save(_ block: UsedKeyBlock, _ id: Int64) throws(KeyringError) {
        let name = RecordName(.usedKeys, id)
        try store.save(name, under: store.keys.masterKeys.sealingKey, block.write(to:))
        if let tag = store.tag(of: name) { store.keys.usedKeys[id, tag] = block }
    }

    private func hash(of key: borrowing SecretBytes, _ use: Use) -> [UInt8] {
        key.withSpan { store.keys.masterKeys.usedKeyHash.tag(use.label, $0) }
    }
}

/// A record with hashes of used sync keys and offers. It consists of the number of hashes (2 bytes) and the
/// hashes (16 bytes each).
final class UsedKeyBlock {
    static let maximum = 256
    static let hashSize = 16

    let hashes: [UInt8]

    init(_ hashes: [UInt8]) { self.hashes = hashes }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        hashes = try record.bytes(Int(try record.integer() as UInt16) * Self.hashSize)
    }

    var count: Int { hashes.count / Self.hashSize }

    subscript(index: Int) -> [UInt8] {
        Array(hashes[(index * Self.hashSize)..<((index + 1) * Self.hashSize)])
    }

    func contains(_ hash: [UInt8]) -> Bool {
        (0..<count).contains { index in
            let start = index * Self.hashSize
            return hashes[start] == hash[0]
                && hashes[start..<(start + Self.hashSize)].elementsEqual(hash)
        }
    }

    func write(to record: inout SecretWriter) {
        record.put(UInt16(count))
        let hashes = hashes
        record.put(hashes.span)
    }
}
