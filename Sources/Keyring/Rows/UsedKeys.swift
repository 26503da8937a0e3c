/// A cache of the tags of used keys and offers, with the count and sum that the keyring header had when they
/// were read. With the cache, a command on a table does not read the tags again for each contact.
struct UsedKeys {
    fileprivate var tally = CountedHash()
    fileprivate var tags: Set<[UInt8]> = []
}

extension KeyringStore {
    /// The use for which a key or offer is recorded.
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

    /// Returns the recorded use of a sync key or public key, whichever contact it belongs to. Returns nil if
    /// it is not recorded for any of `uses`.
    ///
    /// - Throws: `damaged` if the records, when they are read first, are not the ones that were written.
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

    /// Records the use of a key or offer.
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
