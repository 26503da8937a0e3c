import UserInterface
import Frames
import GSM7
import Keyring
import ToolKit
import Protocol

/// The texts of diagnostics. The texts say why a record is rejected, and what to do about it.
enum DiagnosticText {
    /// Returns the rejection of a payload that is not a frame.
    static func rejection(of fault: FrameFault, like guess: ContentGuess) -> RecordError {
        let recordStatus: RecordStatus =
            switch fault.category {
            case .text: .text
            case .length: .length
            case .frame: .frame
            }
        let remedy =
            switch guess {
            case .nothing: "the record is empty, so remove it"
            case .frame: "use it exactly as smsenc-frame printed it, with all spaces"
            case .ciphertext: "this looks like a ciphertext: decrypt it with -d"
            case .message: "use smsenc-frame first"
            }
        return RecordError(recordStatus, "\(fault.reason); \(remedy)")
    }

    /// Returns the rejection of a text that has `count` characters instead of the 160 of a ciphertext.
    static func rejection(ofLength count: Int, _ text: Span<UInt8>) -> RecordError {
        let characters = count == 1 ? "1 character" : "\(count) characters"
        let remedy = remedy(forLength: count, of: text)
        return RecordError(.length, "the text has \(characters) instead of 160; \(remedy)")
    }

    private static func remedy(forLength count: Int, of text: Span<UInt8>) -> String {
        switch ContentGuess(text) {
        case .nothing: "the record is empty, so remove it"
        case .frame: "this is a frame: convert it with smsenc-frame -d"
        case .ciphertext where count % Ciphertext.length == 0:
            "these look like several SMS: put each on a line of its own"
        case .ciphertext: "it was cut or joined on the way; ask for it again"
        case .message where Offer.isAnnounced(in: text):
            "this is an offer, and anybody can send one: if you are synchronised already, ask them first; otherwise enter it with smsenc-keyring accept"
        case .message where isSyncKey(text):
            "if this is a sync key, enter it with smsenc-keyring sync"
        case .message:
            "this is not a ciphertext, or it was cut: ask for it again, or read it as it is"
        }
    }

    /// Returns the text for a payload that contains other than GSM characters.
    static func line(forCiphertext fault: TextFault) -> String {
        "\(fault.reason); a ciphertext is 160 GSM characters: ask for it again, or read it as it is"
    }

    /// Returns the text for 160 symbols that no key of the contact decrypts.
    static func refusal(_ symbols: Span<UInt8>, of contact: Contact, far: Bool) -> String {
        let name = quoted(contact.name)
        return switch ContentGuess(symbols: symbols) {
        case .message, .frame, .nothing:
            "no key of \(name) matches: this looks like plain text, so read it as it is"
        case .ciphertext where far:
            "cannot decrypt: no key of \(name) matches (the message may be damaged, from someone else, or too old); if you cannot read any message of \(name), both run smsenc-keyring resync"
        case .ciphertext:
            "cannot decrypt: no key of \(name) matches (the message may be damaged, from someone else, or too old); if you cannot read any message of \(name), try --far, then both run smsenc-keyring resync"
        }
    }

    /// Returns the text for a contact that has no key for messages.
    static func line(for contact: Contact, _ summary: ContactSummary) -> String {
        let name = quoted(contact.name)
        let reason =
            switch summary.state {
            case .restored: "\(name) must synchronise again, because the keyring was restored"
            case .lost: "\(name) must synchronise again, because resync --lost erased the old keys"
            default: "\(name) is waiting to be synchronised"
            }
        let remedy =
            switch summary.pending {
            case .offer: "your offer is pending; enter theirs with smsenc-keyring accept"
            case .syncKey: "enter the key that they gave you with smsenc-keyring sync"
            case .nothing: "begin with smsenc-keyring resync, or offer"
            }
        return "\(reason); \(remedy)"
    }

    static func noNumber(_ contact: Contact) -> String {
        "\(quoted(contact.name)) has no number; add it with smsenc-keyring edit --number, or use -N to print the name"
    }

    /// Returns true for a sync key. Requires a digit or a hyphen, because an ordinary word of ten letters may
    /// be a valid sync key.
    private static func isSyncKey(_ text: Span<UInt8>) -> Bool {
        let isMarked = text.indices.contains { index in
            text[index] == UInt8(ascii: "-") || (48...57).contains(text[index])
        }
        return isMarked && (try? SyncKey(reading: text)) != nil
    }
}

/// Notes about messages that were encrypted or decrypted.
extension DiagnosticText {
    static let late = "late: messages that were sent after it arrived first"
    static let again = "decrypted once more: the process that decrypted it first was interrupted"

    static func unverified(_ contact: Contact) -> String {
        "\(quoted(contact.name)) is unverified: somebody in the middle may read everything until you have compared codes; see smsenc-keyring verify"
    }

    static func beginning(_ contact: Contact, others: Int = 0) -> String {
        let name = quoted(contact.name)
        if others == 0 {
            return
                "\(name) is unverified: a key may have been replaced on the way; compare codes, see smsenc-keyring verify"
        }
        let rest = others == 1 ? "1 other" : "\(others) others"
        return
            "\(name) and \(rest) are unverified: keys may have been replaced on the way; compare codes, see smsenc-keyring verify"
    }

    static func oldKeys(_ contact: Contact) -> String {
        let name = quoted(contact.name)
        return
            "messages to \(name) still use the old keys, until you have entered the new key or offer of \(name); if a telephone was lost, run smsenc-keyring resync --lost"
    }

    static func silence(of contact: Contact, _ messages: UInt32) -> String {
        "\(quoted(contact.name)) has not confirmed any of the last \(messages) messages; if 128 messages in a row are lost, they cannot read the next one, so ask for an answer"
    }

    static func lateness(of contact: Contact, _ late: UInt32, of read: UInt32) -> String {
        "\(late) of \(read) messages of \(quoted(contact.name)) arrived late; unless the route explains it, somebody with a copied keyring may be writing too, so both run smsenc-keyring resync"
    }

    static func missing(_ messages: Int, of contact: Contact) -> String {
        let noun = messages == 1 ? "1 message" : "\(messages) messages"
        let verb = messages == 1 ? "has" : "have"
        return "\(quoted(contact.name)): \(noun) before the last one \(verb) not arrived"
    }

    static let readBefore =
        "you have read this message already; to see it again in the session in which you read it, add --reread"
    static let new =
        "this message may be new, because its key has not been used up; decrypt it without --reread"

    static func readElsewhere(_ contact: Contact) -> String {
        "you have read this message already, but this session cannot show it again; it shows only messages read since it first read from \(quoted(contact.name))"
    }

    static func notDropped(_ error: KeyringError) -> String {
        "the messages were printed, but the keyring could not record it, so they can be decrypted once more: \(error.text)"
    }

    static func notNoted(_ error: KeyringError) -> String {
        "the messages were printed, but the keyring could not record that they were: \(error.text)"
    }

    static func notTakenBack(_ error: KeyringError) -> String {
        "the keys of messages that were not printed stay used: \(error.text)"
    }
}
