import UserInterface
import Keyring
import ToolKit
import Protocol
import System

/// The reason for refusing a sync key or an offer that the user entered.
enum KeyEntryError: UserFacingError, Equatable {
    case syncKey(SyncKeyFault)
    case offer(OfferFault)
    /// The user entered an offer instead of a sync key.
    case isOffer
    /// The user entered a sync key instead of an offer.
    case isSyncKey

    static func syncKey(in text: Span<UInt8>) throws(ExitError) -> SyncKey {
        do throws(SyncKeyFault) {
            return try SyncKey(reading: text)
        } catch {
            throw (Offer.isAnnounced(in: text) ? KeyEntryError.isOffer : .syncKey(error)).exitError
        }
    }

    static func offers(in text: String) throws(ExitError) -> [Offer] {
        do throws(OfferFault) {
            return try Offer.all(in: text)
        } catch {
            let isKey = error == .missing && (try? SyncKey(reading: text.utf8.span)) != nil
            throw (isKey ? KeyEntryError.isSyncKey : .offer(error)).exitError
        }
    }

    var recordStatus: RecordStatus {
        switch self {
        case .syncKey(.length), .offer(.length): .length
        default: .text
        }
    }

    var text: String {
        switch self {
        case .isOffer: "this is an offer, not a sync key; enter it with smsenc-keyring accept"
        case .syncKey(.length(0)): "no sync key was entered; a sync key has 10 characters"
        case .syncKey(.length(let count)):
            "a sync key has 10 characters, not \(count); check the key, and enter it again"
        case .syncKey(.character(let place)):
            "the sync key contains an invalid character at position \(place); check the key, and enter it again"
        case .syncKey(.check):
            "the sync key contains a mistake; compare each character with the key that you received"
        case .isSyncKey: "this is a sync key, not an offer; enter it with smsenc-keyring sync"
        case .offer(.missing): "no offer was found in the text; an offer begins with smsenc1-"
        case .offer(.length(let count)) where count > 56:
            "the offer has more than 56 characters after smsenc1; insert a space where the offer ends"
        case .offer(.length(let count)):
            "the offer has only \(count) of the 56 characters after smsenc1; ask the contact to send it again"
        case .offer(.character):
            "the offer contains an invalid character; ask the contact to send it again"
        case .offer(.check):
            "the offer was mistyped or changed in transit; check it, or ask the contact to send it again"
        }
    }
}

/// The reason for refusing a verification code that the user entered.
enum CodeEntryError: UserFacingError, Equatable {
    /// The contact is not synchronised, and therefore has no verification code.
    case notInStep(Contact, ContactState.Method)
    /// The verification code has the wrong number of digits.
    case length(Int, expected: Int)
    /// The verification code contains characters other than digits.
    case noCode(expected: Int)
    /// The user entered their own code instead of the contact's code.
    case own(Contact)
    case wrong(Contact, VerificationCodes.Kind)
    /// The code is correct, but the contact has not compared the user's code.
    case oneCode(Contact, yours: String)
    /// A row of the table of codes has a third field other than `both`. The associated value is the third
    /// field.
    case noBoth(String)

    var recordStatus: RecordStatus {
        switch self {
        case .notInStep: .state
        case .length: .length
        case .noCode, .noBoth: .text
        case .oneCode: .state
        case .own, .wrong: .refused
        }
    }

    var text: String {
        switch self {
        case .notInStep(let contact, .offer):
            "\(quoted(contact.name)) is not synchronised yet; enter the offer of \(quoted(contact.name)) with smsenc-keyring accept \(shellWord(contact.name))"
        case .notInStep(let contact, .syncKey):
            "\(quoted(contact.name)) is not synchronised yet; enter the sync key of \(quoted(contact.name)) with smsenc-keyring sync \(shellWord(contact.name))"
        case .notInStep(let contact, .nothing):
            "\(quoted(contact.name)) is not synchronised yet; begin with smsenc-keyring resync \(shellWord(contact.name)) or smsenc-keyring offer \(shellWord(contact.name))"
        case .length(let count, let expected):
            "the code of this contact has \(expected) digits, not \(count); check the code, and enter it again"
        case .noCode(let expected):
            "the code contains a character that is not a digit; enter the \(expected) digits again"
        case .own(let contact):
            "this is your own code; enter the code that \(quoted(contact.name)) reads out"
        case .wrong(let contact, .keys):
            "wrong code for \(quoted(contact.name)); ask \(quoted(contact.name)) to read it out again; if it is still wrong, synchronise again with smsenc-keyring resync \(shellWord(contact.name))"
        case .wrong(let contact, .offers):
            "wrong code for \(quoted(contact.name)), so an attacker may be able to read all messages; write nothing private, and exchange new offers through another channel"
        case .oneCode(let contact, let yours):
            "the code is correct, but \(quoted(contact.name)) must also compare your code \(yours); after that, enter the code of \(quoted(contact.name)) again with --both"
        case .noBoth(let word):
            "the third column contains \(quoted(word)) but must contain \"both\"; correct the column, or leave it out"
        }
    }
}

