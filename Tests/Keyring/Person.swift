import FrameLayout
import Foundation
import Frames
import GSM7
import Crypto
import Protocol
import Support
import TestPeople
import System
import Testing

@testable import Keyring

/// A person with a keyring in a temporary folder, and one contact.
final class Person {
    static let names = (amina: "Zoë Amina-Kettledrum", bela: "Béla Quartermaster")
    static let numbers = (amina: "083 765 4321", bela: "082 123 4567")

    let folder: URL
    var places: StandardPaths
    let clock = TestClock()
    var token: String
    var contactName: String
    /// The open, unlocked keyring, or nil if it is closed.
    private(set) var keyring: Keyring?

    /// Uses a folder that contains a keyring and a session.
    init(_ folder: URL, token: String, contact: String) {
        self.folder = folder
        self.token = token
        contactName = contact
        places = Self.places(in: folder)
    }

    private convenience init(copying user: String, contact: String, inMemory: Bool) throws {
        let folder = try makeTemporaryFolder(inMemory: inMemory)
        let token = try TestKeyrings.copy(
            of: user, country: "27", to: folder.path + "/keyring", Self.places(in: folder),
            TestClock().clocks())
        self.init(folder, token: token, contact: contact)
        try open().adoptMoved(isComplete: true)
    }

    /// Creates two people who are synchronised with each other.
    ///
    /// - Parameter inMemory: true to prefer a file system in memory, which is faster.
    static func pair(inMemory: Bool = false) throws -> (amina: Person, bela: Person) {
        let amina = try Person(copying: "Somebody", contact: names.bela, inMemory: inMemory)
        let bela = try Person(copying: "Somebody else", contact: names.amina, inMemory: inMemory)
        try TestKeyrings.synchronise(
            (amina.open(), names.amina, numbers.amina), (bela.open(), names.bela, numbers.bela))
        return (amina, bela)
    }

    static func places(in folder: URL) -> StandardPaths {
        StandardPaths(state: folder.path + "/state", sessions: folder.path + "/sessions")
    }

    /// Creates a keyring named `keyring` in a folder, with the common test password.
    static func createKeyring(
        in folder: URL, country: String = "27", lockTries: Int = 3, lockSeconds: Int = 300,
        clock: TestClock = TestClock()
    ) throws -> KeyringFile {
        let path = folder.path + "/keyring"
        let password = secret(TestKeyrings.password)
        try Keyring.create(
            at: path, user: "Somebody", country: country, lockTries: lockTries,
            lockSeconds: lockSeconds, password: password, places: places(in: folder))
        return try KeyringFile(path: path, places: places(in: folder), clocks: clock.clocks())
    }

    deinit {
        keyring = nil
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.path + "/keyring" }

    /// Opens the keyring in the same way as a new process, even if it is already open.
    @discardableResult
    func open() throws -> Keyring {
        keyring = nil
        let opened = try another()
        keyring = opened
        return opened
    }

    /// Opens the keyring in the same way as a second process.
    ///
    /// - Parameter bootID: a different boot ID simulates a process that has died.
    func another(bootID: String? = nil) throws -> Keyring {
        let clocks = bootID.map { clock.clocks(bootID: $0) } ?? clock.clocks()
        if bootID == nil {
            return try KeyringFile(path: path, places: places, clocks: clocks)
                .unlock(with: try Session(token: token, folder: places.sessions))
        }
        let password = secret(TestKeyrings.password)
        return try KeyringFile(path: path, places: places, clocks: clocks)
            .unlock(password: password)
    }

