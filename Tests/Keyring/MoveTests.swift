import Foundation
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// Tests moves of a keyring to another file, and moves that are repeated after an interruption.
@Suite(.measured) struct MoveTests {
    private let amina: Person
    private let bela: Person
    private let target: String

    init() throws {
        (amina, bela) = try Person.pair()
        target = try PathChecks.resolved(amina.folder.path + "/moved")
    }

    /// Opens a keyring with the password, because the deletion of the original ends all sessions.
    private func opened(_ path: String) throws -> Keyring {
        let password = secret(TestKeyrings.password)
        return try KeyringFile(path: path, places: amina.places, clocks: amina.clock.clocks())
            .unlock(password: password)
    }

    private func moveUnderWay() throws -> KeyringMove {
        try amina.open().reading { (store) in store.header.move }
    }

    private func setMove(_ number: [UInt8]) throws {
        try amina.open().change(.move) { (store) in
            store.header.moveNumber = number
            store.header.move = .leaving(path: target, isPublished: false)
        }
    }

    /// Returns the names of all files whose names begin with that of a file.
    private func files(_ path: String) throws -> [String] {
        let url = URL(fileURLWithPath: path)
        return try FileManager.default.contentsOfDirectory(
            atPath: url.deletingLastPathComponent().path
        ).filter { $0.hasPrefix(url.lastPathComponent) }
    }

    /// Erases the original, and checks that the keyring can be used at its new place.
    private func expectArrival(at path: String, isAdopted: Bool = false) throws {
        amina.close()
        try KeyringDeletion.destroy(
            at: amina.path, places: amina.places, keepingNote: isAdopted)
        let moved = try opened(path)
        if !isAdopted { try moved.adoptMoved(isComplete: false) }
        #expect(try moved.check { Issue.record("\($0)") } == 0)
        let sent = try amina.encrypt(["Here I am"], with: moved)
        #expect(try bela.receive(sent.ciphertexts) == ["Here I am"])
    }

    @Test func anAccountThatAnotherProcessHasChangedIsMoved() throws {
        let keyring = try amina.open()
        try amina.another().changeSettings(lockout: (tries: 7, seconds: 60))
        #expect(try !keyring.move(to: target))
        try expectArrival(at: target)
        #expect(try opened(target).account.lockTries == 7)
    }

    /// The moments at which a move is interrupted.
    enum Interruption: CaseIterable {
        case beforeDraft, whileDraftIsWritten, beforeSecondCommit, beforeRename, beforeErasing

        var isPublished: Bool { self == .beforeRename || self == .beforeErasing }
    }

    private func interrupt(_ moment: Interruption) throws {
        var number = [UInt8](repeating: 5, count: KeyringHeader.moveNumberSize)
        var draft: String { target + ".new-" + hex(Array(number.prefix(4))) }
        switch moment {
        case .beforeDraft, .whileDraftIsWritten:
            try setMove(number)
            guard moment == .whileDraftIsWritten else { return }
            try Data(repeating: 1, count: 5000).write(to: URL(fileURLWithPath: draft))
        case .beforeSecondCommit, .beforeRename:
            #expect(try !amina.open().move(to: target))
            let header = try amina.open().reading { (store) in store.header }
            #expect(header.move == .leaving(path: target, isPublished: true))
            number = header.moveNumber
            try FileManager.default.moveItem(atPath: target, toPath: draft)
            guard moment == .beforeSecondCommit else { return }
            try setMove(number)
        case .beforeErasing: #expect(try !amina.open().move(to: target))
        }
    }

    @Test(arguments: Interruption.allCases)
    func anInterruptedMoveCanBeRepeated(_ moment: Interruption) throws {
        try interrupt(moment)
        #expect(try !amina.open().move(to: target))
        #expect(try files(target) == ["moved"])
        try expectArrival(at: target)
    }

    /// Two files of the same keyring must not arrive at different places.
    @Test(arguments: Interruption.allCases)
    func anInterruptedMoveGoesElsewhereOnlyIfTheNewFileDoesNotExist(
        _ moment: Interruption
    ) throws {
        try interrupt(moment)
        let other = target.replacingOccurrences(of: "/moved", with: "/other")
        guard moment.isPublished else {
            #expect(try !amina.open().move(to: other))
            #expect(try files(target).isEmpty)
            #expect(try files(other) == ["other"])
            return try expectArrival(at: other)
        }
        let before = try moveUnderWay()
        #expect(throws: KeyringError.copy(.leaving(target))) {
            try amina.open().move(to: other)
        }
        #expect(try files(other).isEmpty)
        #expect(try moveUnderWay() == before)
    }

    /// Somebody may have taken the new file elsewhere.
    @Test func theKeyringIsNotWrittenAgainIfTheNewFileHasDisappeared() throws {
        #expect(try !amina.open().move(to: target))
        try FileManager.default.removeItem(atPath: target)
        #expect(throws: KeyringError.copy(.leaving(target))) {
            try amina.open().move(to: target)
        }
        #expect(try files(target).isEmpty)
    }

    @Test func aMoveCanBeRepeatedAfterTheNewFileWasAdopted() throws {
        #expect(try !amina.open().move(to: target))
        let moved = try opened(target)
        try moved.adoptMoved(isComplete: false)
        #expect(try amina.open().move(to: target))
        try expectArrival(at: target, isAdopted: true)
    }

    /// Files that are in the way of a move.
    enum Obstacle: CaseIterable { case text, keyring }

    @Test(arguments: Obstacle.allCases, [false, true])
    func anotherFileIsNotReplaced(_ obstacle: Obstacle, isRepeated: Bool) throws {
        if isRepeated { try interrupt(.beforeDraft) }
        bela.close()
        let content =
            obstacle == .text
            ? Data("Not a keyring".utf8) : try Data(contentsOf: URL(fileURLWithPath: bela.path))
        try content.write(to: URL(fileURLWithPath: target))
        let before = try moveUnderWay()
        #expect(throws: KeyringError.file(.exists(target))) { try amina.open().move(to: target) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == content)
        #expect(try moveUnderWay() == before)
        #expect(isRepeated || before == .none)
    }

    @Test func aFolderThatOthersCanWriteToIsRefused() throws {
        let folder = target + "-folder"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o770], ofItemAtPath: folder)
        #expect(throws: KeyringError.file(.exposed(folder, .othersCanWriteFolder))) {
            try amina.open().move(to: folder + "/keyring")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(try moveUnderWay() == .none)
        #expect(try bela.receive(try amina.send("Still here")) == ["Still here"])
    }
}
