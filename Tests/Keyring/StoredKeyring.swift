import Foundation
import GSM7
import Protocol
import Support

@testable import Keyring

/// Two keyrings with records of all kinds, a backup, and messages, which an earlier version of the tools has
/// written (Vectors/keyring, described in its README).
enum StoredKeyring {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Vectors/keyring")

    /// Returns facts about the keyrings by name. Bela's messages are texts of 160 characters.
    static func facts() throws -> [String: String] {
        let text = try String(
            contentsOf: folder.appendingPathComponent("facts.txt"), encoding: .utf8)
        var facts: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            facts[String(parts[0])] = String(parts[1])
        }
        return facts
    }

    static func symbols(_ text: String) -> [UInt8] {
        let all = (0..<125).map { Alphabet.scalar(of: UInt8($0)) }
        return text.unicodeScalars.compactMap { all.firstIndex(of: $0) }.map(UInt8.init)
    }

    /// Recreates the files after an intentional change of the format.
    static func make(in folder: URL) throws {
        let (amina, bela) = try Person.pair()
        var facts: [(String, String)] = []
        func keep(_ name: String, _ ciphertexts: [[UInt8]]) {
            for (index, symbols) in ciphertexts.enumerated() {
                let text = symbols.map { String(Alphabet.scalar(of: $0)) }.joined()
                facts.append(("\(name) \(index)", text))
            }
        }
        // Add a contact from before a restore. After the restore, everybody synchronises again.
        _ = try amina.syncKey()
        let used = try bela.syncKey()
        try amina.synchronise(with: used)
        let keyring = try amina.open()
        _ = try keyring.add(name: "Old", number: nil)
        try keyring.adoptRestored()
        facts.append(("used key", used))
        facts.append(("own key", try amina.syncKey()))
        let theirs = try bela.syncKey(renew: true)
        try bela.synchronise(with: facts[1].1)
        try amina.synchronise(with: theirs)
        let again = try amina.open()
        let contact = try amina.contact(in: again)
        try again.markVerified(contact, having: try again.state(of: contact).codes)
        try again.edit(contact, name: "Bela", number: "+27821234567")
        _ = try again.add(name: "Dora", number: nil)
        _ = try again.add(name: "Emeka", number: nil)
        let own = try again.offer(try again.contact(named: "Emeka"), renew: false)
        facts.append(("own offer", own.text))
        try again.addIdentity("work", .partial)
        facts.append(("file key", try again.fileKey().recipient))
        try again.act(as: "work")
        _ = try again.add(name: "Femi", number: "0829998888")
        _ = try again.offer(try again.contact(named: "Femi"), renew: false)
        amina.close()
        amina.contactName = "Bela"
        // Create replaced chains with skipped message keys.
        for round in 1...3 {
            let sent = try bela.send("\(round) one", "\(round) two", "\(round) three")
            keep("round \(round)", sent)
            _ = try amina.receive([sent[1]])
            _ = try bela.receive(try amina.send("Answer \(round)"))
        }
        // Leave keys in flight of a process that died.
        let lost = try amina.encrypt(["Lost"], with: try amina.another(bootID: "boot before"))
        keep("lost", lost.ciphertexts)
        let more = try bela.send("Read", "Again", "Next")
        keep("more", more)
        _ = try amina.receive([more[0]])
        amina.close()
        _ = try amina.receive([more[1]], written: 0)
        _ = try amina.mark(as: "1 0 another boot")
        amina.close()
        bela.close()
        var backup: [String] = []
        try amina.open().export { backup.append(String(decoding: $0, as: UTF8.self)) }
        amina.close()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, path) in [("amina", amina.path), ("bela", bela.path)] {
            let target = folder.appendingPathComponent(name).path
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.copyItem(atPath: path, toPath: target)
        }
        try (backup.joined(separator: "\n") + "\n").write(
            to: folder.appendingPathComponent("backup"), atomically: true, encoding: .utf8)
        try facts.map { "\($0)\t\($1)\n" }.joined().write(
            to: folder.appendingPathComponent("facts.txt"), atomically: true, encoding: .utf8)
    }
}
