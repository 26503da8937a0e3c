import UserInterface
import Keyring
import ToolKit
import Protocol
import System

/// Why a sync key that was entered is refused.
enum SyncKeyEntryError: UserFacingError, Equatable {
    case fault(SyncKeyFault)
    /// The user entered an offer instead.
    case isOffer

    static func key(in text: Span<UInt8>) throws(ExitError) -> SyncKey {
        do throws(SyncKeyFault) {
            return try SyncKey(reading: text)
        } catch {
            throw (Offer.isAnnounced(in: text) ? SyncKeyEntryError.isOffer : .fault(error))
                .exitError
        }
    }

    var recordStatus: RecordStatus { if case .fault(.length) = self { .length } else { .text } }

    var text: String {
        switch self {
        case .isOffer: "this is an offer, not a sync key; enter it with smsenc-keyring accept"
        case .fault(.length(0)): "no sync key was given; a sync key has 10 characters"
        case .fault(.length(let count)):
            "a sync key has 10 characters, not \(count); read it again"
        case .fault(.character(let place)):
            "character \(place) cannot be part of a sync key; read the key again"
        case .fault(.check): "the sync key contains a mistake; compare it character by character"
        }
    }
}

/// Why an offer that was entered is refused.
enum OfferEntryError: UserFacingError, Equatable {
    case fault(OfferFault)
    /// The user entered a sync key instead.
    case isSyncKey

    static func offer(in text: String) throws(ExitError) -> Offer {
        do throws(OfferFault) {
            return try Offer(in: text)
        } catch {
            let isKey = error == .missing && (try? SyncKey(reading: text.utf8.span)) != nil
            throw (isKey ? OfferEntryError.isSyncKey : .fault(error)).exitError
        }
    }

    var recordStatus: RecordStatus { if case .fault(.length) = self { .length } else { .text } }

    var text: String {
        switch self {
        case .isSyncKey: "this is a sync key, not an offer; enter it with smsenc-keyring sync"
        case .fault(.missing): "no offer found; an offer begins with smsenc1-"
        case .fault(.length(let count)) where count > 56:
            "more than 56 characters follow smsenc1; put a space after the offer"
        case .fault(.length(let count)):
            "the offer has \(count) characters after smsenc1 instead of 56; it was probably cut, so ask for it again"
        case .fault(.character):
            "the offer contains an invalid character; ask for it again"
        case .fault(.check): "the offer was changed on the way, or mistyped; ask for it again"
        }
    }
}

/// Why a verification code that was entered is refused.
enum CodeEntryError: UserFacingError, Equatable {
    /// The contact is not synchronised, so there is no code.
    case notInStep(Contact, ContactState.Method)
    /// The code has the wrong number of digits.
    case length(Int, expected: Int)
    /// The code contains other characters than digits.
    case noCode(expected: Int)
    /// The code is the user's own, which the contact has to enter.
    case own(Contact)
    case wrong(Contact, VerificationCodes.Kind)
    /// The code is right, but the contact has not compared the user's code.
    case oneCode(Contact, yours: String)
    /// The third field of a table's row is this text instead of `both`.
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
            "\(quoted(contact.name)) is not synchronised yet; run smsenc-keyring accept"
        case .notInStep(let contact, .syncKey):
            "\(quoted(contact.name)) is not synchronised yet; run smsenc-keyring sync"
        case .notInStep(let contact, .nothing):
            "\(quoted(contact.name)) is not synchronised yet; begin with smsenc-keyring resync, or offer"
        case .length(let count, let expected):
            "a code of this contact has \(expected) digits, not \(count); read it again"
        case .noCode(let expected):
            "not a code: a code of this contact has \(expected) digits and nothing else; read it again"
        case .own(let contact):
            "this is your own code; enter the one that \(quoted(contact.name)) reads out"
        case .wrong(let contact, .keys):
            "wrong code for \(quoted(contact.name)): let them read it out again; if it stays wrong, a key was mistyped or replaced, so synchronise again with smsenc-keyring resync"
        case .wrong(let contact, .offers):
            "wrong code for \(quoted(contact.name)): somebody may have replaced both offers, and may read everything; write nothing private, and exchange new offers over another route"
        case .oneCode(let contact, let yours):
            "the code is right, but \(quoted(contact.name)) stays unverified until they have compared yours, \(yours), too; then enter theirs again with --both (in a table, write both in the third column)"
        case .noBoth(let word):
            "the third column must be both or missing, not \(quoted(word))"
        }
    }
}

/// Diagnostics that are not errors.
enum DiagnosticText {
    static let nothingChanged = "not confirmed; nothing was changed"
    static let nothingDeleted = "not confirmed; nothing was deleted"
    static let nothingShown = "not confirmed; the key was not shown"
    static let noSession = "no session is open here: SMSENC_SESSION is not set"
    static func exportNotRecorded(_ error: KeyringError) -> String {
        "the backup is complete, but the keyring could not record its time: \(error.text)"
    }
    static let sessionGone = "the session had ended already"

