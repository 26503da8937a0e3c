internal import Protocol

extension Keyring {
    /// Checks every page, every record that can be opened, and the list of records. Does not change the
    /// keyring.
    ///
    /// - Parameter report: called for each fault.
    /// - Returns: the number of records that cannot be opened, because they belong to transient identities of
    ///   other sessions.
    /// - Throws: `moved`, `leaving` or `behind` if the keyring is intact, but was copied, moved or
    ///   restored. Errors of the kind `damaged` are passed to `report`, and all other errors are thrown.
    package func check(report: @escaping (IntegrityIssue) -> Void) throws(KeyringError) -> Int {
        try reading { (store) throws(KeyringError) in
            let check = KeyringCheck(store, report)
            try check.everything()
            if check.isSound { try store.checkIsOriginal() }
            return check.unseen
        }
    }
}

/// A fault that was found in a keyring.
package struct IntegrityIssue: Sendable {
    /// A description of the fault.
    package let what: String
    /// The part of the keyring that the fault affects.
    package let touches: String
}

/// A check of the whole keyring, which reports each fault and continues.
private final class KeyringCheck {
    private let store: KeyringStore
    private let report: (IntegrityIssue) -> Void
    private(set) var isSound = true
    private(set) var unseen = 0

    init(_ store: KeyringStore, _ report: @escaping (IntegrityIssue) -> Void) {
        self.store = store
        self.report = report
    }

    func everything() throws(KeyringError) {
        try collecting("any contact", at: "pages") { () throws(KeyringError) in
            let pages = try store.database.statement("PRAGMA integrity_check")
            while try pages.step() {
                let text = pages.text(0).split(separator: "\n").joined(separator: " ")
                if text != "ok" { add("pages: \(text)", "any contact") }
            }
        }
        try collecting("any contact") { () throws(KeyringError) in
            if store.verified.isDamaged { add(VerifiedList.mismatch, "any contact") }
            let rows = try store.database.statement("SELECT count(*) FROM records")
                .first { $0.integer(0) }
            // The list does not contain the header.
            if rows != Int64(store.verified.list.count + 1) {
                add("some records are missing from the list of records", "no data that is in use")
            }
        }
        try collecting("the account") { () throws(KeyringError) in
            guard try Account(from: store.database).digest == store.header.accountDigest else {
                throw .store(.damaged("the account was altered"))
            }
            _ = try store.keyring.file.failedTries()
        }
        try records()
    }

    private func records() throws(KeyringError) {
        var known: Set<ContactID> = []
        // The ids of address records that belong to transient identities of other sessions.
        var unknownBlocks: Set<Int64> = []
        for id in store.ids(of: .identity) {
            try collecting("all contacts of an identity", at: "identity") {
                () throws(KeyringError) in
                let stored = try store.identities.record(id)
                guard let record = store.identities.opened(stored) else {
                    // This transient identity belongs to another session.
                    unseen += 1 + stored.addresses.count
                    unknownBlocks.formUnion(stored.addresses)
                    return
                }
                let contacts = store.contacts(in: record.ring)
                try contacts.forEach { (contact) throws(KeyringError) in
                    known.insert(contact.id)
                    try collecting("contact \(contact.name)", at: "contact \(contact.name)") {
                        () throws(KeyringError) in
                        guard let state = try contacts.state(contact.id) else {
                            throw .store(.damaged("its state is missing"))
                        }
                        let past = try contacts.past(of: state)
                        guard past.missing == state.missing,
                            past.again.count == state.keysToReadAgain
                        else { throw .store(.damaged("its history does not match its state")) }
                    }
                }
            }
        }
        for kind in [RecordKind.contact, .past] {
            for id in store.ids(of: kind) where !known.contains(ContactID(id)) {
                if unknownBlocks.contains(AddressBlock.id(of: ContactID(id))) {
                    unseen += 1
                } else {
                    add("a record belongs to no contact", "no data that is in use")
                }
            }
        }
        try collecting("keys and offers that were entered before") { () throws(KeyringError) in
            for id in store.ids(of: .usedKeys) { _ = try store.usedKeys.hashes(id) }
        }
        try collecting("messages in progress") { () throws(KeyringError) in
            unseen += try store.runs.openAll()
        }
    }

    private func add(_ what: String, _ touches: String) {
        isSound = false
        report(IntegrityIssue(what: what, touches: touches))
    }

    /// Runs `body`. If `body` throws `damaged`, reports the damage.
    private func collecting(
        _ touches: String, at place: String? = nil, _ body: () throws(KeyringError) -> Void
    ) throws(KeyringError) {
        do throws(KeyringError) {
            try body()
        } catch {
            guard case .store(.damaged(let what)) = error else { throw error }
            add(place.map { "\($0): \(what)" } ?? what, touches)
        }
    }
}
