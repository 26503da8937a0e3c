import UserInterface
import Frames
import GSM7
import Keyring
import ToolKit
import Protocol

/// The texts of diagnostics. Each text says why a record is rejected, and what the user can do.
enum DiagnosticText {
    /// Returns the error for a payload that is not a frame.
    static func rejection(of fault: FrameFault, like guess: ContentGuess) -> RecordError {
        let recordStatus: RecordStatus =
            switch fault.category {
            case .text: .text
            case .length: .length
            case .frame: .frame
            }
        let remedy =
            switch guess {
            case .frame where fault == .newerVersion:
                "update smsenc, or encrypt the frame with the version of smsenc that created the frame"
            case .frame where fault == .hasReceipt:
                "use the frame exactly as smsenc-frame or smsenc-pad -d printed it"
            case .nothing: "remove the empty record"
            case .frame: "use the frame exactly as smsenc-frame printed it, with all spaces"
            case .ciphertext: "this looks like a ciphertext, so decrypt it with -d"
            case .message: "convert the message to a frame with smsenc-frame first"
            }
        return RecordError(recordStatus, "\(fault.reason); \(remedy)")
    }

    /// Returns the error for a text that has `count` characters instead of the 160 characters of a
    /// ciphertext.
    static func rejection(ofLength count: Int, _ text: Span<UInt8>) -> RecordError {
        let characters = count == 1 ? "1 character" : "\(count) characters"
        let remedy = remedy(forLength: count, of: text)
        return RecordError(.length, "the text has \(characters) instead of 160; \(remedy)")
    }

    private static func remedy(forLength count: Int, of text: Span<UInt8>) -> String {
        switch ContentGuess(text) {
        case .nothing: "remove the empty record"
        case .frame: "this is a frame, so convert it to a message with smsenc-frame -d"
        case .ciphertext where count % Ciphertext.length == 0:
            "the text looks like several SMS, so put each SMS on a separate line"
        case .ciphertext:
            "the SMS was truncated, or joined with another SMS, so ask the sender to send the SMS again"
        case .message where Offer.isAnnounced(in: text):
            "this is an offer, so enter it with smsenc-keyring accept, and compare both codes by voice before you write anything"
        case .message where isSyncKey(text):
            "if this is a sync key, enter it with smsenc-keyring sync"
        case .message:
            "if the text is unreadable, it was probably truncated, so ask the sender to send it again"
        }
    }

    /// Returns the text for a payload that contains a character that is not in the GSM alphabet.
    static func line(forCiphertext fault: TextFault) -> String {
        "\(fault.reason), so this text is not encrypted, or was changed; if it is unreadable, ask the sender to send it again"
    }

    /// Returns the text for a ciphertext that no key of the contact decrypts.
    static func refusal(
        _ symbols: Span<UInt8>, of contact: Contact, searching window: Int
    ) -> String {
        let name = quoted(contact.name)
        return switch ContentGuess(symbols: symbols) {
        case .message, .frame, .nothing:
            "no key of \(name) decrypts this SMS; it is probably not encrypted, so read it as it is"
        case .ciphertext where window == Conversation.nearWindow:
            "none of the next \(window) keys of \(name) matches; decrypt without --near to try all keys"
        case .ciphertext:
            "no key of \(name) decrypts this SMS; copy the SMS again, because one wrong character is enough; if you cannot read any SMS from \(name), \(window == Conversation.farWindow ? "" : "try --far; if that fails, ")you and \(name) must both run smsenc-keyring resync"
        }
    }

    /// Returns the text for a contact that is not synchronised. No messages can be encrypted or decrypted
    /// for such a contact.
    static func line(for contact: Contact, _ summary: ContactSummary) -> String {
        let (name, word) = (quoted(contact.name), shellWord(contact.name))
        let reason =
            switch summary.status {
            case .restored:
                "you must synchronise with \(name) again, because the keyring was restored"
            case .lost:
                "you must synchronise with \(name) again, because resync --lost erased the old keys"
            default: "\(name) is not synchronised yet"
            }
        let remedy =
            switch summary.pending {
            case .offer:
                "your offer is pending, so enter the offer of \(name) with smsenc-keyring accept \(word)"
            case .syncKey: "enter the sync key of \(name) with smsenc-keyring sync \(word)"
            case .nothing:
                "begin with smsenc-keyring resync \(word) or smsenc-keyring offer \(word)"
            }
        return "\(reason); \(remedy)"
    }

