import Crypto
import Foundation
import Protocol
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// A keyring with records of every kind, an older copy of it, and another person's keyring, for tests of
/// attackers who can write to the file but have no key.
final class TamperedKeyring {
    let bela: Person
    private let amina: Person
    /// The file and the rollback note, to which `restore` returns.
    private let newer: Data
    private let older: Data
    private let note: Data
    /// All records of the three keyrings.
    let records: [RecordName: [UInt8]]
    let olderRecords: [RecordName: [UInt8]]
    let foreignRecords: [RecordName: [UInt8]]
    /// One record of each kind that differs from the older copy and that `use` reads. A process has two records.
    let targets: [RecordName]
    /// A message to bela that was not decrypted yet.
    private let next: [UInt8]
    /// A contact that was added after the older copy, when another contact had been removed.
    private let newest = "Newest contact"
    private static let text = "The same text each time"
    /// The ciphertexts of this text that bela has written.
    private(set) var written: Set<[UInt8]> = []

    /// Creates the keyrings.
    ///
    /// - Parameter count: number of contacts.
    init(contacts count: Int) throws {
        (amina, bela) = try Person.pair(inMemory: true)
        try Self.fill(bela, count)
        // Two processes that die later. Only other processes take over their messages.
        let dead = [
            try bela.another(bootID: "boot before"), try bela.another(bootID: "boot before"),
        ]
        let messages = try amina.encrypt((0..<8).map { "Message \($0)" }).ciphertexts
        next = messages[7]
        _ = try bela.receive([messages[2]], written: 0, with: dead[0])
        _ = try bela.receive([messages[3]], written: 0, with: dead[1])
        try written.formUnion(bela.encrypt([Self.text], with: dead[0]).ciphertexts)
        older = try Self.file(of: bela)
        olderRecords = try Self.records(of: bela)

        try dead[0].remove(try dead[0].contact(named: "Removed contact"))
        _ = try dead[0].add(name: newest, number: nil)
        _ = try bela.receive([messages[5], messages[0]], written: 0, with: dead[0])
        _ = try bela.receive([messages[6]], written: 0, with: dead[1])
        try written.formUnion(bela.encrypt([Self.text], with: dead[0]).ciphertexts)
        let contact = try bela.contact(in: dead[0])
        try dead[0].edit(contact, name: nil, number: "083 000 0000")
        _ = try dead[0].resynchronise(contact, renew: true)
        try dead[0].renameIdentity("work", to: "play")
        newer = try Self.file(of: bela)
        let records = try Self.records(of: bela)
        self.records = records
        bela.close()
        note = try Data(contentsOf: URL(fileURLWithPath: bela.notePath() ?? ""))

        let answers = try bela.encrypt(["One", "Two"], with: dead[0]).ciphertexts
        let peer = try amina.another(bootID: "boot before")
        _ = try amina.receive([answers[1]], written: 0, with: peer)
        _ = try amina.encrypt(["In flight"], with: peer)
        foreignRecords = try Self.records(of: amina)

        let run = try #require(dead[0].knownRunNumber)
        targets = [
            .header, RecordName(.identity, dead[0].ring.id),
            RecordName(.addresses, AddressBlock.id(of: contact.id)),
            RecordName(.contact, contact.id.number), RecordName(.past, contact.id.number),
            RecordName(.usedKeys, 1), RecordName(.run, 2 * run), RecordName(.run, 2 * run + 1),
        ]
        for process in dead { try process.file.close() }
        try peer.file.close()
    }

    /// Adds contacts, an identity, a second past, and a second record of used keys.
    private static func fill(_ person: Person, _ count: Int) throws {
        let keyring = try person.open()
        var stored = SecretReader(SecretBytes(count: SpentKey.size))
        let key = try SpentKey(from: &stored)
        try keyring.addIdentity("work", .partial)
        try keyring.change { (store) throws(KeyringError) in
            let (contacts, ring) = (store.contacts, store.keyring.ring)
            for start in stride(from: 1, to: count - 1, by: 256) {
                let block = AddressBlock.id(of: ContactID(try randomID()))
                let some = (start..<min(start + 256, count - 1)).map {
                    Contact(
                        id: ContactID(block + Int64($0 - start)), name: "Contact \($0)", number: nil
                    )
                }
                try contacts.add(some, as: block)
                for contact in some {
                    try contacts.save(ContactState(contact: contact.id, in: ring))
                }
            }
            let state = try contacts.state(of: try contacts.contact(named: "Contact 1"))
            var past = ConversationPast()
            past.readAgain(key)
            try contacts.save(past, of: state)
            try contacts.save(state)
            let hashes = (0..<UsedKeyStore.maximum).map { (_) in UInt128.random(in: 0 ... .max) }
            try store.usedKeys.append(hashes)
        }
        // Its records have the highest row ids, which the next records receive after its removal.
        _ = try keyring.add(name: "Removed contact", number: nil)
        person.close()
    }

