import Foundation
import Keyring
import Crypto
import Protocol
import System

/// Amina and Bela, in step with each other: made once, since scrypt takes its time, and copied for
/// every test.
struct Template {
    static let password = "Correct horse!"
    static let names = (amina: "Zoë Amina-Kettledrum", bela: "Béla Quartermaster")
    static let numbers = (amina: "083 765 4321", bela: "082 123 4567")

    /// Sync keys that were used: the one that Amina gave, and Bela's.
    let keys: (amina: String, bela: String)
    private let folder: URL
    private let tokens: (amina: String, bela: String)

    private static let shared = Result { try Template() }

    /// The keys of the shared one.
    static var usedKeys: (amina: String, bela: String) {
        get throws { try shared.get().keys }
    }

    /// A new copy of both, which takes itself for moved until `adoptMoved`.
    static func copies() throws -> (amina: Person, bela: Person) {
        let template = try shared.get()
        return try (
            template.copy("amina", template.tokens.amina, contact: names.bela),
            template.copy("bela", template.tokens.bela, contact: names.amina)
        )
    }

    /// A new copy of both, at home where they are.
    static func pair() throws -> (amina: Person, bela: Person) {
        let pair = try copies()
        try pair.amina.open().adoptMoved()
        try pair.bela.open().adoptMoved()
        return pair
    }

    static func places(in folder: URL) -> StandardPaths {
        StandardPaths(state: folder.path + "/state", sessions: folder.path + "/sessions")
    }

    static func newFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("smsenc-" + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }

    /// Makes a keyring `keyring` in a folder, with `password`.
    static func create(
        in folder: URL, country: String = "27", lockTries: Int = 3, lockSeconds: Int = 300,
        clock: TestClock = TestClock()
    ) throws -> Keyring {
        let path = folder.path + "/keyring"
        let password = secret(password)
        try Keyring.create(
            at: path, user: "Somebody", country: country, lockTries: lockTries,
            lockSeconds: lockSeconds, password: password, places: places(in: folder))
        return try Keyring(path: path, places: places(in: folder), clocks: clock.clocks())
    }

    private init() throws {
        folder = try Self.newFolder()
        var opened: [Keyring] = []
        for name in ["amina", "bela"] {
            let home = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: home, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let keyring = try Self.create(in: home)
            let password = secret(Self.password)
            try keyring.unlock(password: password)
            opened.append(keyring)
        }
        let (amina, bela) = (opened[0], opened[1])
        keys = (
            amina: try text(of: amina.add(name: Self.names.bela, number: Self.numbers.bela)),
            bela: try text(of: bela.add(name: Self.names.amina, number: Self.numbers.amina))
        )
        try Self.synchronise(amina, Self.names.bela, keys.bela)
        try Self.synchronise(bela, Self.names.amina, keys.amina)
        tokens = (
            amina: hex(try amina.openSession(seconds: 1_000_000_000)),
            bela: hex(try bela.openSession(seconds: 1_000_000_000))
        )
    }

    private static func synchronise(_ keyring: Keyring, _ name: String, _ key: String) throws {
        let theirs = try SyncKey(reading: Array(key.utf8).span)
        let pending = try keyring.prepare(try keyring.contact(named: name), with: theirs)
        let agreement = try Agreement(own: pending.own, theirs: pending.theirs)
        _ = try keyring.synchronise(pending, agreement)
    }

    private func copy(_ name: String, _ token: String, contact: String) throws -> Person {
        let copy = try Self.newFolder()
        for part in ["keyring", "sessions"] {
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent(name).appendingPathComponent(part),
                to: copy.appendingPathComponent(part))
        }
        return Person(copy, token: token, contact: contact)
    }
}

func secret(_ text: String) -> SecretBytes {
    let utf8 = Array(text.utf8)
    return SecretBytes(copying: utf8.span)
}

func text(of key: borrowing SyncKey) -> String {
    var text = ""
    key.withShownForm { span in
        text = String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
    }
    return text
}

func hex(_ secret: borrowing SecretBytes) -> String {
    secret.withSpan { span in
        span.indices.map { String(format: "%02x", span[$0]) }.joined()
    }
}