    /// The text for a message that was decrypted, but cannot be read without a newer version.
    static let newerVersion =
        "\(FrameFault.newerVersion.reason); update smsenc, and decrypt the same SMS again"

    static func noNumber(_ contact: Contact) -> String {
        "\(quoted(contact.name)) has no number; add it with smsenc-keyring edit \(shellWord(contact.name)) --number NUMBER, or use -N to print the name"
    }

    /// Returns true for a sync key that contains a digit or a hyphen. A sync key without digits and
    /// hyphens could also be an ordinary word of ten letters.
    private static func isSyncKey(_ text: Span<UInt8>) -> Bool {
        let isMarked = text.indices.contains { index in
            text[index] == UInt8(ascii: "-") || (48...57).contains(text[index])
        }
        return isMarked && (try? SyncKey(reading: text)) != nil
    }
}

/// Notes about messages that were encrypted or decrypted.
extension DiagnosticText {
    static func note(about recordStatus: RecordStatus) -> String? {
        switch recordStatus {
        case .late: "this message arrived late, after newer messages"
        case .again:
            "this message was decrypted again, because the process that decrypted it first was interrupted"
        default: nil
        }
    }

    static func unverified(_ contact: Contact) -> String {
        "\(quoted(contact.name)) is unverified, so an attacker on the network may be able to read all messages; compare codes with smsenc-keyring verify \(shellWord(contact.name))"
    }

    static func beginning(_ contact: Contact, others: Int = 0) -> String {
        let name = quoted(contact.name)
        if others == 0 {
            return
                "\(name) is unverified, so a key may have been replaced in transit; compare codes with smsenc-keyring verify \(shellWord(contact.name))"
        }
        let rest = others == 1 ? "1 other" : "\(others) others"
        return
            "\(name) and \(rest) are unverified, so keys may have been replaced in transit; compare codes with smsenc-keyring verify"
    }

    static func oldKeys(_ contact: Contact) -> String {
        let name = quoted(contact.name)
        return
            "messages to \(name) are encrypted with the old keys until you enter the new sync key or offer of \(name); if a device was lost, run smsenc-keyring resync --lost \(shellWord(contact.name))"
    }

    static func silence(of contact: Contact, _ messages: UInt32) -> String {
        "\(quoted(contact.name)) has not confirmed any of the last \(messages) messages; ask \(quoted(contact.name)) to answer, because \(quoted(contact.name)) cannot decrypt the next message after \(Conversation.window) lost messages in a row"
    }

    static func lateness(of contact: Contact, _ late: UInt32, of read: UInt32) -> String {
        "\(late) of \(read) messages from \(quoted(contact.name)) arrived late, so someone may have a copy of one of your keyrings; if the route is not the cause, you and \(quoted(contact.name)) should both run smsenc-keyring resync"
    }

    /// - Parameter positions: the positions of some of the missing messages, or an empty array if
    ///   positions are not printed.
    static func missing(_ messages: Int, of contact: Contact, _ positions: [String] = []) -> String
    {
        let noun = messages == 1 ? "1 earlier message" : "\(messages) earlier messages"
        let verb = messages == 1 ? "has" : "have"
        let list = positions.joined(separator: ", ")
        let which =
            list.isEmpty ? "" : positions.count == messages ? ": " + list : ", such as " + list
        let again = messages == 1 ? "it does not arrive" : "they do not arrive"
        let it = messages == 1 ? "it" : "them"
        return
            "\(noun) from \(quoted(contact.name)) \(verb) not arrived\(which); if \(again), ask \(quoted(contact.name)) to send \(it) again"
    }

    static let readBefore =
        "you have already read this message; to see it again in the same session, add --reread"
    static let new =
        "this message may be new, because its key has not been used; decrypt it without --reread"

    static let readElsewhere =
        "you have already read this message, but this session does not have its key; use --reread in the session in which you read it"

    static func readAgainFirst(_ contact: Contact, _ count: Int) -> String {
        "\(count) messages from \(quoted(contact.name)) must be decrypted again first, because the runs that decrypted them were killed; run smsenc-pad -d again with the input of these runs"
    }

    static func readableOnceMore(_ error: KeyringError) -> String {
        "the messages were printed, but this could not be recorded in the keyring, so they can be decrypted once more: \(error.text)"
    }

    static func unrecorded(_ error: KeyringError) -> String {
        "the messages were printed, but this could not be recorded in the keyring: \(error.text)"
    }

    static func keysNotTakenBack(_ error: KeyringError) -> String {
        "the keys of messages that were not printed remain marked as used: \(error.text)"
    }
}
