package import System

/// What went wrong with a keyring: facts, never secrets.
package enum KeyringError: Error, Equatable {
    // The file.
    case missing(String)
    case exists(String)
    /// The file or folder, and who can do what with it.
    case exposed(String, Exposure)
    case unreadable(String, Int32)
    case cannotMake(String, Int32)
    /// It could not be overwritten, but was deleted.
    case notErased(String, Int32)
    case notAKeyring(String)
    case otherVersion(Int)
    /// What is wrong, in words.
    case damaged(String)
    case busy
    case full
    case readOnly(String)
    case storage(Int32, String)
    /// The log could not be written back, for this reason; nothing is lost.
    case notClosed(String)

    // The account.
    case locked
    case wrongPassword(triesLeft: Int, lockSeconds: Int)
    case lockedOut(seconds: Int)
    case cryptography(String)

    // Sessions.
    case session(SessionFault)

    // Copies.
    case moved
    case behind
    case noNote(String, Int32)
    /// Neither this variable nor HOME says where to look.
    case homeless(String)

    // Backups.
    case notABackup
    case damagedBackup(line: Int)
    case wrongBackupPassword

    // Contacts.
    case unknown(String)
    case nameTaken(String)
    case numberTaken(String, String)
    case badName(String, NameFault)
    case badNumber(String)

    // Identities.
    case unknownIdentity(String)
    case identityTaken(String)
    case secondReal
    case realStays
    case transientName
    case noSession
    case tooManyTransients
    /// The number stands in the ring of this identity.
    case knownAs(String, Identity)

    // Synchronising; the contact's name.
    case noOwnKey(String)
    case ownKeyEntered(String)
    case keyUsed(String)
    case ownOfferEntered(String)
    case offerUsed(String)
    /// An offer that no honest tool makes.
    case badOffer(String)
    /// Somebody else has synchronised this contact meanwhile.
    case changed(String)

    package enum NameFault: Equatable, Sendable {
        case empty
        case control
        case reserved
        case tooLong
        case notUTF8
    }

    package enum SessionFault: Equatable, Sendable {
        /// It is not there: ended, or of before a restart.
        case gone
        case expired
        case otherKeyring
        /// What stands in SMSENC_SESSION is no token.
        case malformed
        /// The session's file was altered or cut.
        case damaged
        /// The folder or file belongs to somebody else, or others can reach it.
        case exposed(String)
        case cannotMake(String, Int32)
    }
}

/// Looks at files and folders; what is the matter with one is the matter with the keyring.
func checkingPaths<Result: ~Copyable>(
    _ body: () throws(PathFault) -> Result
) throws(KeyringError) -> Result {
    do throws(PathFault) {
        return try body()
    } catch {
        switch error {
        case .missing(let path): throw .missing(path)
        case .unreadable(let path, let code): throw .unreadable(path, code)
        case .cannotMake(let path, let code): throw .cannotMake(path, code)
        case .exposed(let path, let exposure): throw .exposed(path, exposure)
        case .notRegular(let path): throw .notAKeyring(path)
        }
    }
}
