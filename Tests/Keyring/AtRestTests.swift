import Foundation
import Support
import TestPeople
import Testing

@testable import Keyring

/// Checks that a keyring that nobody uses is a single file in which no secret can be found.
@Suite(.measured) struct AtRestTests {
    @Test func aClosedKeyringIsASingleFile() throws {
        let (amina, bela) = try Person.pair()
        for round in 0..<3 {
            _ = try bela.receive(try amina.send("Message \(round)"))
            _ = try amina.receive(try bela.send("Answer \(round)"))
        }
        for person in [amina, bela] {
            person.close()
            let names = try FileManager.default.contentsOfDirectory(atPath: person.folder.path)
            #expect(names.sorted() == ["keyring", "sessions", "state"])
            let facts = try FileManager.default.attributesOfItem(atPath: person.path)
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func theFileContainsNoUnencryptedSecret() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt(["The barn at noon", "Not read"]).ciphertexts
        _ = try bela.receive([sent[0]])
        let keyring = try bela.open()
        _ = try keyring.add(name: "Chipo of Nkosi", number: "+27 11 555 0000")
        let (used, theirs) = (try bela.syncKey(), try amina.syncKey())
        try bela.synchronise(with: theirs)
        let own = try bela.syncKey()
        bela.close()
        let file = try Data(contentsOf: URL(fileURLWithPath: bela.path))
        let secrets = [
            "Zoë", "Amina-Kettledrum", "Chipo", "Nkosi", "27837654321", "0837654321",
            "27115550000", TestKeyrings.password, "barn", own, used, theirs,
        ]
        for secret in secrets + secrets.map({ $0.replacing("-", with: "") }) {
            #expect(file.range(of: Data(secret.utf8)) == nil, "\(secret)")
        }
        // The user's name is not encrypted. Finding it shows that the search works.
        #expect(file.range(of: Data("Somebody".utf8)) != nil)
    }

    @Test func replacedKeysAreOverwrittenInTheFile() throws {
        let (amina, bela) = try Person.pair()
        _ = try bela.receive(try amina.send("Hello"))
        let before = try sealedRecords(of: bela)
        _ = try bela.receive(try amina.send("Hello again"))
        let after = try sealedRecords(of: bela)
        bela.close()
        let file = try Data(contentsOf: URL(fileURLWithPath: bela.path))
        for record in before { #expect(file.range(of: record.dropFirst(8)) == nil) }
        for record in after { #expect(file.range(of: record.dropFirst(8)) != nil) }
    }

    private func sealedRecords(of person: Person) throws -> [Data] {
        person.close()
        let database = try Database(path: person.path)
        let sql: [StaticString] = [
            "SELECT sealed FROM records WHERE kind = 3",
            "SELECT sealed FROM records WHERE kind = 0",
        ]
        return try sql.map { sql in
            Data(try #require(try database.statement(sql).first { $0.bytes(0) }))
        }
    }
}
