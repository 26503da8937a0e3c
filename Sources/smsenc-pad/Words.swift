import Access
import Frames
import GSM7
import Keyring
import LineIO
import Protocol

/// Why a record is bad and what to do about it, in one line.
enum Words {
    /// For what is no frame.
    static func rejection(of fault: FrameFault, like guess: ContentGuess) -> Rejection {
        let fate: Fate =
            switch fault.category {
            case .text: .text
            case .length: .length
            case .frame: .frame
            }
        let remedy =
            switch guess {
            case .nothing: "the record is empty, leave it out"
            case .frame: "take it as smsenc-frame gave it, blanks included"
            case .ciphertext: "this looks like a ciphertext: -d deciphers it"
            case .message: "smsenc-frame comes first"
            }
        return Rejection(fate, "\(fault.reason); \(remedy)")
    }

    /// For a text of `count` characters where a ciphertext has 160.
    static func rejection(ofLength count: Int, _ text: Span<UInt8>) -> Rejection {
        let characters = count == 1 ? "1 character" : "\(count) characters"
        let remedy = remedy(forLength: count, of: text)
        return Rejection(.length, "\(characters) where 160 are due; \(remedy)")
    }

    private static func remedy(forLength count: Int, of text: Span<UInt8>) -> String {
        switch ContentGuess(text) {
        case .nothing: "the record is empty, leave it out"
        case .frame: "this is a frame: smsenc-frame -d unpacks it"
        case .ciphertext where count % Ciphertext.length == 0:
            "these are several: put each into a record of its own"
        case .ciphertext: "it was cut or joined on the way, ask for it again"
        case .message where Offer.isAnnounced(in: text):
            "this is an offer, which anybody can send: if you are in step already ask them first, else smsenc-keyring accept takes it"
        case .message where isSyncKey(text):
            "if this is a sync key, smsenc-keyring sync takes it"
        case .message:
            "this is no ciphertext, or one that was cut: ask for it again, or read it as it stands"
        }
    }

    /// For a text that is not of GSM characters alone.
    static func line(forCiphertext fault: TextFault) -> String {
        "\(fault.reason); a ciphertext is 160 GSM characters: ask for it again, or read it as it stands"
    }

    /// For 160 symbols that no key deciphers.
    static func refusal(_ symbols: Span<UInt8>, of contact: Contact, far: Bool) -> String {
        let name = quoted(contact.name)
        return switch ContentGuess(symbols: symbols) {
        case .message, .frame, .nothing:
            "no key of \(name) fits: this looks like plain text, read it as it stands"
        case .ciphertext where far:
            "no key of \(name) fits: cut or altered, not from \(name), out of step, or read long ago; if none of \(name)'s can be read, both run smsenc-keyring resync"
        case .ciphertext:
            "no key of \(name) fits: cut or altered, not from \(name), out of step, or read long ago; if none of \(name)'s can be read, try --far, then both run smsenc-keyring resync"
        }
    }

    /// For a contact that there is no key for.
    static func line(for contact: Contact, _ standing: Standing) -> String {
        let name = quoted(contact.name)
        let reason =
            switch standing.state {
            case .restored: "\(name) must synchronise again, the keyring having been restored"
            case .lost: "\(name) must synchronise again, the old keys having been erased as lost"
            default: "\(name) is waiting to be synchronised"
            }
        let remedy =
            switch standing.pending {
            case .offer: "your offer is out, so enter theirs with smsenc-keyring accept"
            case .syncKey: "enter the key that they gave you with smsenc-keyring sync"
            case .nothing: "begin with smsenc-keyring resync, or offer"
            }
        return "\(reason); \(remedy)"
    }

    static func noNumber(_ contact: Contact) -> String {
        "\(quoted(contact.name)) has no number; give it with smsenc-keyring edit --number, or take -N for the name"
    }

    /// A word of ten letters may read as one; few of these have a digit or a hyphen.
    private static func isSyncKey(_ text: Span<UInt8>) -> Bool {
        let isMarked = text.indices.contains { index in
            text[index] == UInt8(ascii: "-") || (48...57).contains(text[index])
        }
        return isMarked && (try? SyncKey(reading: text)) != nil
    }
}

/// What is said of messages that go through all the same.
extension Words {
    static let late = "late: others that were sent after it came first"
    static let again = "read once more: the tool that read it first died over it"

    static func unverified(_ contact: Contact) -> String {
        "\(quoted(contact.name)) is unverified: somebody on the way may read along until you have compared codes; see smsenc-keyring verify"
    }

    static func beginning(_ contact: Contact, others: Int = 0) -> String {
        let name = quoted(contact.name)
        if others == 0 {
            return
                "\(name) is unverified: a key may have been exchanged on the way; compare codes, see smsenc-keyring verify"
        }
        let rest = others == 1 ? "1 other" : "\(others) others"
        return
            "\(name) and \(rest) are unverified: keys may have been exchanged on the way; compare codes, see smsenc-keyring verify"
    }

    static func oldKeys(_ contact: Contact) -> String {
        let name = quoted(contact.name)
        return
            "messages to \(name) still use the old keys, until you have entered the new key or offer of \(name); if a telephone was lost, run smsenc-keyring resync --lost"
    }

    static func silence(of contact: Contact, _ messages: UInt32) -> String {
        "nothing proves that \(quoted(contact.name)) has read one of the last \(messages) messages; whoever misses 128 in a row cannot read on, so ask for an answer"
    }

    static func lateness(of contact: Contact, _ late: UInt32, of read: UInt32) -> String {
        "\(late) of \(read) messages of \(quoted(contact.name)) came late, which is how it looks when somebody with a copied keyring writes in between; unless a route explains it, both run smsenc-keyring resync"
    }

    static func missing(_ messages: Int, of contact: Contact) -> String {
        let noun = messages == 1 ? "1 message" : "\(messages) messages"
        let verb = messages == 1 ? "has" : "have"
        return "\(quoted(contact.name)): \(noun) before the last one \(verb) not come"
    }

    static let readBefore =
        "you have read this one already; nothing is wrong; to see it again in the session in which you read it, add --reread"
    static let new =
        "the key of this message has not been used up, so the message may be new; decrypt it without --reread"

    static func readElsewhere(_ contact: Contact) -> String {
        "you have read this one already, but this session cannot show it again; it shows only messages read since it first read from \(quoted(contact.name))"
    }

    static func notDropped(_ error: KeyringError) -> String {
        "messages that were written can be read once more: \(error.text)"
    }

    static func notNoted(_ error: KeyringError) -> String {
        "messages that were written are good, but the keyring could not note it: \(error.text)"
    }

    static func notTakenBack(_ error: KeyringError) -> String {
        "keys of messages that were not written stay used: \(error.text)"
    }
}