/// The texts of diagnostics that are not errors.
enum DiagnosticText {
    static let nothingChanged = "not confirmed; nothing was changed"
    static let nothingDeleted = "not confirmed; nothing was deleted"
    static let nothingShown = "not confirmed; the key was not shown"
    static let noSession = "no session is open in this shell, because SMSENC_SESSION is not set"
    static func exportNotRecorded(_ error: KeyringError) -> String {
        "the backup is complete, but its time could not be recorded in the keyring: \(error.text)"
    }
    static func notReplaced(_ path: String) -> String {
        "\(quoted(path)) already exists and is not a backup; choose another name"
    }
    static let sessionGone = "the session had already ended"

    /// Returns the diagnostic for a command that has changed a contact, but could not write its output.
    static func notPrinted(_ fault: IOError, again command: String) -> String {
        "the keyring was changed, but the result could not be printed (\(fault.text)); print the result with smsenc-keyring \(command)"
    }

    static func notRemoved(_ contact: Contact) -> String {
        "not confirmed; \(quoted(contact.name)) was not removed"
    }

    static func unseen(_ count: Int) -> String {
        if count == 1 {
            return
                "1 contact was not checked, because it belongs to a transient identity of another session; run smsenc-keyring check in that session too"
        }
        return
            "\(count) contacts were not checked, because they belong to transient identities of other sessions; run smsenc-keyring check in those sessions too"
    }

    /// Returns the diagnostic about messages that can no longer be decrypted. Returns nil if the contact
    /// had no conversation before.
    static func loss(of contact: Contact, in state: ContactState.Status) -> String? {
        guard [.unverified, .changed, .verified].contains(state) else { return nil }
        let name = quoted(contact.name)
        let codes =
            state == .verified ? ", and \(name) is no longer verified; compare codes again" : ""
        return "SMS that \(name) encrypted with the old keys can no longer be decrypted\(codes)"
    }

    /// - Parameter isAlone: true to print the offer on a line of its own, from which it can be copied.
    static func send(_ offer: Offer, to contact: Contact, isAlone: Bool) -> String {
        "send this offer to \(quoted(contact.name)), who needs it to read your messages:\(isAlone ? "\n" : " ")\(offer.text)"
    }

    static func duration(_ duration: String, rows: Int64, cores: Int) -> String {
        let cores = cores == 1 ? "1 core" : "\(cores) cores"
        return
            "synchronising \(rows) rows takes about \(duration) on \(cores); you can interrupt the command and run it again"
    }
}

/// Messages about the current state and the user's next step, which are printed only at a terminal.
extension DiagnosticText {
    static let made =
        "the keyring was created; open it with smsenc-open, then add a contact with smsenc-keyring add NAME"
    static func noteIsVolatile(_ folder: String) -> String {
        "the rollback note of the keyring is in \(quoted(folder)), which is emptied when the computer restarts; set XDG_STATE_HOME permanently to a folder on a disk, and run 'smsenc-keyring adopt --moved' once"
    }

    static let heading =
        "this looks like a heading; remove it, because every line of the table must contain a contact"

    static func edited(_ contact: Contact) -> String {
        let name = quoted(contact.name)
        guard let number = contact.number else {
            return "\(name) was changed; this contact has no number"
        }
        return "\(name) was changed; the number of this contact is \(number)"
    }

