/// What an unlocked keyring works with.
final class Keys {
    let vault: Vault
    /// The ring of the identity in use.
    var ring: Ring
    /// The session that unlocked the keyring, and the transient identities that it holds.
    let session: Session?
    var transients: Transients
    /// Used keys and offers as they were read last.
    var usedKeys = UsedKeys()
    /// True when the contacts' rows were found complete, once in a run.
    var hasCheckedContacts = false

    init(
        vault: consuming Vault, ring: Ring, session: consuming Session?,
        transients: consuming Transients
    ) {
        self.vault = vault
        self.ring = ring
        self.session = session
        self.transients = transients
    }
}
