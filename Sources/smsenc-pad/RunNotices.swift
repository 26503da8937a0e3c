import Keyring
import ToolKit
import Protocol

/// Collects facts about contacts for the notices at the end of a run. Each fact about a contact is
/// reported only once.
struct RunNotices {
    /// A contact is reported if it has not confirmed this number of consecutive messages.
    private static let unconfirmedLimit: UInt32 = 100

    /// The first unverified contact in this run that was synchronised by offers.
    private var unverified: Contact?
    /// The first unverified contact with whom a conversation begins, and the number of other such
    /// contacts. These contacts were synchronised with sync keys, and the first message to each of them
    /// has just been encrypted. The notice about contacts with whom a conversation begins is printed
    /// before the output is written.
    private var beginning: (first: Contact, others: Int)?
    /// The first contact in this run for whom messages are still encrypted with old keys, although new
    /// keys are pending.
    private var resynchronising: Contact?
    /// The notices about `unverified` and `resynchronising` that have been printed.
    private var reported: Set<String> = []
    private var silent: (contact: Contact, messages: UInt32)?
    private var arrivals: [ContactID: Arrivals] = [:]
    /// Maximum number of contacts whose messages are counted. The counts of this number of contacts
    /// usually occupy at most 1.4 MB.
    private static let maximumCounted = 8000
    private var hasReportedSilence = false

    /// The counts of one contact's messages in this run.
    struct Arrivals {
        let contact: Contact
        private(set) var read: UInt32 = 0
        private(set) var late: UInt32 = 0
        /// Positions of the newest messages that were skipped in this run and have not arrived later,
        /// oldest first. The number of stored positions is limited to the maximum number of skipped keys,
        /// because older messages cannot be decrypted.
        private var missing: [Position] = []
        /// Number of messages that were skipped in this run and are older than the messages in `missing`.
        private var olderMissing = 0

        fileprivate init(_ contact: Contact) { self.contact = contact }

        var missingCount: Int { olderMissing + missing.count }
        /// At most three of the newest missing messages.
        var newestMissing: [Position] { missing.suffix(3) }

        fileprivate mutating func count(_ info: ReceivedInfo, _ direction: DirectionName?) {
            read += 1
            if info.arrival == .late { late += 1 }
            guard let direction else { return }
            missing.removeAll {
                $0.direction == direction && info.found.contains($0.keyPosition)
            }
            missing += info.missing.map { Position(direction, $0) }
            let excess = max(0, missing.count - ConversationPast.maximumSkippedKeys)
            missing.removeFirst(excess)
            olderMissing += excess
        }

        /// True if at least ten messages were decrypted, and at least 90 % of them arrived late.
        var areMostlyLate: Bool { read >= 10 && 10 * UInt64(late) >= 9 * UInt64(read) }
    }

    mutating func collect(
        from summary: ContactSummary, of contact: Contact, _ info: ReceivedInfo?,
        at position: Position?
    ) {
        if [.unverified, .changed].contains(summary.status) {
            if summary.method == .offer {
                unverified = unverified ?? contact
            } else if summary.isBeginning {
                beginning = beginning.map { ($0.first, $0.others + 1) } ?? (contact, 0)
            }
        }
        if info == nil, summary.pending != .nothing {
            resynchronising = resynchronising ?? contact
        }
        if summary.unconfirmed >= Self.unconfirmedLimit,
            silent == nil || silent?.contact.id == contact.id
        {
            silent = (contact, summary.unconfirmed)
        }
        if let info, arrivals[contact.id] != nil || arrivals.count < Self.maximumCounted {
            arrivals[contact.id, default: Arrivals(contact)]
                .count(info, position?.direction)
        }
    }

    /// Reports contacts that are not verified, and contacts whose old keys are still in use. Must be
    /// called before the output of an exchange is written.
    mutating func reportStates(_ results: inout Results) {
        if let (contact, others) = beginning.take() {
            results.remark(DiagnosticText.beginning(contact, others: others))
        }
        let notices = [
            unverified.map(DiagnosticText.unverified), resynchronising.map(DiagnosticText.oldKeys),
        ]
        for notice in notices.compactMap({ $0 }) where reported.insert(notice).inserted {
            results.remark(notice)
        }
    }

    /// Returns the counts of contacts that have to be reported, because a message is missing, or because
    /// most messages were late. The counts are sorted in the order in which the contacts were added to the
    /// keyring.
    func suspicions() -> [Arrivals] {
        arrivals.values.filter { $0.missingCount > 0 || $0.areMostlyLate }
            .sorted { $0.contact.id < $1.contact.id }
    }

    /// Reports a contact that has not confirmed any message for a long time.
    mutating func reportSilence(_ results: inout Results) {
        guard !hasReportedSilence, let silent else { return }
        hasReportedSilence = true
        results.remark(DiagnosticText.silence(of: silent.contact, silent.messages))
    }
}
