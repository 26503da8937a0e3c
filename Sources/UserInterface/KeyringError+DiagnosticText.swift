package import Keyring
package import ToolKit
internal import Crypto
package import System

/// Calls `body`, and converts a `KeyringError` that `body` throws to an `ExitError`.
package func throwingExitError<Result: ~Copyable>(
    _ body: @autoclosure () throws(KeyringError) -> Result
) throws(ExitError) -> Result {
    do throws(KeyringError) { return try body() } catch { throw error.exitError }
}

/// The exit status, the record status and the diagnostic of each `KeyringError`.
extension KeyringError: UserFacingError {
    package var status: ExitStatus {
        switch self {
        case .file(.missing), .file(.unreadable): .noInput
        case .file(.exists), .file(.cannotMake), .file(.noHomeFolder), .store(.leftOver),
            .session(.cannotMake), .copy(.noNote):
            .cannotCreate
        case .file(.notRegular), .store(.notAKeyring), .store(.otherVersion), .store(.damaged),
            .session(.damaged), .backup(.notABackup), .backup(.damaged):
            .damaged
        case .store(.diskFull), .store(.readOnly), .store(.unreadable), .store(.noLocks),
            .store(.failed), .store(.notClosed), .store(.notErased), .session(.unreadable),
            .session(.cannotWrite),
            .cryptography:
            .inputOutput
        case .store(.busy), .account(.lockedOut): .tryLater
        case .file(.exposed), .file(.symbolicLink), .file(.hardLinked), .store(.openElsewhere),
            .account(.wrongPassword), .session(.ended), .session(.otherKeyring),
            .session(.malformed), .session(.exposed), .session(.needed),
            .copy(.moved), .copy(.arrived), .copy(.leaving), .copy(.inUse), .copy(.incomplete),
            .copy(.machineChanged), .copy(.behind), .copy(.noteMissing),
            .backup(.wrongPassword), .identity(.noSession):
            .noPermission
        case .identity(.unknown), .identity(.taken), .identity(.secondReal),
            .identity(.realStays), .identity(.transientName), .identity(.tooManyTransients),
            .contact, .sync:
            .rejected
        case .output(let fault): fault.status
        }
    }

    package var recordStatus: RecordStatus {
        switch self {
        case .contact(.badName(_, .notUTF8)): .text
        case .contact(.unknown), .contact(.nameTaken), .contact(.badName): .contact
        case .contact(.numberTaken), .contact(.badNumber), .contact(.unclearNumber),
            .contact(.knownAs):
            .number
        case .sync(.noOwnKey), .sync(.nothingOut), .sync(.unasked), .sync(.changed): .state
        case .sync(.ownKeyEntered), .sync(.keyUsed), .sync(.ownOfferEntered), .sync(.offerUsed),
            .sync(.badOffer), .file, .store, .account, .session, .copy, .backup, .identity,
            .cryptography, .output:
            .refused
        }
    }

    package var exitError: ExitError {
        if case .output(let fault) = self { return fault.exitError }
        return ExitError(status, text, recordStatus: recordStatus)
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
            "there is no keyring \(quoted(path)); create one with smsenc-keyring init, restore a backup with smsenc-keyring import, or specify another keyring with -k"
        case .exists(let path):
            "\(quoted(path)) already exists; specify another keyring with -k, or move the existing file"
        case .exposed(let path, .othersCanRead):
            "other users can read \(quoted(path)); run: chmod 600 \(shellWord(path))"
        case .exposed(let path, .othersCanWriteFolder):
            "other users can write to the folder \(quoted(path)); run: chmod go-w \(shellWord(path))"
        case .exposed(let path, .fileSystem):
            "other users can read \(quoted(path)), because its file system stores no permissions; use another file system such as ext4, or mount this file system with umask=077"
        case .exposed(let path, .notOwned):
            "\(quoted(path)) belongs to another user; run the command as that user (without sudo), or take ownership: chown \"$USER\" \(shellWord(path))"
        case .exposed(let path, .foreign):
            "\(quoted(path)) was not created by smsenc; run: rm \(shellWord(path))"
        case .unreadable(let path, let code): "cannot read \(quoted(path)): \(systemText(code))"
        case .cannotMake(let path, let code): "cannot create \(quoted(path)): \(systemText(code))"
        case .notRegular(let path): StoreFault.notAKeyring(path).text
        case .symbolicLink(let path, let target):
            "\(quoted(path)) is a symbolic link, which cannot be used as a keyring; specify the file itself: -k \(shellWord(target))"
        case .hardLinked(let path):
            "\(quoted(path)) has two names (hard links), so message keys could be used twice; find the other name with find -samefile, and remove one of the two names"
        case .noHomeFolder(let variable):
            "neither HOME nor \(variable) is set, so the keyring cannot be found; set one of these variables"
        }
    }
}

