internal import Crypto
internal import Protocol

/// The hashes of all used sync keys and offers. The keyring never accepts a used sync key or offer again.
/// A record is a list of up to 256 hashes (16 bytes each). The records of used keys have the ids 0, 1, and
/// so on.
struct UsedKeyStore {
    /// Maximum number of hashes in a record.
    static let maximum = 256

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
            for id in store.ids(of: .usedKeys) where try hashes(id).contains(hash) {
                throw .sync(fault)
            }
        }
    }

    /// Records the use of a sync key or offer.
    func record(_ key: borrowing SecretBytes, as use: Use) throws(KeyringError) {
        try append([hash(of: key, use)])
    }

    /// Appends hashes of sync keys and offers, for example from a backup.
    func append(_ added: [UInt128]) throws(KeyringError) {
        let last = store.ids(of: .usedKeys).last
        var id = last ?? 0
        var hashes = if let last { try self.hashes(last) } else { [UInt128]() }
        for hash in added {
            if hashes.count == Self.maximum {
                try save(hashes, id)
                id += 1
                hashes = []
            }
            hashes.append(hash)
        }
        try save(hashes, id)
    }

    /// Returns the hashes in a record.
    func hashes(_ id: Int64) throws(KeyringError) -> [UInt128] {
        try store.keyring.usedKeyCache.value(
            RecordName(.usedKeys, id), in: store, under: store.keyring.masterKeys.sealingKey,
            ifMissing: "records of used keys are missing"
        ) { (record) throws(InvalidRecord) in
            try record.list { (record) throws(InvalidRecord) in try record.integer() }
        }
    }

    private func save(_ hashes: [UInt128], _ id: Int64) throws(KeyringError) {
        let name = RecordName(.usedKeys, id)
        try store.save(name, under: store.keyring.masterKeys.sealingKey) { (record) in
            record.put(hashes) { $1.put($0) }
        }
        store.keyring.usedKeyCache.keep(hashes, as: name, in: store)
    }

    private func hash(of key: borrowing SecretBytes, _ use: Use) -> UInt128 {
        key.withSpan { store.keyring.masterKeys.usedKeyHash.value(use.label, $0) }
    }
}