    /// Returns the content of the file, while other connections may be open.
    private static func file(of person: Person) throws -> Data {
        let database = try Database(path: person.path)
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return try Data(contentsOf: URL(fileURLWithPath: person.path))
    }

    private static func records(of person: Person) throws -> [RecordName: [UInt8]] {
        let database = try Database(path: person.path)
        var records: [RecordName: [UInt8]] = [:]
        let rows = try database.statement("SELECT kind, id, sealed FROM records")
        while try rows.step() {
            guard let kind = RecordKind(rawValue: UInt8(rows.integer(0))) else { continue }
            records[RecordName(kind, rows.integer(1))] = rows.bytes(2)
        }
        return records
    }

    // MARK: Attacks

    /// Where an attacker changes a record.
    enum Place: CaseIterable {
        case records, tags, both
    }

    /// What an attacker writes in place of a record.
    enum Attack: CaseIterable {
        case older, removed, added, swapped, foreign
    }

    /// Runs an attack with SQL.
    func run(_ attack: Attack, on target: RecordName, in place: Place) throws {
        switch attack {
        case .older: try put(olderRecords[target], as: target, in: place)
        case .removed: try put(nil, as: target, in: place)
        case .added:
            // A record that existed once, and a copy under a new name.
            for (name, sealed) in olderRecords
            where name.kind == target.kind && records[name] == nil {
                try put(sealed, as: name, in: place)
            }
            let name = RecordName(target.kind, target.id + 2)
            try put(records[target], as: name, in: place)
        case .swapped:
            let other = try Self.other(target, in: records)
            try put(records[other], as: target, in: place)
            try put(records[target], as: other, in: place)
        case .foreign:
            let other = try Self.other(target, in: foreignRecords)
            try put(foreignRecords[other], as: target, in: place)
        }
    }

    /// Returns another record of the same kind, or the record of this name if it is the only one.
    private static func other(
        _ name: RecordName, in records: [RecordName: [UInt8]]
    ) throws -> RecordName {
        records.keys.sorted().first {
            $0.kind == name.kind && $0 != name && ($0.kind != .run || $0.id % 2 == name.id % 2)
        } ?? name
    }

    /// Writes or removes a record and its tag.
    func put(_ sealed: [UInt8]?, as name: RecordName, in place: Place) throws {
        let database = try Database(path: bela.path)
        let row = "WHERE kind = \(name.kind.rawValue) AND id = \(name.id)"
        if let sealed {
            if place != .tags { try database.write(sealed, as: name) }
            if place != .records, let tag = RecordTag(of: sealed) {
                try database.writeTag(tag, of: name)
            }
        } else {
            if place != .tags { try database.execute("DELETE FROM records \(row)") }
            if place != .records { try database.execute("DELETE FROM tags \(row)") }
        }
        try database.close()
    }

    /// Puts back the whole content of the older keyring with SQL, but not its file.
    func putBackEverything() throws {
        for name in Set(records.keys).union(olderRecords.keys) {
            try put(olderRecords[name], as: name, in: name == .header ? .records : .both)
        }
    }

    // MARK: Pages

    private static let pageSize = 4096

    /// Numbers of the pages that differ in the older file, beginning with 0.
    var changedPages: [Int] {
        (0..<(min(older.count, newer.count) / Self.pageSize)).filter {
            page($0, of: older) != page($0, of: newer)
        }
    }

    private func page(_ number: Int, of file: Data) -> Data {
        file[(number * Self.pageSize)..<((number + 1) * Self.pageSize)]
    }