extension StoreFault {
    package var text: String {
        switch self {
        case .notAKeyring(let path): "\(quoted(path)) is not a keyring; specify the keyring with -k"
        case .otherVersion(..<3):
            "the keyring was made by a version before the first release; create a new keyring, and synchronise with every contact again"
        case .otherVersion(let version):
            "the keyring has format \(version), which this version of smsenc cannot read; install a newer version"
        case .leftOver(let paths):
            Self.leftOver(paths.map(quoted).joined(separator: " and "), paths.count == 1)
        case .openElsewhere:
            "another process has opened the keyring under another name, so message keys could be used twice; wait until that process ends, and always use the same name"
        case .damaged(let what):
            "the keyring is damaged: \(what); restore a backup, and synchronise with every contact again"
        case .busy: "the keyring is busy; try again later"
        case .diskFull: "the disk with the keyring is full; free some space, and try again"
        case .readOnly(let what):
            "cannot write to the keyring: \(what); check whether the disk, the folder or the file is read-only"
        case .unreadable:
            "cannot read the keyring: the disk reports an error; copy the keyring to another disk, then try again"
        case .noLocks(let code):
            "cannot lock the keyring: \(systemText(code)); move the keyring to a local disk (in WSL, use WSL 2)"
        case .failed(let code, let what):
            "cannot use the keyring: \(what) (SQLite error \(code)); try again, or find the cause with smsenc-keyring check"
        case .notClosed(let what):
            "the write-ahead log of the keyring could not be removed: \(what); no data was lost, and the next command will try to remove the log again"
        case .notErased(let path, let code):
            "\(quoted(path)) was not overwritten: \(systemText(code)); its contents may still be on the disk"
        }
    }

    private static func leftOver(_ paths: String, _ isOne: Bool) -> String {
        let (verb, object) = isOne ? ("was", "it") : ("were", "them")
        return
            "\(paths) \(verb) left by another keyring, and would damage a new one; move \(object) to the folder of the other keyring, or delete \(object) if that keyring was deleted"
    }
}

extension AccountFault {
    package var text: String {
        switch self {
        case .wrongPassword(0, let seconds):
            "wrong password; the lockout has begun, so try again in \(seconds) s"
        case .wrongPassword(1, _): "wrong password; 1 attempt left before the lockout"
        case .wrongPassword(let left, _): "wrong password; \(left) attempts left before the lockout"
        case .lockedOut(let seconds):
            "no password is accepted, because too many attempts were wrong or interrupted; try again in \(seconds) s"
        }
    }
}

