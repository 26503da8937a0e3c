internal import Crypto
internal import Protocol

/// The sync keys and offers that were used, which are never accepted again. The tag of each key and offer is
/// stored in a row.
struct UsedKeyStore {
    let store: KeyringStore

    /// The role of a sync key or offer that was used.
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

    /// The tags that were read last, with their count and sum in the keyring header. With this cache, a
    /// command that processes a table of contacts does not read the tags again for each contact.
    struct Cache {
        fileprivate var sum = CountedHash()
        fileprivate var tags: Set<[UInt8]> = []
    }

    /// Checks that a contact's sync key or offer is not recorded for any contact.
    ///
    /// - Throws: `ownKeyEntered`, `keyUsed`, `ownOfferEntered`, `offerUsed`, or `damaged` if tags are missing
    ///   or were altered.
    func checkUnused(
        _ key: borrowing SecretBytes, _ kind: VerificationCodes.Kind, by contact: Contact
    ) throws(KeyringError) {
        if store.keys.usedKeys.sum != store.header[.usedKeys] {
            var cache = Cache()
            try Verification(store).usedKeys { cache.tags.insert($0) }
            cache.sum = store.header[.usedKeys]
            store.keys.usedKeys = cache
        }
        let name = contact.name
        let faults: [(Use, SyncFault)] =
            switch kind {
            case .keys: [(.ownKey, .ownKeyEntered(name)), (.key, .keyUsed(name))]
            case .offers: [(.ownOffer, .ownOfferEntered(name)), (.offer, .offerUsed(name))]
            }
        for (use, fault) in faults where store.keys.usedKeys.tags.contains(tag(of: key, use)) {
            throw .sync(fault)
        }
    }

    /// Records the use of a sync key or offer.
    func record(_ key: borrowing SecretBytes, as use: Use) throws(KeyringError) {
        let isCurrent = store.keys.usedKeys.sum == store.header[.usedKeys]
        let tag = tag(of: key, use)
        try store.save(Row(.usedKey, [tag]))
        guard isCurrent else { return }
        store.keys.usedKeys.tags.insert(tag)
        store.keys.usedKeys.sum = store.header[.usedKeys]
    }

    private func tag(of key: borrowing SecretBytes, _ use: Use) -> [UInt8] {
        key.withSpan { store.keys.masterKeys.usedKeyHash.tag(use.label, $0) }
    }
}
