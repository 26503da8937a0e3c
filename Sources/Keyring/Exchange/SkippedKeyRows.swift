internal import Crypto
internal import Protocol
internal import System

/// Kept keys, retired chains and keys of messages not yet written: a row each, so that a message
/// does not cost more when there are many.
///
///     table      sealed record
///     kept       since when (8), message key (64)
///     retired    since when (8), chain key (32)
///     unwritten  since when (8), message keys (64 each) in the order of their messages
extension LinkRows {
    /// Loads what is stored of a contact's archive.
    ///
    /// - Throws: `damaged` when a row is missing.
    func load(_ link: Link) throws(KeyringError) {
        guard !link.isArchiveLoaded else { return }
        link.isArchiveLoaded = true
        let kept = try loadKept(link)
        let retired = try loadRetired(link)
        let unwritten = try loadUnwritten(link)
        guard link.archive.isComplete(kept: kept.count, retired: retired.count) else {
            throw .damaged("keys of a contact are missing")
        }
        link.archive.load(kept: kept, retired: retired, unwritten: unwritten)
    }

    /// Writes what has changed in a contact's archive.
    func save(_ link: Link, at now: Int64) throws(KeyringError) {
        if link.archive.isOverfull(at: now) {
            try load(link)
            link.archive.trim(at: now)
        }
        try drop(.kept, link.contact, link.archive.droppedKept)
        try drop(.retired, link.contact, link.archive.droppedRetired)
        try drop(.unwritten, link.contact, link.archive.droppedUnwritten)
        try saveKept(link)
        try saveRetired(link)
        try saveSpent(link)
        link.archive.noteSaved()
    }

    /// Takes off a contact's list of keys whose messages are not yet written the first `written`.
    func settle(
        _ contact: Int64, _ number: Int64, written: Int, of all: Int
    ) throws(KeyringError) {
        guard written > 0 else { return }
        guard written < all else { return try drop(.unwritten, contact, [number]) }
        let row = try database.statement(
            "SELECT record FROM unwritten WHERE contact = ? AND number = ?"
        ).bind(contact).bind(number)
        guard try row.step() else { throw .damaged("keys of a contact are missing") }
        let place = Place("unwritten", row: contact, number: number)
        var record = try open(row, 0, place)
        row.reset()
        let rest = try cryptography { () throws(CryptoError) in
            var rest = SecretWriter(capacity: record.remaining - written * MessageKey.size)
            let since: Int64 = try record.integer()
            rest.put(since)
            _ = try record.secret(written * MessageKey.size)
            rest.put(try record.secret(record.remaining))
            return rest.finish()
        }
        try database.statement(
            "UPDATE unwritten SET record = ? WHERE contact = ? AND number = ?"
        )
        .bind(try ring.sealer.seal(rest, at: place)).bind(contact).bind(number).run()
    }

    private func loadKept(_ link: Link) throws(KeyringError) -> OwnedArray<KeptKey> {
        var kept = OwnedArray<KeptKey>()
        let rows = try database.statement(
            "SELECT number, record FROM kept WHERE contact = ? ORDER BY number"
        ).bind(link.contact)
        while try rows.step() {
            let number = rows.integer(0)
            var record = try open(rows, 1, Place("kept", row: link.contact, number: number))
            kept.append(
                try cryptography { () throws(CryptoError) in
                    let since: Int64 = try record.integer()
                    let key = try record.secret(MessageKey.size)
                    return KeptKey(number: number, key: MessageKey(stored: key), since: since)
                })
        }
        return kept
    }

    private func loadRetired(_ link: Link) throws(KeyringError) -> OwnedArray<RetiredChain> {
        var retired = OwnedArray<RetiredChain>()
        let rows = try database.statement(
            "SELECT number, version, record FROM retired WHERE contact = ? ORDER BY number"
        ).bind(link.contact)
        while try rows.step() {
            let number = rows.integer(0)
            let place = Place(
                "retired", row: link.contact, number: number, version: rows.integer(1))
            var record = try open(rows, 2, place)
            retired.append(
                try cryptography { () throws(CryptoError) in
                    let since: Int64 = try record.integer()
                    let chain = ChainKey(stored: try record.secret(32))
                    return RetiredChain(number: number, chain: chain, since: since)
                })
        }
        return retired
    }

    /// Keys that dead processes left, each moved to a row of its own first.
    private func loadUnwritten(_ link: Link) throws(KeyringError) -> OwnedArray<KeptKey> {
        var left: [Int64] = []
        let rows = try database.statement(
            "SELECT number, process FROM unwritten WHERE contact = ? ORDER BY number"
        ).bind(link.contact)
        while try rows.step() {
            let process = rows.text(1)
            if process != mark.text, !ProcessMark(text: process).isAlive(clocks) {
                left.append(rows.integer(0))
            }
        }
        var unwritten = OwnedArray<KeptKey>()
        for number in left { try load(unwritten: number, of: link, into: &unwritten) }
        return unwritten
    }