extension SessionFault {
    package var text: String {
        switch self {
        case .ended where Environment.value("SMSENC_OPEN") != nil:
            "the session has ended; type exit, and then run smsenc-open again"
        case .ended:
            "the session has ended; open a new session with eval \"$(smsenc-keyring unlock)\", or unset SMSENC_SESSION"
        case .otherKeyring:
            "the session belongs to another keyring; open a session for this keyring with eval \"$(smsenc-keyring unlock)\""
        case .malformed:
            "SMSENC_SESSION does not contain a session; open a session with eval \"$(smsenc-keyring unlock)\""
        case .damaged:
            "the session file is damaged; end the session with smsenc-keyring lock, and open a new session with eval \"$(smsenc-keyring unlock)\""
        case .unreadable(let path, let code):
            "cannot read the session file \(quoted(path)): \(systemText(code)); try again, or open a new session with eval \"$(smsenc-keyring unlock)\""
        case .exposed(let path):
            "other users can access the session file \(quoted(path)), so it is not used; remove the file, and open a new session with eval \"$(smsenc-keyring unlock)\""
        case .needed:
            "no session is open in this shell; run the command with --reread in the shell in which you read the message"
        case .cannotMake(let path, let code):
            "cannot create a session in \(quoted(path)): \(systemText(code))"
        case .cannotWrite(let path, let code):
            "cannot write the session file \(quoted(path)): \(systemText(code)); the session was not changed"
        }
    }
}

extension CopyFault {
    package var text: String {
        switch self {
        case .moved:
            "the keyring was copied or moved here; if you moved it after its last use, run 'smsenc-keyring adopt --moved'; otherwise, or if you are not sure, run 'smsenc-keyring adopt --restored'"
        case .arrived: "the keyring was moved here; to use it, run 'smsenc-keyring adopt --moved'"
        case .leaving(let path):
            "the keyring is being moved to \(quoted(path)); to finish the move, run 'smsenc-keyring move \(path)' again"
        case .inUse:
            "another process uses the keyring; wait until it ends, and then repeat the command"
        case .incomplete:
            "the keyring is a copy of another file, so it may be incomplete; run 'smsenc-keyring adopt --restored', or read in smsenc-keyring(1) when --complete is safe"
        case .machineChanged:
            "the name or id of this machine has changed; if no other copy of this machine or its disk is in use, run 'smsenc-keyring adopt --moved'; otherwise, or if you are not sure, run 'smsenc-keyring adopt --restored'"
        case .behind:
            "a newer state of this keyring was used here before, so this file was restored from a copy; run 'smsenc-keyring adopt --restored'"
        case .noteMissing(let keyring, let folder):
            "\(quoted(keyring)) has no rollback note in \(quoted(folder)) (see XDG_STATE_HOME); if only the note was deleted, run 'smsenc-keyring adopt --moved'; otherwise, or if you are not sure, run 'smsenc-keyring adopt --restored'"
        case .noNote(let path, let code):
            "cannot write the rollback note in \(quoted(path)): \(systemText(code)); set XDG_STATE_HOME to a writable folder"
        }
    }
}

extension BackupFault {
    package var text: String {
        switch self {
        case .notABackup:
            "the input is not a backup of a keyring; use the output of smsenc-keyring export"
        case .damaged(let line):
            "the backup is damaged or truncated at line \(line), and nothing was imported; use another copy of the backup"
        case .wrongPassword:
            "wrong password; enter the password that the keyring had when the backup was created"
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
        case .secondReal: "a keyring has only one real identity; choose another kind of identity"
        case .realStays:
            "the real identity cannot be removed; to delete the whole keyring, run smsenc-keyring destroy"
        case .transientName:
            "a transient identity cannot be renamed; remove the identity, and add one with the new name"
        case .noSession:
            "a transient identity needs a session; open one with eval \"$(smsenc-keyring unlock)\""
        case .tooManyTransients:
            "a session can have at most 16 transient identities; remove one of them"
        }
    }
}

