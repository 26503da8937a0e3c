import Keyring
import LineIO
import Protocol

/// What a run shows of its contacts that the user should know, each told once.
struct Findings {
    /// Messages to a contact of which nothing proves that one was read, after which a note is expected.
    private static let longestSilence: UInt32 = 100

    private var unverified: Contact?
    private var silent: (contact: Contact, messages: UInt32)?
    private var arrivals: [Int64: Arrivals] = [:]
    /// Contacts whose messages are counted, at most: 0.6 MB.
    private static let mostCounted = 12_000
    /// Those nine in ten of whose messages had come late, of at least ten, at some time.
    private var suspects: [Int64: Contact] = [:]
    /// Those of whom a message was missing at some time.
    private var gaps: [Int64: Contact] = [:]
    private var hasNotedUnverified = false
    private var hasNotedSilence = false

    /// How a contact's messages came.
    private struct Arrivals {
        var read: UInt32 = 0
        var late: UInt32 = 0
        /// Missing before those of this run, and not come in it.
        var missing = 0
        /// Keys that were kept in this run have this number, or a higher one.
        let firstNumber: Int64

        init(from first: Receiving.Coming) { firstNumber = first.firstNumber }

        mutating func count(_ coming: Receiving.Coming) {
            read += 1
            if coming.arrival == .late { late += 1 }
            missing += coming.missing
            missing -= coming.filled.count { $0 >= firstNumber }
        }

        var areMostlyLate: Bool { read >= 10 && 10 * UInt64(late) >= 9 * UInt64(read) }
    }

    mutating func look(
        at standing: Standing, of contact: Contact, _ coming: Receiving.Coming?
    ) {
        if standing.state == .unverified, unverified == nil { unverified = contact }
        if standing.unconfirmed >= Self.longestSilence,
            silent == nil || silent?.contact.id == contact.id
        {
            silent = (contact, standing.unconfirmed)
        }
        guard let coming, arrivals[contact.id] != nil || arrivals.count < Self.mostCounted else {
            return
        }
        arrivals[contact.id, default: Arrivals(from: coming)].count(coming)
        if coming.missing > 0 { gaps[contact.id] = contact }
        if arrivals[contact.id]?.areMostlyLate == true { suspects[contact.id] = contact }
    }

    /// Says, before anything is let out, that a contact's codes were not compared.
    mutating func noteUnverified(_ results: inout Results) {
        guard !hasNotedUnverified, let unverified else { return }
        hasNotedUnverified = true
        results.remark(Words.unverified(unverified))
    }

    /// The contacts of whom messages before the last one have not come, and how many, in the order in which
    /// they were added.
    func missing() -> [(Contact, Int)] {
        gaps.sorted { $0.key < $1.key }.compactMap { (id, contact) in
            arrivals[id].flatMap { $0.missing > 0 ? (contact, $0.missing) : nil }
        }
    }

    /// The first contact nine in ten of whose messages came late, of at least ten; how many did, of how
    /// many.
    func mostlyLate() -> (Contact, late: UInt32, read: UInt32)? {
        let first = suspects.filter { arrivals[$0.key]?.areMostlyLate == true }
            .min { $0.key < $1.key }
        return first.map { ($0.value, arrivals[$0.key]?.late ?? 0, arrivals[$0.key]?.read ?? 0) }
    }

    /// Says that a contact has not answered for long.
    mutating func noteSilence(_ results: inout Results) {
        guard !hasNotedSilence, let silent else { return }
        hasNotedSilence = true
        results.remark(Words.silence(of: silent.contact, silent.messages))
    }
}
