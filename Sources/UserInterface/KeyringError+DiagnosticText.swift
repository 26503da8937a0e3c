package import Keyring
package import ToolKit
internal import Crypto
package import System

/// Evaluates `body`, and converts its `KeyringError` to the error that ends the tool.
package func throwingExitError<Result: ~Copyable>(
    _ body: @autoclosure () throws(KeyringError) -> Result
) throws(ExitError) -> Result {
    do throws(KeyringError) { return try body() } catch { throw error.stop }
}

/// The exit status, the record status and the diagnostic of each `KeyringError`.
extension KeyringError: UserFacingError {
    package var status: ExitStatus {
        switch self {
        case .file(.missing), .file(.unreadable): .noInput
        case .file(.exists), .file(.cannotMake), .file(.noHomeFolder), .session(.cannotMake),
            .copy(.noNote):
            .cannotCreate
        case .file(.notRegular), .store(.notAKeyring), .store(.otherVersion), .store(.damaged),
            .session(.damaged), .backup(.notABackup), .backup(.damaged):
            .damaged
        case .store(.full), .store(.readOnly), .store(.unreadable), .store(.noLocks),
            .store(.failed), .store(.notClosed), .store(.notErased), .session(.unreadable),
            .cryptography:
            .inputOutput
        case .store(.busy), .account(.lockedOut): .tryLater
        case .file(.exposed), .file(.hardLinked), .store(.openElsewhere), .account(.locked),
            .account(.wrongPassword), .session(.gone), .session(.expired), .session(.otherKeyring),
            .session(.malformed), .session(.exposed), .session(.needed), .session(.keepsNothing),
            .copy(.moved), .copy(.behind),
            .copy(.noteMissing), .backup(.wrongPassword), .identity(.noSession):
            .noPermission
        case .identity(.unknown), .identity(.taken), .identity(.secondReal),
            .identity(.realStays), .identity(.transientName), .identity(.tooManyTransients),
            .contact, .sync:
            .rejected
        case .output(let fault): fault.status
        }
    }

    package var fate: RecordStatus {
        switch self {
        case .contact(.badName(_, .notUTF8)): .text
        case .contact(.unknown), .contact(.nameTaken), .contact(.badName): .contact
        case .contact(.numberTaken), .contact(.badNumber), .contact(.knownAs): .number
        case .sync(.noOwnKey), .sync(.nothingOut), .sync(.unasked), .sync(.changed): .state
        case .sync(.ownKeyEntered), .sync(.keyUsed), .sync(.ownOfferEntered), .sync(.offerUsed),
            .sync(.badOffer), .file, .store, .account, .session, .copy, .backup, .identity,
            .cryptography, .output:
            .refused
        }
    }

    package var stop: ExitError {
        if case .output(let fault) = self { return fault.stop }
        return ExitError(status, text, fate: fate)
    }

    package var text: String {
        switch self {
        case .file(let fault): fault.text
        case .store(let fault): fault.text
        case .account(let fault): fault.text
        case .session(let fault): fault.text
        case .copy(let fault): fault.text
        case .backup(let fault): fault.text
        case .identity(let fault): fault.text
        case .contact(let fault): fault.text
        case .sync(let fault): fault.text
        case .cryptography(let fault): fault.text
        case .output(let fault): fault.text
        }
    }
}

extension PathFault {
    package var text: String {
        switch self {
        case .missing(let path):
            "no keyring \(quoted(path)); create one with smsenc-keyring init, restore a backup with smsenc-keyring import, or name another with -k"
        case .exists(let path):
            "\(quoted(path)) already exists; name another keyring with -k, or move that one away"
        case .exposed(let path, .othersCanRead):
            "others can read \(quoted(path)); run: chmod 600 \(shellWord(path))"
        case .exposed(let path, .othersCanWriteFolder):
            "others can write to the folder \(quoted(path)); run: chmod go-w \(shellWord(path))"
        case .exposed(let path, .notOwned):
            "\(quoted(path)) belongs to another user; run: chown \"$USER\" \(shellWord(path))"
        case .exposed(let path, .foreign):
            "\(quoted(path)) was not created by smsenc; run: rm \(shellWord(path))"
        case .unreadable(let path, let code): "cannot read \(quoted(path)): \(systemText(code))"
        case .cannotMake(let path, let code): "cannot make \(quoted(path)): \(systemText(code))"
        case .notRegular(let path): StoreFault.notAKeyring(path).text
        case .hardLinked(let path):
            "\(quoted(path)) has a second name (a hard link), and using both would use keys twice; find it with find -samefile, and remove one of them"
        case .noHomeFolder(let variable):
            "neither HOME nor \(variable) is set; set one of them"
        }
    }
}

