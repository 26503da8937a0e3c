package import Crypto
package import System

/// The errors of a keyring, grouped by area. An error contains no secret data. The texts of the errors are in
/// UserInterface.
package enum KeyringError: Error, Equatable {
    /// A fault in a file or its folder.
    case file(PathFault)
    case store(StoreFault)
    case account(AccountFault)
    case session(SessionFault)
    case copy(CopyFault)
    case backup(BackupFault)
    case identity(IdentityFault)
    case contact(ContactFault)
    case sync(SyncFault)
    case cryptography(CryptoError)
    /// An error while writing to the output, for example while a backup is exported.
    case output(IOError)
}

/// A fault in the database or its content.
package enum StoreFault: Equatable, Sendable {
    case notAKeyring(String)
    case otherVersion(Int)
    /// SQLite has left files of an earlier keyring at the path of a new keyring.
    case leftOver([String])
    /// Another process has opened the keyring under another name, for example through a second mount.
    case openElsewhere
    /// The content is damaged. The associated text describes the damage.
    case damaged(String)
    case busy
    case diskFull
    case readOnly(String)
    /// A part of the file could not be read from the disk. A read error does not prove that the file is
    /// damaged. The associated value is the errno.
    case unreadable(Int32)
    /// The file cannot be locked. Most likely, the file system does not support locks. The associated
    /// value is the errno.
    case noLocks(Int32)
    /// SQLite's error code and text.
    case failed(Int32, String)
    /// The write-ahead log could not be checkpointed. The associated text contains the reason. No data is
    /// lost.
    case notClosed(String)
    /// The file was deleted, but could not be overwritten. The associated values are the path and the
    /// errno.
    case notErased(String, Int32)
}

package enum AccountFault: Equatable, Sendable {
    case wrongPassword(triesLeft: Int, lockSeconds: Int)
    case lockedOut(seconds: Int)
}

package enum SessionFault: Equatable, Sendable {
    /// The session was ended or has expired, or the machine was restarted.
    case ended
    case otherKeyring
    /// SMSENC_SESSION does not contain a valid token.
    case malformed
    /// The session file exists but cannot be read. The associated values are the path and the errno.
    case unreadable(String, Int32)
    /// The session file was altered or truncated.
    case damaged
    /// The folder or file belongs to another user, or other users have access to it.
    case exposed(String)
    case cannotMake(String, Int32)
    /// The session file could not be changed. The associated values are the path and the errno.
    case cannotWrite(String, Int32)
    /// No session is open, but rereading requires a session.
    case needed
}

/// The reason why a keyring is rejected. The keyring may have been copied, restored or moved.
package enum CopyFault: Equatable, Sendable {
    /// The keyring is bound to another file or machine, so it was copied.
    case moved
    /// The command `move` has moved the keyring here, and the user has not adopted it yet.
    case arrived
    /// The keyring is being moved to the given path.
    case leaving(String)
    /// The keyring cannot be moved, because another process is still encrypting or decrypting messages.
    case inUse
    /// The keyring is a copy, but was not copied by the command `move`.
    case incomplete
    /// The id or the name of the machine has changed. The file and the rollback note still match the keyring.
    case machineChanged
    /// The keyring was restored from an older copy. Its count of commits is lower than the count in the
    /// rollback note.
    case behind
    /// The rollback note in this folder is missing or malformed. The keyring may have been restored.
    case noteMissing(keyring: String, folder: String)
    /// The rollback note cannot be created, opened or written. The associated values are the path and the
    /// errno.
    case noNote(String, Int32)
}

package enum BackupFault: Equatable, Sendable {
    case notABackup
    case damaged(line: Int64)
    case wrongPassword
}

package enum IdentityFault: Equatable, Sendable {
    case unknown(String)
    case taken(String)
    case secondReal
    case realStays
    case transientName
    case noSession
    case tooManyTransients
}

package enum ContactFault: Equatable, Sendable {
    case unknown(String)
    case nameTaken(String)
    case numberTaken(String, String)
    case badName(String, NameFault)
    case badNumber(String)
    /// The phone number is ambiguous or seems to be incomplete. The associated list contains the possible
    /// numbers, in the form in which the user should enter them.
    case unclearNumber(String, [String])
    /// The phone number belongs to a contact of the given identity.
    case knownAs(String, Identity)

    package enum NameFault: Equatable, Sendable {
        case empty
        case control
        case reserved
        case tooLong
        case notUTF8
    }
}

/// The reason why the user cannot synchronise with a contact. Each error contains the contact's name.
package enum SyncFault: Equatable, Sendable {
    case noOwnKey(String)
    /// The user has no pending sync key or offer.
    case nothingOut(String)
    case ownKeyEntered(String)
    case keyUsed(String)
    case ownOfferEntered(String)
    case offerUsed(String)
    /// The offer is invalid. Only a manipulated tool creates an invalid offer.
    case badOffer(String)
    /// The user has or had a conversation with the contact, but has not sent an offer to the contact.
    case unasked(String, ContactState.Status)
    /// Another process has changed or synchronised this contact after this process had read the contact.
    case changed(String)
}

/// Evaluates an expression. If the expression throws an `IOError`, throws the error that `fault` returns
/// for the errno.
func checkingIO<Result: ~Copyable>(
    _ body: @autoclosure () throws(IOError) -> Result, _ fault: (Int32) -> KeyringError
) throws(KeyringError) -> Result {
    do throws(IOError) { return try body() } catch { throw fault(error.code) }
}

/// Evaluates an expression that parses a record. If the expression throws `InvalidRecord`, throws `fault`
/// instead.
func parsing<Result: ~Copyable>(
    _ body: @autoclosure () throws(InvalidRecord) -> Result,
    or fault: KeyringError = .store(.damaged("a record is truncated"))
) throws(KeyringError) -> Result {
    do throws(InvalidRecord) { return try body() } catch { throw fault }
}

/// Evaluates an expression, and converts a `PathFault` to a `KeyringError`.
func checkingPaths<Result: ~Copyable>(
    _ body: @autoclosure () throws(PathFault) -> Result
) throws(KeyringError) -> Result {
    do throws(PathFault) { return try body() } catch { throw .file(error) }
}
