import UserInterface
import Foundation
import Keyring

/// Actions on a computer or on whole files.
extension World {
    func handle(_ action: Action, of who: Persona) throws {
        let (person, machine) = (who.person, machines[who.person])
        switch action {
        case .reopen:
            try machine.close()
            try open(person)
            try listAgrees(who)
        case .restart:
            try machine.close()
            machine.restart()
            try open(person)
        case .export:
            try open(person)
            state.people[person].backup = WorldState.Backup(
                lines: try machine.export(), keyring: state.people[person].keyring,
                password: machine.password, fileKeys: try fileKeys(of: person))
        case .copyFile:
            // Opening the keyring first recovers the data that a killed run left in the log
            // (smsenc-keyring(5)).
            try open(person)
            let commits = try machine.commits()
            state.people[person].copy = WorldState.FileCopy(
                file: Array(try machine.keyringFile()), keyring: state.people[person].keyring,
                commits: commits, password: machine.password, machine: machine.moves)
        case .putBack: try putBack(person)
        case .move:
            try open(person)
            try machine.move()
            try open(person)
            try refusesUse(person, .copy(.moved))
            try machine.keyring().adoptMoved(isComplete: true)
        case .loseMachine: try loseMachine(person)
        case .adoptRestored:
            try open(person)
            try machine.keyring().adoptRestored()
            state.people[person].keyring.forgetAll()
        case .renewIdentity: try renewIdentity(who)
        case .passwd:
            try open(person)
            try machine.changePassword()
        default: preconditionFailure("not of a machine")
        }
    }

    /// Opens the keyring if it is not open.
    func open(_ person: Int) throws {
        if !machines[person].isOpen { _ = try machines[person].keyring() }
    }

    func keyring(of who: Persona) throws -> Keyring {
        try open(who.person)
        return try machines[who.person].keyring(actingAs: who.identity)
    }

    /// Replaces the keyring with an older copy. The owner of the keyring runs `adopt --restored` when the
    /// tools ask for it.
    private func putBack(_ person: Int) throws {
        let machine = machines[person]
        try open(person)
        guard let copy = state.people[person].copy, try copy.commits < machine.commits() else {
            return
        }
        try machine.putBack(Data(copy.file), password: copy.password)
        machine.restart()
        // A copy that was made on another computer is reported as moved.
        try refusesUse(person, .copy(copy.machine == machine.moves ? .behind : .moved))
        try machine.keyring().adoptRestored()
        state.people[person].keyring = copy.keyring
        state.people[person].keyring.forgetAll()
    }

    /// Checks that a copied keyring refuses to encrypt and decrypt, with the expected error.
    private func refusesUse(_ person: Int, _ fault: KeyringError) throws {
        let keyring = try machines[person].keyring()
        guard try Advice.given(by: fault.text) == .adopt else {
            throw Violation(.advice, "nobody knows what to do with a copy: \(fault.text)")
        }
        try expecting(fault, "to encrypt") { _ = try Sending(with: keyring) }
        try expecting(fault, "to decrypt") { _ = try Receiving(with: keyring) }
    }

    /// Replaces the computer with a new computer without files, and imports the backup if there is one.
    private func loseMachine(_ person: Int) throws {
        try machines[person].leave()
        state.people[person].copy = nil
        guard let backup = state.people[person].backup else {
            return try makeKeyring(of: person)
        }
        try machines[person].restore(backup.lines, password: backup.password)
        state.people[person].keyring = backup.keyring.restored()
        guard try fileKeys(of: person) == backup.fileKeys else {
            throw Violation(.holdings, "files that were sealed before the backup do not open")
        }
    }

    /// Returns the keys that decrypt the files of each identity, by public key.
    private func fileKeys(of person: Int) throws -> [String] {
        let keys = try state.people[person].keyring.rings.map { (ring) throws in
            let who = Persona(person: person, identity: ring.identity)
            return try keyring(of: who).fileKey().recipient
        }
        guard Set(keys).count == keys.count else {
            throw Violation(.holdings, "two identities have one file key")
        }
        return keys
    }

    /// Checks that `list` prints all contacts in the order in which they were added.
    private func listAgrees(_ who: Persona) throws {
        var listed: [String] = []
        try keyring(of: who).eachContact { (contact, state) in
            listed.append(
                "\(contact.name) \(contact.number ?? "-") \(state.status) \(state.pending)")
        }
        let contacts = state.people[who.person].keyring.rings[who.identity].contacts
        let due = contacts.map { "\($0.name) \($0.number ?? "-") \($0.state) \($0.pending)" }
        guard listed == due else {
            throw Violation(.counts, "\(who) is listed \(listed), due \(due)")
        }
    }

    /// Removes an identity and adds it again, without contacts.
    private func renewIdentity(_ who: Persona) throws {
        guard who.identity > 0 else { return }
        let keyring = try keyring(of: Persona(person: who.person))
        let name = KeyringModel.name(who.identity)
        try keyring.removeIdentity(name)
        try keyring.addIdentity(name, KeyringModel.kind(who.identity))
        state.people[who.person].keyring.rings[who.identity] = KeyringModel.Ring(
            identity: who.identity, id: try id(ofIdentity: who.identity, of: who.person))
    }
}
