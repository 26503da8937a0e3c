/// The tags of keys and offers that were used, when the ledger counted them so: a table of contacts does not
/// read them again for each.
struct UsedKeys {
    fileprivate var tally = Tally()
    fileprivate var tags: Set<[UInt8]> = []
}

extension Transaction {
    /// What a key or offer is on record as.
    enum KeyUse {
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

    /// What a sync key or public key is on record as, of those that are asked about; nil where it is on
    /// record as none, whoever's it is.
    ///
    /// - Throws: `damaged` where the records, when they are read first, are not those that were made.
    func use(
        of key: Span<UInt8>, among uses: [KeyUse]
    ) throws(KeyringError) -> KeyUse? {
        if keys.usedKeys.tally != ledger[.usedKeys] {
            var found = UsedKeys()
            try Verification(self).usedKeys { found.tags.insert($0) }
            found.tally = ledger[.usedKeys]
            keys.usedKeys = found
        }
        return uses.first { keys.usedKeys.tags.contains(tag(of: key, $0)) }
    }

    /// Puts a key or offer on record.
    func record(_ key: Span<UInt8>, as use: KeyUse) throws(KeyringError) {
        let isCurrent = keys.usedKeys.tally == ledger[.usedKeys]
        let tag = tag(of: key, use)
        try put(.usedKey(tag))
        guard isCurrent else { return }
        keys.usedKeys.tags.insert(tag)
        keys.usedKeys.tally = ledger[.usedKeys]
    }

    private func tag(of key: Span<UInt8>, _ use: KeyUse) -> [UInt8] {
        keys.vault.usedKeys.tag(use.label, key)
    }
}