    private func load(
        unwritten number: Int64, of link: Link, into list: inout OwnedArray<KeptKey>
    ) throws(KeyringError) {
        let row = try database.statement(
            "SELECT record FROM unwritten WHERE contact = ? AND number = ?"
        ).bind(link.contact).bind(number)
        guard try row.step() else { return }
        var record = try open(row, 0, Place("unwritten", row: link.contact, number: number))
        row.reset()
        let since: Int64 = try cryptography { () throws(CryptoError) in try record.integer() }
        if link.archive.isExpired(since, at: clocks.wall()) {
            link.isChanged = true
            return try drop(.unwritten, link.contact, [number])
        }
        let isSingle = record.remaining == MessageKey.size
        if !isSingle {
            try drop(.unwritten, link.contact, [number])
            // The numbers given out below must be saved, whether a message is read or not.
            link.isChanged = true
        }
        while record.remaining > 0 {
            let key = try cryptography { () throws(CryptoError) in
                try record.secret(MessageKey.size)
            }
            let place = isSingle ? number : link.archive.takeNumber()
            if !isSingle {
                var single = SecretWriter(capacity: 8 + MessageKey.size)
                single.put(since)
                single.put(key)
                try insertUnwritten(single.finish(), link, place, process: "")
            }
            list.append(KeptKey(number: place, key: MessageKey(stored: key), since: since))
        }
    }

    private func saveKept(_ link: Link) throws(KeyringError) {
        for index in 0..<link.archive.kept.count {
            let number = link.archive.kept[index].number
            guard number >= link.archive.firstNew else { continue }
            var record = SecretWriter(capacity: 8 + MessageKey.size)
            record.put(link.archive.kept[index].since)
            record.put(link.archive.kept[index].key.bytes)
            let sealed = try ring.sealer.seal(
                record.finish(), at: Place("kept", row: link.contact, number: number))
            try database.statement("INSERT INTO kept (contact, number, record) VALUES (?, ?, ?)")
                .bind(link.contact).bind(number).bind(sealed).run()
        }
    }

    private func saveRetired(_ link: Link) throws(KeyringError) {
        for index in 0..<link.archive.retired.count {
            let number = link.archive.retired[index].number
            let isNew = number >= link.archive.firstNew
            guard isNew || link.archive.retired[index].isMoved else { continue }
            var record = SecretWriter(capacity: 8 + 32)
            record.put(link.archive.retired[index].since)
            record.put(link.archive.retired[index].chain.bytes)
            let place = Place("retired", row: link.contact, number: number, version: link.version)
            try database.statement(
                "REPLACE INTO retired (contact, number, version, record) VALUES (?, ?, ?, ?)"
            )
            .bind(link.contact).bind(number).bind(link.version)
            .bind(try ring.sealer.seal(record.finish(), at: place)).run()
        }
    }

    private func saveSpent(_ link: Link) throws(KeyringError) {
        guard !link.spent.isEmpty else { return }
        let number = link.archive.takeNumber()
        var record = SecretWriter(capacity: 8 + MessageKey.size * link.spent.count)
        record.put(clocks.wall())
        for index in 0..<link.spent.count { record.put(link.spent[index].bytes) }
        try insertUnwritten(record.finish(), link, number, process: mark.text)
        link.spentNumber = number
    }

    private func insertUnwritten(
        _ record: consuming SecretBytes, _ link: Link, _ number: Int64, process: String
    ) throws(KeyringError) {
        let place = Place("unwritten", row: link.contact, number: number)
        try database.statement(
            "INSERT INTO unwritten (contact, number, process, record) VALUES (?, ?, ?, ?)"
        )
        .bind(link.contact).bind(number).bind(process)
        .bind(try ring.sealer.seal(record, at: place)).run()
    }

    private enum Table {
        case kept, retired, unwritten

        var deletion: StaticString {
            switch self {
            case .kept: "DELETE FROM kept WHERE contact = ? AND number = ?"
            case .retired: "DELETE FROM retired WHERE contact = ? AND number = ?"
            case .unwritten: "DELETE FROM unwritten WHERE contact = ? AND number = ?"
            }
        }
    }

    private func drop(
        _ table: Table, _ contact: Int64, _ numbers: [Int64]
    ) throws(KeyringError) {
        for number in numbers {
            try database.statement(table.deletion).bind(contact).bind(number).run()
        }
    }
}