extension StoreFault {
    package var text: String {
        switch self {
        case .notAKeyring(let path): "\(quoted(path)) is not a keyring; name the keyring with -k"
        case .otherVersion(let version):
            "the keyring is of version \(version), which this release does not know; use a newer one"
        case .openElsewhere:
            "another process uses the keyring under another name, which would use keys twice; use one name only"
        case .damaged(let what):
            "the keyring is damaged: \(what); restore a backup and synchronise again"
        case .busy: "the keyring is busy; try again later"
        case .full: "the disk with the keyring is full; make room and try again"
        case .readOnly(let what): "cannot write to the keyring: \(what); is its disk read-only?"
        case .unreadable:
            "cannot read the disk; copy the keyring to another disk, then try again"
        case .noLocks(let code):
            "cannot lock the keyring: \(systemText(code)); move it to a file system that has locks, such as one on a local disk"
        case .failed(let code, let what): "the keyring cannot be used: \(what) (SQLite \(code))"
        case .notClosed(let what):
            "the write-ahead log of the keyring could not be removed: \(what); nothing is lost, and the next command tries again"
        case .notErased(let path, let code):
            "\(quoted(path)) was not overwritten: \(systemText(code)); its contents may still be on the disk"
        }
    }
}

extension AccountFault {
    package var text: String {
        switch self {
        case .locked: "the keyring is locked; open a session with eval \"$(smsenc-keyring unlock)\""
        case .wrongPassword(0, let seconds):
            "wrong password; the keyring is locked for \(seconds) s"
        case .wrongPassword(let left, _):
            "wrong password; \(left) \(left == 1 ? "try" : "tries") left"
        case .lockedOut(let seconds):
            "locked after interrupted or wrong passwords; try again in \(seconds) s"
        }
    }
}

extension SessionFault {
    package var text: String {
        switch self {
        case .gone:
            "the session has ended; open another with eval \"$(smsenc-keyring unlock)\", or unset SMSENC_SESSION"
        case .expired:
            "the session has expired; open another with eval \"$(smsenc-keyring unlock)\""
        case .otherKeyring:
            "the session belongs to another keyring; open one for this keyring with eval \"$(smsenc-keyring unlock)\""
        case .malformed:
            "SMSENC_SESSION does not contain a session; open one with eval \"$(smsenc-keyring unlock)\""
        case .damaged:
            "the session's file is damaged; end it with smsenc-keyring lock, and open another with eval \"$(smsenc-keyring unlock)\""
        case .unreadable(let path, let code):
            "cannot read the session's file \(quoted(path)): \(systemText(code)); try again, or open another session with eval \"$(smsenc-keyring unlock)\""
        case .exposed(let path):
            "other users can access \(quoted(path)), so it is not used; remove it"
        case .needed:
            "--reread needs the session in which the message was read, and no session is open here"
        case .keepsNothing:
            "this session was opened for more than 24 hours, so it keeps nothing for --reread"
        case .cannotMake(let path, let code):
            "cannot keep a session in \(quoted(path)): \(systemText(code))"
        }
    }
}

extension CopyFault {
    package var text: String {
        switch self {
        case .moved:
            "the keyring was copied or moved here. Was this file copied back from a backup, is another copy in use, or are you not sure? Then run 'smsenc-keyring adopt --restored'. Only if you moved the file since it was last used, run 'smsenc-keyring adopt --moved'."
        case .behind:
            "the keyring is older than at its last use here, so it was restored; run smsenc-keyring adopt --restored"
        case .noteMissing(let keyring, let folder):
            "\(quoted(keyring)) has no rollback note in \(quoted(folder)) (see XDG_STATE_HOME). Was this file copied back from a backup, or are you not sure? Then run 'smsenc-keyring adopt --restored'. Only if you know that just the note was deleted, run 'smsenc-keyring adopt --moved'."
        case .noNote(let path, let code):
            "cannot keep the count of commits in \(quoted(path)): \(systemText(code)); set XDG_STATE_HOME to a folder that can be written to"
        }
    }
}