    /// Opens the keyring in the same way as a second process that stays alive, with another PID.
    func anotherLiving() throws -> Keyring {
        let keyring = try another()
        let status = try String(contentsOfFile: "/proc/1/stat", encoding: .utf8)
        let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...]
            .split(separator: " ")
        keyring.file.mark = ProcessIdentity(text: "1 \(fields[20]) \(keyring.clocks.bootID)")
        return keyring
    }

    func close() { keyring = nil }

    func contact(in keyring: Keyring) throws -> Contact {
        try keyring.contact(named: contactName)
    }

    /// Messages that were encrypted in one exchange and are still in flight.
    final class Sent {
        fileprivate var sending: Sending?
        fileprivate(set) var ciphertexts: [[UInt8]] = []
        fileprivate(set) var positions: [Position] = []

        /// Finishes the exchange. `count` messages may have been output.
        func finish(written count: Int? = nil) throws { try sending.take()?.finish(written: count) }
    }

    /// Encrypts as many messages as one exchange permits.
    ///
    /// - Parameter commits: false to drop the exchange.
    func encrypt(
        _ messages: [String], with other: Keyring? = nil, commits: Bool = true
    ) throws -> Sent {
        try encrypt(frames: try messages.map(frame), with: other, commits: commits)
    }

    func encrypt(
        frames: [[UInt8]], with other: Keyring? = nil, commits: Bool = true
    ) throws -> Sent {
        let keyring = try other ?? keyring ?? open()
        let contact = try contact(in: keyring).id
        let sent = Sent()
        var sending = try Sending(with: keyring)
        for frame in frames {
            var ciphertext = frame
            var span = ciphertext.mutableSpan
            let outcome = try sending.encrypt(
                &span, for: contact, writingReceipt: Self.putReceipt)
            guard case .done(_, nil, let position?) = outcome else {
                // The next key does not belong to the message.
                #expect(ciphertext.prefix(150) == frame.prefix(150))
                break
            }
            sent.ciphertexts.append(ciphertext)
            sent.positions.append(position)
        }
        guard commits else { return sent }
        try sending.commit()
        sent.sending = consume sending
        return sent
    }

    /// Puts a receipt into a frame, like smsenc-pad.
    private static func putReceipt(
        into frame: inout MutableSpan<UInt8>, _ receipt: (Int) -> Receipt?
    ) {
        _ = Frame.putReceipt(into: &frame) { (room, symbols) in
            guard let receipt = receipt(room) else { return false }
            receipt.encode(into: &symbols)
            return true
        }
    }

    /// Encrypts a receipt alone, if one is due.
    func encryptReceipt(with other: Keyring? = nil) throws -> Sent {
        let keyring = try other ?? keyring ?? open()
        let contact = try contact(in: keyring).id
        let sent = Sent()
        var sending = try Sending(with: keyring)
        var ciphertext = [UInt8](repeating: 0, count: Frame.length)
        var span = ciphertext.mutableSpan
        let outcome = try sending.encrypt(
            &span, for: contact, onlyIfReceiptIsDue: true
        ) { (frame, receipt) in
            guard let receipt = receipt(Frame.longestReceipt) else { return }
            var symbols: [UInt8] = []
            symbols.append(atMost: Frame.longestReceipt) { receipt.encode(into: &$0) }
            let alone = [UInt8](atMost: Frame.length) {
                Frame.append(onlyReceipt: symbols.span, to: &$0)
            }
            for index in alone.indices { frame[index] = alone[index] }
        }
        if case .done(_, nil, let position?) = outcome {
            sent.ciphertexts.append(ciphertext)
            sent.positions.append(position)
        }
        try sending.commit()
        sent.sending = consume sending
        return sent
    }

    /// Returns what is known about a message that was sent.
    func fate(of position: Position) throws -> SentState {
        let keyring = try keyring ?? open()
        let name = contactName
        return try keyring.reading { (store) throws(KeyringError) in
            var query = try SentQuery(store)
            return try query.state(of: position, to: name)
        }
    }

    func fates(of sent: Sent) throws -> [SentState] { try sent.positions.map { try fate(of: $0) } }

    /// Sends receipts to the contact from now on.
    func turnReceiptsOn() throws {
        let keyring = try keyring ?? open()
        try keyring.setReceipts(of: try contact(in: keyring), true)
    }

    /// Returns the names of the files in the folder of rollback notes.
    func stateFiles() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: places.state).sorted()) ?? []
    }

    /// The path of the rollback note, or nil if there is none.
    func notePath() throws -> String? { stateFiles().first.map { places.state + "/" + $0 } }

    /// Returns the commit count in the rollback note.
    func note() throws -> Int {
        let folder = URL(fileURLWithPath: places.state)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let texts = try names.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        return texts.compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.max()
            ?? 0
    }

    func send(_ messages: String...) throws -> [[UInt8]] { try encrypt(messages).ciphertexts }

    /// Decrypts messages in one exchange. Erases the keys of all messages, or of the first `written`
    /// messages.
    func receive(
        _ ciphertexts: [[UInt8]], written: Int? = nil, with other: Keyring? = nil
    ) throws -> [Read] {
        try decrypt(ciphertexts, written: written, with: other).map(Self.read)
    }

    /// Decrypts messages in the same way as `receive`.
    func decrypt(
        _ ciphertexts: [[UInt8]], written: Int? = nil, with other: Keyring? = nil
    ) throws -> [(outcome: ExchangeResult, frame: [UInt8])] {
        let keyring = try other ?? keyring ?? open()
        let contact = try contact(in: keyring).id
        var read: [(outcome: ExchangeResult, frame: [UInt8])] = []
        var receiving = try Receiving(with: keyring)
        for ciphertext in ciphertexts {
            var frame = ciphertext
            var span = frame.mutableSpan
            let outcome = try receiving.decrypt(
                &span, of: contact, reading: FrameContent.init(takingReceiptFrom:))
            read.append((outcome, frame))
        }
        try receiving.commit()
        try receiving.finish(written: written)
        return read
    }

    /// Returns the person's current sync key, or a new one.
    func syncKey(renew: Bool = false) throws -> String {
        let keyring = try open()
        let key = try keyring.resynchronise(try contact(in: keyring), renew: renew)
        return text(of: key)
    }

    /// Synchronises with the contact's key, which takes the time and memory of scrypt.
    ///
    /// - Parameter meanwhile: called while scrypt runs.
    @discardableResult
    func synchronise(
        with key: String, meanwhile: () throws -> Void = {}
    ) throws -> VerificationCodes {
        let keyring = try keyring ?? open()
        let theirs = try SyncKey(reading: Array(key.utf8).span)
        let pending = try keyring.prepare(try contact(in: keyring), with: theirs)
        let agreement = try Agreement(pending.exchange)
        try meanwhile()
        return try keyring.synchronise(pending, agreement)
    }

    /// Changes the process to which the records of running processes belong. Returns the number of processes
    /// with messages that were not written.
    @discardableResult
    func mark(as process: String) throws -> Int {
        let keyring = try open()
        var count = 0
        try keyring.change(.cleanup) { (store) throws(KeyringError) in
            for id in store.ids(of: .run) {
                guard id % 2 == 0 else {
                    count += try Self.unwritten(id, store) > 0 ? 1 : 0
                    continue
                }
                let name = RecordName(.run, id)
                if try Self.isFree(id, store) { continue }
                let rest = try store.read(name, under: store.keyring.masterKeys.sealingKey) {
                    (record) throws(InvalidRecord) in
                    try record.skip(Int(try record.integer() as UInt16))
                    return try record.bytes(record.remaining)
                }
                let owner = Array(process.utf8)
                let record = Array(bigEndian: UInt16(owner.count)) + owner + (rest ?? [])
                try store.save(name, under: store.keyring.masterKeys.sealingKey) { (writer) in
                    writer.put(record.span)
                }
            }
        }
        close()
        return count
    }

    func state() throws -> ContactState {
        let keyring = try keyring ?? open()
        return try keyring.state(of: try contact(in: keyring))
    }

    /// Returns the past of the conversation with the contact.
    func past() throws -> ConversationPast {
        let keyring = try keyring ?? open()
        let state = try state()
        return try keyring.reading { (store) throws(KeyringError) in
            try store.contacts.past(of: state)
        }
    }

    /// Returns the number of message keys that were used of the chain for sending.
    func keysUsed() throws -> Int {
        try Int(state().conversation?.sending.chain.next ?? 0)
    }

    /// Returns the number of records of a kind.
    func count(_ kind: RecordKind) throws -> Int {
        let keyring = try keyring ?? open()
        return try keyring.reading { (store) in store.ids(of: kind).count }
    }

    /// Returns the number of records of processes that are not free for the next process.
    func busyRecords() throws -> Int {
        let keyring = try keyring ?? open()
        return try keyring.reading { (store) throws(KeyringError) in
            var count = 0
            for id in store.ids(of: .run) {
                let isBusy =
                    id % 2 == 0
                    ? try !Self.isFree(id, store) : try Self.unwritten(id, store) > 0
                if isBusy { count += 1 }
            }
            return count
        }
    }

    private static func isFree(_ id: Int64, _ store: KeyringStore) throws(KeyringError) -> Bool {
        try store.read(RecordName(.run, id), under: store.keyring.masterKeys.sealingKey) {
            (record) throws(InvalidRecord) in try record.integer() as UInt16 == 0
        } ?? true
    }

    private static func unwritten(
        _ id: Int64, _ store: KeyringStore
    ) throws(KeyringError) -> Int {
        try store.read(RecordName(.run, id), under: store.keyring.ring.sealingKey) {
            (record) throws(InvalidRecord) in try RunContents(from: &record).places.count
        } ?? 0
    }

    /// True if `check` finds no fault.
    func isSound() throws -> Bool {
        var isSound = true
        _ = try open().check { _ in isSound = false }
        return isSound
    }
}