    static func removed(_ contact: Contact) -> String { "\(quoted(contact.name)) was removed" }
    static let passwordChanged = "the password was changed, and all other sessions were terminated"
    /// - Parameter box: the folder that contains the messages that were read, or nil if there is no such folder.
    static func destroyed(_ path: String, exceptFor box: String?) -> String {
        guard let box else { return "\(quoted(path)) was deleted" }
        return
            "\(quoted(path)) was deleted, but its messages remain in the folder \(quoted(box)), so delete this folder, too"
    }
    static let exported =
        "the backup is complete; it contains contacts, settings and file keys, but no conversation keys"

    static func imported(_ contacts: Int64, of user: String) -> String {
        let contacts = contacts == 1 ? "1 contact" : "\(contacts) contacts"
        return
            "imported \(contacts) of \(quoted(user)); open the keyring with smsenc-open, and synchronise again with each contact that smsenc-keyring list --state restored prints"
    }

    static let sound = "no errors were found in the keyring"
    static func moved(_ path: String) -> String {
        "the keyring was moved to \(quoted(path)); before you use it there, run 'smsenc-keyring adopt --moved'"
    }
    static let adopted = "the keyring can now be used on this machine"
    static let adoptedRestored =
        "the keyring can now be used on this machine; synchronise again with each contact that smsenc-keyring list --state restored prints"

    static func settingChanged(_ name: String) -> String { "the setting \(name) was changed" }
    static func identityAdded(_ name: String) -> String {
        "the identity \(quoted(name)) was added; use it with -i \(shellWord(name))"
    }

    static func identityRenamed(_ name: String) -> String {
        "the identity is now named \(quoted(name))"
    }

    static func identityRemoved(_ name: String) -> String {
        "the identity \(quoted(name)) was removed"
    }

    static func cancelled(_ contact: Contact) -> String {
        "the pending sync key or offer for \(quoted(contact.name)) was withdrawn"
    }

    static let noContacts = "there are no contacts; add one with smsenc-keyring add NAME"
    static let noneListed = "no contact matches the given options"

    static let notOpen =
        "the keyring is not open in this shell yet; run smsenc-open instead, or open it with eval \"$(smsenc-keyring unlock)\""
    static let notOpenInFish =
        "the keyring is not open in this shell yet; open it with smsenc-keyring unlock --fish | source"

    static func keyMade(for contact: String) -> String {
        "give this sync key to \(quoted(contact)) in person, never by SMS or telephone; then enter the contact's sync key with smsenc-keyring sync \(shellWord(contact)); if you cannot meet, use smsenc-keyring offer \(shellWord(contact)) instead"
    }

    static func offerMade(for contact: String) -> String {
        "send this offer to \(quoted(contact)) by SMS without changing it; then enter the contact's offer with smsenc-keyring accept \(shellWord(contact))"
    }

    /// Returns the note about a number that has 7 or more digits, but no calling code. The calling code of
    /// the number is missing because no country is set in the keyring.
    static func national(_ number: String) -> String {
        "the number \(number) has no calling code, so SMS from it are not recognised; set a calling code for all numbers with smsenc-keyring set country CODE"
    }

    /// Returns the note about a number that does not match the numbering plan of the country.
    static func unknownNational(_ number: String, of name: String) -> String {
        "the number \(number) has no calling code, so SMS from it are not recognised; enter the number with + and the calling code: smsenc-keyring edit \(shellWord(name)) --number NUMBER"
    }

    static func nationalLeft(_ count: Int) -> String {
        let numbers = count == 1 ? "1 number still has" : "\(count) numbers still have"
        return
            "\(numbers) no calling code; find the contact with smsenc-keyring list, and add + and the calling code with smsenc-keyring edit NAME --number NUMBER"
    }

    static func inStep(_ contact: Contact, by kind: VerificationCodes.Kind) -> String {
        let name = quoted(contact.name)
        let both = kind == .offers ? "; \(name) must also enter your code" : ""
        return
            "\(name) is synchronised, but not verified yet; read out your code to \(name), and enter the code of \(name) with smsenc-keyring verify \(shellWord(contact.name)) CODE\(both)"
    }

    static func verified(_ contact: Contact) -> String {
        "\(quoted(contact.name)) is verified; to write a message, run smsenc-compose \(shellWord(contact.name))"
    }
}