extension ContactFault {
    package var text: String {
        switch self {
        case .unknown("-"):
            "the sender of this SMS is unknown; decrypt the SMS with smsenc-read and the name of the sender"
        case .unknown(let name):
            "no contact named \(quoted(name)); run smsenc-keyring list to see all names, or add this contact"
        case .nameTaken(let name):
            "a contact named \(quoted(name)) already exists; choose another name; to see the sync key for this contact, run smsenc-keyring resync \(shellWord(name))"
        case .numberTaken(let number, let name):
            "the contact \(quoted(name)) already has the number \(number); leave out the number, or remove that contact"
        case .badName(_, .empty): "the name is empty; specify a name"
        case .badName(_, .reserved):
            "a contact cannot be named -, which stands for stdin; choose another name"
        case .badName(let name, .control):
            "the name \(quoted(name)) contains a control character; remove the character"
        case .badName(let name, .tooLong):
            "the name \(quoted(name)) is too long; shorten the name of a contact to 255 bytes, or the name of an identity to 64 bytes"
        case .badName(let name, .notUTF8):
            "the name \(quoted(name)) is not UTF-8; convert the text to UTF-8, for example with iconv(1)"
        case .badNumber(let number):
            "\(quoted(number)) is not a telephone number; enter + and the calling code, followed by digits"
        case .unclearNumber(let number, let readings) where readings.isEmpty:
            "the number \(quoted(number)) is unclear; enter + and the calling code, followed by digits, without (0)"
        case .unclearNumber(let number, let readings) where readings.count == 1:
            "the number \(quoted(number)) is unclear; if you mean \(readings[0]), enter the number in this form"
        case .unclearNumber(let number, let readings):
            "the number \(quoted(number)) is ambiguous; enter the right one: \(readings.joined(separator: " or "))"
        case .knownAs(_, let identity):
            "the identity \(quoted(identity.name)) already has a contact with this number, so this person already knows you under that identity; to use the number anyway, add --yes"
        }
    }
}

extension SyncFault {
    package var text: String {
        switch self {
        case .noOwnKey(let name):
            "you have no pending sync key for \(quoted(name)); create one with smsenc-keyring resync \(shellWord(name))"
        case .nothingOut(let name):
            "no sync key or offer is pending for \(quoted(name)), so there is nothing to cancel"
        case .ownKeyEntered(let name):
            "this is your own sync key for \(quoted(name)); enter the sync key that \(quoted(name)) gave you"
        case .keyUsed(let name):
            "this sync key was entered before, so \(quoted(name)) may already be synchronised; if not, you and \(quoted(name)) must both run smsenc-keyring resync --new, and enter the new keys"
        case .ownOfferEntered(let name):
            "this is your own offer to \(quoted(name)); enter the offer that \(quoted(name)) sent you"
        case .offerUsed(let name):
            "this offer was entered before, so \(quoted(name)) may already be synchronised; if not, you and \(quoted(name)) must both run smsenc-keyring offer --new, and accept the new offers"
        case .badOffer(let name):
            "this offer contains an invalid key, so it may not be from \(quoted(name)); ask \(quoted(name)) for a new offer"
        case .unasked(let name, .lost):
            "anyone who has the lost phone of \(quoted(name)) can send this offer; if \(quoted(name)) has another phone, accept the offer with --yes, and compare both codes by voice before you write anything"
        case .unasked(let name, .restored):
            "you have sent no offer to \(quoted(name)) since the keyring was restored, so this offer may be forged; first send your own offer with smsenc-keyring offer, and compare both codes by voice before you write anything"
        case .unasked(let name, let state):
            "\(quoted(name)) is already synchronised\(state == .verified ? " and verified" : ""), and you have sent no offer, so this offer may be forged; if you accept it with --yes, compare both codes by voice before you write anything"
        case .changed(let name):
            "another command changed \(quoted(name)) at the same time; check the contact with smsenc-keyring show, and try again"
        }
    }
}

extension CryptoError {
    package var text: String {
        switch self {
        case .noMemory:
            "not enough memory for scrypt, which needs 128 MiB; close other programs, and try again"
        case .noRandomness:
            "the system provides no random numbers; check whether a sandbox blocks getrandom(2)"
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
