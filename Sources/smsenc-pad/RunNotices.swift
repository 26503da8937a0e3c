import Keyring
import ToolKit
import Protocol

/// Collects facts about contacts for the notices at the end of a run. Each fact is reported once.
struct RunNotices {
    /// A contact is reported if it has not confirmed this number of consecutive messages.
    private static let unconfirmedLimit: UInt32 = 100

    /// The first unverified contact in this run that was synchronised by offers.
    private var unverified: Contact?
    /// The first of the unverified contacts with whom a conversation begins, and the number of the others.
    /// These contacts were synchronised with sync keys, and their first message has just been encrypted.
    /// They are reported before the output is written.
    private var beginning: (first: Contact, others: Int)?
    /// The first contact in this run who has pending new keys, and for whom messages are still encrypted
    /// with old keys.
    private var resynchronising: Contact?
    /// The first value is true if `unverified` has been reported. The second is true if `resynchronising`
    /// has been reported.
    private var reported = [false, false]
    private var silent: (contact: Contact, messages: UInt32)?
    private var arrivals: [ContactID: Arrivals] = [:]
    /// Maximum number of contacts whose messages are counted. Their counts occupy at most 1.4 MB.
    private static let maximumCounted = 12_000
    /// Contacts that may have to be reported. At some time during the run, a message of the contact was
    /// missing, or most messages were late.
    private var suspects: [ContactID: Contact] = [:]
    /// The contact of the previous message, and the counts of this contact. The counts are stored in
    /// `arrivals` when a message of another contact follows. This saves time, because consecutive messages
    /// often have the same contact.
    private var current: (contact: Contact, arrivals: Arrivals)?
    private var hasReportedSilence = false

    /// The counts of one contact's messages in this run.
    struct Arrivals {
        private(set) var read: UInt32 = 0
        private(set) var late: UInt32 = 0
        /// Positions of messages that were skipped in this run, and have not arrived later.
        private(set) var missing: Set<Position> = []

        /// At most three of the newest missing messages.
        var newestMissing: [Position] {
            missing.sorted { $0.keyPosition < $1.keyPosition }.suffix(3)
        }

        fileprivate mutating func count(_ info: ReceivedInfo, _ direction: DirectionName?) {
            read += 1
            if info.arrival == .late { late += 1 }
            guard let direction else { return }
            missing.formUnion(info.missing.map { Position(direction, $0) })
            missing.subtract(info.found.map { Position(direction, $0) })
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
        if let info { count(info, of: contact, position?.direction) }
    }

    private mutating func count(
        _ info: ReceivedInfo, of contact: Contact, _ direction: DirectionName?
    ) {
        if current?.contact.id != contact.id {
            storeCurrent()
            let known = arrivals[contact.id]
            guard known != nil || arrivals.count < Self.maximumCounted else { return }
            current = (contact, known ?? Arrivals())
        }
        current?.arrivals.count(info, direction)
    }

    private mutating func storeCurrent() {
        guard let (contact, counted) = current.take() else { return }
        arrivals[contact.id] = counted
        if !counted.missing.isEmpty || counted.areMostlyLate { suspects[contact.id] = contact }
    }

    /// Reports contacts that are not verified, and contacts whose old keys are still in use. This function
    /// is called before the output of an exchange is written.
    mutating func reportStates(_ results: inout Results) {
        if let (contact, others) = beginning.take() {
            results.remark(DiagnosticText.beginning(contact, others: others))
        }
        let words = [
            unverified.map(DiagnosticText.unverified), resynchronising.map(DiagnosticText.oldKeys),
        ]
        for (index, words) in words.enumerated() where !reported[index] {
            guard let words else { continue }
            reported[index] = true
            results.remark(words)
        }
    }

    /// Returns the contacts that may have to be reported, and their counts. The order is the order in
    /// which the contacts were added to the keyring.
    func suspicions() -> [(contact: Contact, arrivals: Arrivals)] {
        var all = self
        all.storeCurrent()
        return all.suspects.values.sorted { $0.id < $1.id }
            .compactMap { contact in all.arrivals[contact.id].map { (contact, $0) } }
    }

    /// Reports a contact that has not confirmed any message for a long time.
    mutating func reportSilence(_ results: inout Results) {
        guard !hasReportedSilence, let silent else { return }
        hasReportedSilence = true
        results.remark(DiagnosticText.silence(of: silent.contact, silent.messages))
    }
}
