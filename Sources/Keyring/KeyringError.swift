package import Crypto
package import System

/// What went wrong with a keyring, by area: facts, never secrets. Access has the words.
package enum KeyringError: Error, Equatable {
    /// What is wrong with a file, or its place.
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
    /// What the output refused that something of the keyring was written to.
    case output(IOError)
}

/// What is wrong with the database, or with what is in it.
package enum StoreFault: Equatable, Sendable {
    case notAKeyring(String)
    case otherVersion(Int)
    /// A process has it open under another name: a mount of the file.
    case openElsewhere
    /// What is wrong, in words.
    case damaged(String)
    case busy
    case full
    case readOnly(String)
    /// The disk refused a read (errno), which says nothing of what the file holds.
    case unreadable(Int32)
    /// The file cannot be locked (errno): most likely its file system has no locks.
    case noLocks(Int32)
    /// SQLite's code and words.
    case failed(Int32, String)
    /// The log could not be written back, for this reason; nothing is lost.
    case notClosed(String)
    /// The file could not be overwritten, but was deleted.
    case notErased(String, Int32)
}

package enum AccountFault: Equatable, Sendable {
    case locked
    case wrongPassword(triesLeft: Int, lockSeconds: Int)
    case lockedOut(seconds: Int)
}

package enum SessionFault: Equatable, Sendable {
    /// It is not there: ended, or of before a restart.
    case gone
    case expired
    case otherKeyring
    /// What SMSENC_SESSION holds is no token.
    case malformed
    /// Its file is there, and cannot be read.
    case unreadable(String, Int32)
    /// The session's file was altered or cut.
    case damaged
    /// The folder or file belongs to somebody else, or others can reach it.
    case exposed(String)
    case cannotMake(String, Int32)
    /// Reading again takes a session, and there is none.
    case needed
    /// The session was opened for too long to keep anything for reading again.
    case keepsNothing
}

/// What shows that a keyring was copied or restored, or keeps it from showing.
package enum CopyFault: Equatable, Sendable {
    case moved
    case behind
    /// The rollback note is not in this folder, or is malformed: the keyring may have been restored.
    case noteMissing(keyring: String, folder: String)
    /// The note cannot be made, opened or written.
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
    /// The number is in the ring of this identity.
    case knownAs(String, Identity)

    package enum NameFault: Equatable, Sendable {
        case empty
        case control
        case reserved
        case tooLong
        case notUTF8
    }
}

/// What keeps two from synchronising; the contact's name.
package enum SyncFault: Equatable, Sendable {
    case noOwnKey(String)
    /// Neither a key nor an offer of one's own waits for an answer.
    case nothingOut(String)
    case ownKeyEntered(String)
    case keyUsed(String)
    case ownOfferEntered(String)
    case offerUsed(String)
    /// An offer that no honest tool makes.
    case badOffer(String)
    /// An offer from a contact in step, verified or not, for whom no own offer is out.
    case unasked(String, isVerified: Bool)
    /// Somebody else has synchronised this contact meanwhile.
    case changed(String)
}

/// Looks at files and folders; what is the matter with one is the matter with the keyring.
func checkingPaths<Result: ~Copyable>(
    _ body: @autoclosure () throws(PathFault) -> Result
) throws(KeyringError) -> Result {
    do throws(PathFault) { return try body() } catch { throw .file(error) }
}