    /// Replaces pages of the file with their older copies.
    func putBack(pages: [Int]) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: bela.path))
        for number in pages {
            try file.seek(toOffset: UInt64(number * Self.pageSize))
            try file.write(contentsOf: page(number, of: older))
        }
        try file.close()
    }

    /// Returns the changed pages of each b-tree, by the name of the table or index.
    func changedPagesOfTrees() throws -> [String: [Int]] {
        let path = bela.path + "-other"
        func owners(in file: Data) throws -> [Int: String] {
            try file.write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let database = try Database(path: path)
            var owners: [Int: String] = [:]
            let rows = try database.statement("SELECT pageno, name FROM dbstat")
            while try rows.step() { owners[Int(rows.integer(0)) - 1] = rows.text(1) }
            return owners
        }
        let (new, old) = (try owners(in: newer), try owners(in: older))
        return Dictionary(grouping: changedPages.filter { new[$0] == old[$0] }) { new[$0] ?? "" }
    }

    // MARK: Use

    /// True if `check` finds a fault, or if the keyring cannot even be opened to be checked.
    func hasFaults() throws -> Bool {
        let session = try Session(token: bela.token, folder: bela.places.sessions)
        var hasFaults = false
        do throws(KeyringError) {
            let keyring = try KeyringFile(
                path: bela.path, places: bela.places, clocks: bela.clock.clocks(), toCheck: true
            ).unlock(with: session)
            _ = try keyring.check { _ in hasFaults = true }
            try keyring.file.close()
        } catch .store(.damaged) {
            return true
        }
        return hasFaults
    }

    /// Puts back the newer keyring, of which most pages were not changed.
    func restore() throws {
        bela.close()
        let url = URL(fileURLWithPath: bela.path)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: bela.path + suffix)
        }
        let now = try Data(contentsOf: url)
        let file = try FileHandle(forUpdating: url)
        if now.count != newer.count { try file.truncate(atOffset: UInt64(newer.count)) }
        for number in 0..<(newer.count / Self.pageSize)
        where (number + 1) * Self.pageSize > now.count
            || page(number, of: now) != page(number, of: newer)
        {
            try file.seek(toOffset: UInt64(number * Self.pageSize))
            try file.write(contentsOf: page(number, of: newer))
        }
        try file.close()
        try overwrite(bela.notePath() ?? "", note)
    }

    /// Reads the records of all kinds, and then encrypts a message. Returns the ciphertext.
    func use() throws -> [UInt8] {
        defer { bela.close() }
        let keyring = try bela.open()
        #expect(try keyring.identities().count == 2)
        let contact = try bela.contact(in: keyring)
        _ = try keyring.state(of: try keyring.contact(named: newest))
        _ = try keyring.prepare(contact, with: try SyncKey.generate())
        // A message that no key decrypts is tried with all keys.
        #expect(try bela.receive([[UInt8](repeating: 1, count: 160)]) == [.refused])
        return try send()
    }

    /// Encrypts the same text as before with the open keyring.
    private func send() throws -> [UInt8] {
        let sent = try bela.encrypt([Self.text])
        try sent.finish()
        return sent.ciphertexts.first ?? []
    }

    /// Number of moments between the transactions of `send(between:)`.
    static let moments = 7

    /// Sends and receives in one run. Calls `body` between each two transactions, with the number of the
    /// moment, and passes the ciphertexts that are written to `report`.
    func send(between body: (Int) throws -> Void, _ report: ([UInt8]) -> Void) throws {
        defer { bela.close() }
        let keyring = try bela.open()
        let contact = try bela.contact(in: keyring).id
        var moment = 0
        func between() throws {
            try body(moment)
            moment += 1
        }
        try between()
        for _ in 0..<2 {
            let sent = try bela.encrypt([Self.text], with: keyring)
            sent.ciphertexts.forEach(report)
            try between()
            try sent.finish()
            try between()
        }
        var receiving = try Receiving(with: keyring)
        var symbols = next
        var span = symbols.mutableSpan
        _ = try receiving.decrypt(&span, of: contact)
        try receiving.commit()
        try between()
        try receiving.finish()
        try between()
        let sent = try bela.encrypt([Self.text], with: keyring)
        sent.ciphertexts.forEach(report)
    }
}
