import Keyring
import LineIO
import Protocol

/// What a run shows of its contacts that the user should know, each told once.
struct Findings {
    /// Messages to a contact of which nothing proves that one was read, after which a note is expected.
    private static let longestSilence: UInt32 = 100

    /// The first unverified contact who synchronised by offers.
    private var unverified: Contact?
    /// Unverified contacts who synchronised by sync keys and are sent their first message: the first of them, and
    /// how many more there are. They are named before the output, and then forgotten.
    private var beginning: (first: Contact, others: Int)?
    /// The first contact to whom messages go under the old keys, while new ones are pending.
    private var resynchronising: Contact?
    /// Which of the other two were said.
    private var noted = [false, false]
    private var silent: (contact: Contact, messages: UInt32)?
    private var arrivals: [Int64: Arrivals] = [:]
    /// Contacts whose messages are counted, at most: 0.6 MB.
    private static let mostCounted = 12_000
    /// Those of whom a message was missing, or nine in ten had come late, at some time.
    private var suspects: [Int64: Contact] = [:]
    /// The contact of the last message, whose count is not in `arrivals`: messages of a contact often follow each
    /// other.
    private var present: (contact: Contact, arrivals: Arrivals)?
    private var hasNotedSilence = false

    /// How a contact's messages came.
    struct Arrivals {
        private(set) var read: UInt32 = 0
        private(set) var late: UInt32 = 0
        /// Missing before those of this run, and not come in it.
        private(set) var missing = 0
        /// Keys that were kept in this run have this number, or a higher one.
        private let firstNumber: Int64

        fileprivate init(from first: Coming) { firstNumber = first.firstNumber }

        fileprivate mutating func count(_ coming: Coming) {
            read += 1
            if coming.arrival == .late { late += 1 }
            missing += coming.missing
            missing -= coming.filled.count { $0 >= firstNumber }
        }

        /// True where nine in ten came late, of at least ten.
        var areMostlyLate: Bool { read >= 10 && 10 * UInt64(late) >= 9 * UInt64(read) }
    }

    mutating func look(
        at standing: Standing, of contact: Contact, _ coming: Coming?
    ) {
        if standing.state == .unverified {
            if standing.method == .offer {
                unverified = unverified ?? contact
            } else if standing.isBeginning {
                beginning = beginning.map { ($0.first, $0.others + 1) } ?? (contact, 0)
            }
        }
        if coming == nil, standing.pending != .nothing {
            resynchronising = resynchronising ?? contact
        }
        if standing.unconfirmed >= Self.longestSilence,
            silent == nil || silent?.contact.id == contact.id
        {
            silent = (contact, standing.unconfirmed)
        }
        if let coming { count(coming, of: contact) }
    }

    private mutating func count(_ coming: Coming, of contact: Contact) {
        if present?.contact.id != contact.id {
            storePresent()
            let known = arrivals[contact.id]
            guard known != nil || arrivals.count < Self.mostCounted else { return }
            present = (contact, known ?? Arrivals(from: coming))
        }
        present?.arrivals.count(coming)
    }

    private mutating func storePresent() {
        guard let (contact, counted) = present.take() else { return }
        arrivals[contact.id] = counted
        if counted.missing > 0 || counted.areMostlyLate { suspects[contact.id] = contact }
    }

    /// Says, before any output, that codes were not compared, and that old keys are in use.
    mutating func noteStandings(_ results: inout Results) {
        if let (contact, others) = beginning.take() {
            results.remark(Words.beginning(contact, others: others))
        }
        let words = [unverified.map(Words.unverified), resynchronising.map(Words.oldKeys)]
        for (index, words) in words.enumerated() where !noted[index] {
            guard let words else { continue }
            noted[index] = true
            results.remark(words)
        }
    }

    /// How the messages of those came who may have to be told of, in the order in which they were added.
    func suspicions() -> [(contact: Contact, arrivals: Arrivals)] {
        var all = self
        all.storePresent()
        return all.suspects.values.sorted { $0.id < $1.id }
            .compactMap { contact in all.arrivals[contact.id].map { (contact, $0) } }
    }

    /// Says that a contact has not answered for long.
    mutating func noteSilence(_ results: inout Results) {
        guard !hasNotedSilence, let silent else { return }
        hasNotedSilence = true
        results.remark(Words.silence(of: silent.contact, silent.messages))
    }
}
