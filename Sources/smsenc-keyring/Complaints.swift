import Keyring
import LineIO
import Protocol

/// What is wrong with a sync key that was typed or read.
enum KeyComplaint: Complaint, Equatable {
    case fault(SyncKeyFault)
    /// An offer was given instead.
    case isOffer

    init(_ fault: SyncKeyFault, in text: Span<UInt8>) {
        self = Offer.isAnnounced(in: text) ? .isOffer : .fault(fault)
    }

    var status: ExitStatus { .rejected }

    var text: String {
        switch self {
        case .isOffer: "that is an offer, not a sync key; enter it with smsenc-keyring accept"
        case .fault(.length(0)): "no sync key was given; it has 10 characters"
        case .fault(.length(let count)):
            "a sync key has 10 characters, not \(count); read it again"
        case .fault(.character(let place)):
            "character \(place) of the key is none that sync keys have; read it again"
        case .fault(.check): "a mistake in the key; compare it character by character"
        }
    }
}

/// What is wrong with an offer that was read.
enum OfferComplaint: Complaint, Equatable {
    case fault(OfferFault)
    /// A sync key was given instead.
    case isSyncKey

    init(_ fault: OfferFault, in text: String) {
        let utf8 = Array(text.utf8)
        self =
            fault == .missing && (try? SyncKey(reading: utf8.span)) != nil
            ? .isSyncKey : .fault(fault)
    }

    var status: ExitStatus { .rejected }

    var text: String {
        switch self {
        case .isSyncKey: "that is a sync key, not an offer; enter it with smsenc-keyring sync"
        case .fault(.missing): "there is no offer in this; it begins with smsenc1-"
        case .fault(.length(let count)) where count > 56:
            "more than 56 characters follow smsenc1; leave a blank behind the offer"
        case .fault(.length(let count)):
            "\(count) characters follow smsenc1 where 56 are due; was the offer cut on the way?"
        case .fault(.character):
            "a character in the offer is none that offers have; ask for it again"
        case .fault(.check): "the offer was changed on the way, or mistyped; ask for it again"
        }
    }

    static func offer(in text: String) throws(OfferComplaint) -> Offer {
        do throws(OfferFault) {
            return try Offer(in: text)
        } catch {
            throw OfferComplaint(error, in: text)
        }
    }
}

/// What else commands say, that is no error of the keyring's.
enum Note {
    static let loss = "messages from before that are not deciphered yet become unreadable"
    static let nothingDeleted = "nothing was deleted"
    static let nothingShown = "the key was not shown"
    static let noSession = "no session is open here: SMSENC_SESSION is not set"
    static let sessionGone = "the session had ended already"

    static func unseen(_ count: Int) -> String {
        "\(count) \(count == 1 ? "contact" : "contacts") of another session's transient identity not looked into"
    }

    static func loss(of contact: Contact) -> String { "\(quoted(contact.name)): \(loss)" }

    static func send(_ offer: Offer, to contact: Contact) -> String {
        "send \(quoted(contact.name)) your offer, without which they cannot read you: \(offer.text)"
    }

    static func duration(_ duration: String, rows: Int, cores: Int) -> String {
        "\(rows) rows: scrypt makes it take about \(duration) on \(cores) \(cores == 1 ? "core" : "cores"); it can be interrupted and taken up again"
    }

    static func notInStep(_ contact: Contact, _ state: Link.State) -> String {
        let command = state == .offered ? "accept" : "sync"
        return "\(quoted(contact.name)) is not synchronised yet; run smsenc-keyring \(command)"
    }

    static func ownCode(of contact: Contact) -> String {
        "that is the code of your own key; enter the one that \(quoted(contact.name)) reads out"
    }

    static func wrongCode(of contact: Contact, _ kind: VerificationCodes.Kind) -> String {
        let name = quoted(contact.name)
        return switch kind {
        case .keys:
            "wrong code for \(name): a key was mistyped, or is not theirs; synchronise again with smsenc-keyring resync"
        case .offers:
            "wrong code for \(name): somebody on the way may have put offers of their own in place of yours and theirs, and read along; write nothing private, and make offers again, over another route"
        }
    }
}
