import Keyring

/// What a commit shows of its contacts that the user should know: of each kind what the first record
/// shows.
struct Findings {
    /// Messages to a contact without an answer, after which a note is due.
    private static let longestSilence: UInt32 = 100

    private(set) var unverified: (record: Int, contact: Contact)?
    private(set) var silent: (record: Int, contact: Contact, messages: UInt32)?

    /// Looks at a link behind its messages, the first of which that went through is `record`.
    mutating func look(at link: Link, of contact: Contact, from record: Int) {
        if link.isUnverified, record < unverified?.record ?? .max {
            unverified = (record, contact)
        }
        if link.unanswered >= Self.longestSilence, record < silent?.record ?? .max {
            silent = (record, contact, link.unanswered)
        }
    }
}