extension FrameContent {
    /// Takes the receipt out of a decrypted frame, like smsenc-pad.
    init(takingReceiptFrom frame: inout MutableSpan<UInt8>) {
        guard !Frame.isFromNewerVersion(frame.span) else {
            self.init(isFromNewerVersion: true)
            return
        }
        var rest = Frame.Remainder.unchangedFrame
        let symbols = [UInt8](atMost: Frame.longestReceipt) {
            rest = Frame.takeReceipt(from: &frame, into: &$0)
        }
        self.init(
            hasText: rest != .nothing,
            receipt: rest == .unchangedFrame ? nil : Receipt(decoding: symbols.span))
    }
}

/// The result of decrypting a ciphertext.
enum Read: Equatable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    case message(String)
    case late(String)
    case again(String)
    case reread(String)
    /// Only a newer version can read the message.
    case newer
    /// The message contained only a receipt.
    case receipt
    case refused

    init(stringLiteral text: String) { self = .message(text) }
}

extension Person {
    func frame(_ message: String) throws -> [UInt8] {
        try [UInt8](atMost: Frame.length) { (frame: inout OutputSpan<UInt8>) in
            try Frame.encode(
                Array(message.utf8).span, newline: .lineFeed, into: &frame)
        }
    }

    static func read(_ outcome: ExchangeResult, _ frame: [UInt8]) -> Read {
        if case .newerVersion = outcome { return .newer }
        guard case .done(_, let info?, _?) = outcome else { return .refused }
        guard info.hasText else { return .receipt }
        let text = try? [UInt8](atMost: Frame.longestMessage) {
            (text: inout OutputSpan<UInt8>) in
            try Frame.decode(frame.span, newline: .lineFeed, into: &text)
        }
        let message = String(decoding: text ?? [], as: UTF8.self)
        return switch info.arrival {
        case .inOrder: .message(message)
        case .late: .late(message)
        case .again: .again(message)
        case .reread: .reread(message)
        }
    }
}

func hex(_ secret: borrowing SecretBytes) -> String {
    bytes(of: secret).map { String(format: "%02x", $0) }.joined()
}

/// Runs an SQL statement on the file of a keyring, like an attacker who has no key.
func alter(_ person: Person, _ sql: String) throws {
    person.close()
    let database = try Database(path: person.path)
    try database.execute(sql)
    try database.close()
}

/// Checks that `body` throws the error for a damaged keyring.
func expectDamage(_ body: () throws -> Void) {
    #expect {
        try body()
    } throws: { error in
        if case .store(.damaged)? = error as? KeyringError { true } else { false }
    }
}