extension BackupFault {
    package var text: String {
        switch self {
        case .notABackup: "not a backup of a keyring; smsenc-keyring export makes one"
        case .damaged(let line):
            "the backup is damaged or cut at line \(line); nothing was imported, so use another copy of the backup"
        case .wrongPassword:
            "wrong password; enter the password that the keyring had when the backup was made"
        }
    }
}

extension IdentityFault {
    package var text: String {
        switch self {
        case .unknown(let name):
            "no identity named \(quoted(name)); run smsenc-keyring identity list to see all names"
        case .taken(let name):
            "an identity named \(quoted(name)) already exists; choose another name"
        case .secondReal: "the real identity always exists; choose another kind"
        case .realStays: "the real identity cannot be removed; destroy removes everything"
        case .transientName: "a transient identity cannot be renamed; remove it and add another"
        case .noSession:
            "a transient identity needs a session; open one with eval \"$(smsenc-keyring unlock)\""
        case .tooManyTransients: "a session holds 16 transient identities at most; remove one"
        }
    }
}

extension ContactFault {
    package var text: String {
        switch self {
        case .unknown(let name):
            "no contact named \(quoted(name)); run smsenc-keyring list to see all names, or add this one"
        case .nameTaken(let name):
            "a contact named \(quoted(name)) already exists; choose another name"
        case .numberTaken(let number, let name):
            "the contact \(quoted(name)) already has the number \(number); leave the number out, or remove that contact"
        case .badName(_, .empty): "the name is empty; give one"
        case .badName(_, .reserved): "a contact cannot be named -, which stands for stdin"
        case .badName(let name, .control):
            "the name \(quoted(name)) has a control character; remove it"
        case .badName(let name, .tooLong):
            "the name \(quoted(name)) is too long; a contact's takes 255 bytes at most, an identity's 64"
        case .badName(let name, .notUTF8): "the name \(quoted(name)) cannot be read as text"
        case .badNumber(let number):
            "\(quoted(number)) is not a telephone number; use digits, with + and the country code"
        case .knownAs(_, let identity):
            "the identity \(quoted(identity.name)) already has this number, so this person knows you under another name; use --yes to add it anyway"
        }
    }
}

extension SyncFault {
    package var text: String {
        switch self {
        case .noOwnKey(let name):
            "you have no pending sync key for \(quoted(name)); make one with smsenc-keyring resync"
        case .nothingOut(let name):
            "nothing is pending for \(quoted(name)), so there is nothing to cancel"
        case .ownKeyEntered(let name):
            "that is your own key for \(quoted(name)); enter the one that the contact gave you"
        case .keyUsed(let name):
            "this key was entered before; \(quoted(name)) may be synchronised already; if not, both of you make a new key with smsenc-keyring resync --new, and enter the other's"
        case .ownOfferEntered(let name):
            "that is your own offer to \(quoted(name)); enter the one that they sent you"
        case .offerUsed(let name):
            "this offer was entered before; \(quoted(name)) may be synchronised already; if not, both of you make a new offer with smsenc-keyring offer --new, and accept the other's"
        case .badOffer(let name):
            "this offer contains an invalid key; ask \(quoted(name)) for another one, and whether they sent this one"
        case .unasked(let name, let isVerified):
            "\(quoted(name)) is synchronised\(isVerified ? " and verified" : ""), and you have sent no offer: anybody can send one, so ask \(quoted(name)) in the present conversation; use --yes to accept it anyway"
        case .changed(let name):
            "\(quoted(name)) was changed by another command in the meantime; see smsenc-keyring show"
        }
    }
}

extension CryptoError {
    package var text: String {
        switch self {
        case .noMemory:
            "not enough memory for scrypt, which needs 128 MiB; close other programs"
        case .noRandomness:
            "the system provides no random numbers; check whether something forbids getrandom"
        }
    }
}

/// Quotes a path for the shell, if it needs quotes.
package func shellWord(_ path: String) -> String {
    let isPlain = path.unicodeScalars.allSatisfy { character in
        switch character {
        case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-": true
        default: false
        }
    }
    if isPlain { return path }
    let pieces = path.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.joined(separator: "'\\''") + "'"
}