    /// For a command that has changed a contact, but could not write its output.
    static func notPrinted(_ fault: IOError, again command: String) -> String {
        "the keyring was changed, but the result could not be printed; print it with smsenc-keyring \(command) (\(fault.text))"
    }

    static func notRemoved(_ contact: Contact) -> String {
        "not confirmed; \(quoted(contact.name)) was not removed"
    }

    static func unseen(_ count: Int) -> String {
        "\(count) \(count == 1 ? "contact" : "contacts") of a transient identity of another session \(count == 1 ? "was" : "were") not checked; run check in that session too"
    }

    /// Returns the diagnostic about messages that become unreadable, or nil if there was no conversation.
    static func loss(of contact: Contact, in state: ContactState.State) -> String? {
        let name = quoted(contact.name)
        let loss = "\(name): earlier messages that are not decrypted yet become unreadable"
        return switch state {
        case .initial, .waiting, .lost, .restored: nil
        case .unverified: loss
        case .verified: "\(loss), and \(name) is not verified any more; compare codes again"
        }
    }

    static func send(_ offer: Offer, to contact: Contact) -> String {
        "send \(quoted(contact.name)) your offer, which they need to read your messages: \(offer.text)"
    }

    static func duration(_ duration: String, rows: Int64, cores: Int) -> String {
        "synchronising \(rows) rows takes about \(duration) on \(cores) \(cores == 1 ? "core" : "cores"); you can interrupt it and run it again"
    }
}

/// Messages at a terminal about the current state and the next step.
extension DiagnosticText {
    static let made =
        "the keyring was created; open it with smsenc-open, then add a contact with smsenc-keyring add NAME"
    static func noteIsVolatile(_ folder: String) -> String {
        "\(quoted(folder)) is emptied by a restart, but the keyring needs its rollback note there; set XDG_STATE_HOME to a folder on a disk whenever you use the keyring, and run 'smsenc-keyring adopt --moved'"
    }

    static let heading =
        "this looks like a heading line; remove it, because each line of the table is a contact"

    static func edited(_ contact: Contact) -> String {
        "\(quoted(contact.name)) was changed, and has \(contact.number.map { "the number \($0)" } ?? "no number")"
    }

    static func removed(_ contact: Contact) -> String { "\(quoted(contact.name)) was removed" }
    static let passwordChanged = "the password was changed, and all other sessions were ended"
    static func destroyed(_ path: String) -> String { "\(quoted(path)) was deleted" }
    static let exported =
        "the backup is complete; it has contacts, settings and file keys, but no keys of conversations"

    static func imported(_ contacts: Int64, of user: String) -> String {
        "imported \(contacts) \(contacts == 1 ? "contact" : "contacts") of \(quoted(user)); open the keyring with smsenc-open, and synchronise every contact again: smsenc-keyring list --state restored"
    }

    static let sound = "the keyring is sound: no errors were found"
    static let adopted = "the keyring can be used here now"
    static let adoptedRestored =
        "the keyring can be used here after every contact was synchronised again: smsenc-keyring list --state restored"

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
    static let noneListed = "no contact matches the options"

    static let notOpen =
        "the keyring is not open in this shell yet; type eval \"$(smsenc-keyring unlock)\""
    static func notErased(_ error: KeyringError) -> String {
        "the session has ended, but its keys for --reread could not be erased from the keyring, where nobody can decrypt them: \(error.text)"
    }

    static let notOpenInFish =
        "the keyring is not open in this shell yet; type smsenc-keyring unlock --fish | source"

    static func keyMade(for contact: String) -> String {
        "this sync key is for \(quoted(contact)): give it to them in person or by voice, never by SMS; then enter theirs: smsenc-keyring sync \(shellWord(contact))"
    }

    static func offerMade(for contact: String) -> String {
        "this offer is for \(quoted(contact)): send it to them by SMS, unchanged; then enter theirs: smsenc-keyring accept \(shellWord(contact))"
    }

    /// For a national number, which begins with 0 because the keyring has no country.
    static func national(_ number: String) -> String {
        "\(number) has no calling code, but SMS arrive from numbers with one; set it for all numbers with smsenc-keyring set country CODE"
    }

    static func inStep(_ contact: Contact) -> String {
        "\(quoted(contact.name)) is synchronised, but not verified yet; read your code out to them, and enter the one that they read out: smsenc-keyring verify \(shellWord(contact.name)) CODE"
    }

    static func verified(_ contact: Contact) -> String {
        "\(quoted(contact.name)) is verified; to write a message, run smsenc-compose \(shellWord(contact.name))"
    }
}
