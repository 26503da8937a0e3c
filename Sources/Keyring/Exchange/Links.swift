package import Protocol

/// How a contact stands, after a message where one went through, as far as the user should know.
package struct Standing: Sendable {
    package let state: Link.State
    package let method: Link.Method
    package let pending: Link.Method
    /// Messages sent since one was proved read.
    package let unconfirmed: UInt32
    /// True if the first message of a conversation was sent, and none was received.
    package let isBeginning: Bool

    /// - Parameter isSent: whether a message was just sent.
    init(_ link: Link, isSent: Bool = false) {
        (state, method, pending) = (link.state, link.method, link.pending)
        unconfirmed = link.unconfirmed
        isBeginning =
            isSent && link.conversation?.hasLearned == false && link.unconfirmed <= 1
    }
}

/// What became of a message.
package enum Passed: Sendable {
    /// It was enciphered, or deciphered, and then came in some way.
    case done(Standing, Coming?)
    case not(NotPassed)
}

/// What became of a message that was not enciphered or deciphered.
package enum NotPassed: Sendable {
    /// Commit, write, and go on with this message; where it is the first, others have all keys that
    /// may be in flight: wait until they have written.
    case full
    /// There are no keys for this contact.
    case notReady(Standing)
    /// The contact is no longer there.
    case gone
    /// It was read before; nothing has changed.
    case readBefore
    /// No key fits; nothing has changed.
    case noKey
    /// It was to be read again, and its message key is still there: it has perhaps never been printed.
    case new
    /// It was to be read again, and was read before this session first read from the contact, or by others.
    case readElsewhere
}

/// What an exchange does to a contact's link until it is committed.
protocol OpenLink: AnyObject {
    init(_ link: Link)
}

/// The links that an exchange has open, each once.
struct Links<Open: OpenLink> {
    /// At most: 2 KB each.
    private static var most: Int { 1100 }

    private var opened: [Int64: Open] = [:]
    /// The one that was opened last: messages of a contact often follow each other.
    private var last: (contact: Int64, open: Open)?

    /// False where one more would be too many.
    func hasRoom(for contact: Int64) -> Bool {
        opened.count < Self.most || opened[contact] != nil
    }

    /// Opens a contact's link; nil where the contact is gone.
    mutating func open(
        _ contact: Int64, in transaction: Transaction
    ) throws(KeyringError) -> Open? {
        if let last, last.contact == contact { return last.open }
        if let open = opened[contact] {
            last = (contact, open)
            return open
        }
        guard let link = try transaction.link(contact) else { return nil }
        let open = Open(link)
        opened[contact] = open
        last = (contact, open)
        return open
    }

    /// Forgets a link, with what was done to it.
    mutating func close(_ contact: Int64) {
        opened[contact] = nil
        last = nil
    }

    /// All of them, in the order of their rows.
    var all: [(contact: Int64, open: Open)] {
        opened.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
