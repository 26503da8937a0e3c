import Keyring
import Protocol

/// The data about one contact that a keyring should contain according to smsenc-protocol(7), in the types
/// of ReferenceProtocol.swift.
struct ContactModel {
    /// A position in a chain.
    struct Place: Equatable {
        var chain: Chain
        var next = 0

        static func == (one: Place, other: Place) -> Bool {
            one.chain === other.chain && one.next == other.next
        }
    }

    struct Ratchet {
        var sending: Place
        var receiving: Place
        var ownNext: NextKey?
        var contactNext: NextKey?
        var isPending = false
        /// Index in the sending chain below which keys may have been used for output.
        var out = 0

        var agreement: Agreement { sending.chain.agreement }
    }

    struct SkippedKey {
        let number: Int64
        let chain: Chain
        let index: Int
        var since: Int64
        var isMissing = true
    }

    struct RetiredChain {
        let number: Int64
        let chain: Chain
        var next: Int
        var since: Int64
    }

    /// Message keys with which a run decrypted messages, without confirming that the messages were
    /// written.
    struct Unwritten {
        var keys: [(chain: Chain, index: Int)]
        var since: Int64
        /// Boot count of the computer at that time.
        let boot: Int
    }

    let peer: Persona
    let id: Int64
    var name: String
    var number: String?
    var ratchet: Ratchet?
    var ownKey: Secret?
    var ownOffer: Secret?
    var codes: (kind: Secret.Kind, yours: UInt128, theirs: UInt128)?
    var isVerified = false
    var isRestored = false
    var isLost = false
    var wasVerifiedOrLost = false
    var sent: UInt64 = 0
    var received: UInt64 = 0
    var unconfirmed: UInt32 = 0
    var lastUse: Int64 = 0
    var lastHeard: Int64 = 0
    var lastSynchronisation: Int64 = 0
    var kept: [SkippedKey] = []
    var retired: [RetiredChain] = []
    var unwritten: [Unwritten] = []
    var nextNumber: Int64 = 0
    /// Number of the receiving chain. It remains the same when the chain is retired.
    var chain: Int64 = 0
    /// Serial numbers of the most recently read SMS, newest first.
    var read: [Int] = []
    /// Number of keys taken from all sending chains since the conversation began, which is the position of
    /// the next SMS.
    var position = 0
    var guarantee = DeliveryGuarantee()

    init(_ peer: Persona, id: Int64, name: String, number: String?) {
        (self.peer, self.id, self.name, self.number) = (peer, id, name, number)
    }

    var pending: ContactState.Method {
        ownOffer != nil ? .offer : ownKey != nil ? .syncKey : .nothing
    }

    var method: ContactState.Method {
        guard ratchet != nil else { return .nothing }
        return codes?.kind == .offer ? .offer : .syncKey
    }

    var state: ContactState.Status {
        if ratchet != nil {
            return isVerified ? .verified : wasVerifiedOrLost ? .changed : .unverified
        }
        if isLost { return .lost }
        if isRestored { return .restored }
        return pending == .nothing ? .initial : .waiting
    }
    var missing: Int { kept.count { $0.isMissing } }

    mutating func begin(_ agreement: Agreement, own: Secret, theirs: Secret, at now: Int64) {
        forget()
        lastSynchronisation = now
        (isRestored, isLost) = (false, false)
        ratchet = Ratchet(
            sending: Place(chain: agreement.chain(of: own)),
            receiving: Place(chain: agreement.chain(of: theirs)))
        codes = (agreement.kind, agreement.code(of: own), agreement.code(of: theirs))
    }

    /// Erases all keys of the conversation.
    mutating func forget() {
        (ratchet, ownKey, ownOffer) = (nil, nil, nil)
        (isVerified, unconfirmed) = (false, 0)
        (kept, retired, unwritten) = ([], [], [])
        (position, guarantee) = (0, DeliveryGuarantee())
        chain = nextNumber
    }

    /// Records the time of sending or receiving, unless the clock is obviously wrong.
    mutating func use(at clock: Int64) {
        lastUse = clock < TimeModel.release ? Self.untimed : clock
    }

    /// Mixes the contact's next key into the sending chain, unless this was already done.
    mutating func mixPendingNextKey() {
        guard var ratchet, ratchet.isPending, let contactNext = ratchet.contactNext else { return }
        ratchet.sending = Place(chain: ratchet.sending.chain.mixing(contactNext))
        (ratchet.isPending, ratchet.out) = (false, 0)
        self.ratchet = ratchet
    }
}

/// Limits on the age and the number of stored keys.
extension ContactModel {
    static let lifetime: Int64 = 30 * 86_400
    static let mostKept = 1024
    static let mostRetired = 64
    static let mostRead = 64

    /// Stands for the time of a key that was stored while the clock was not trusted.
    static let untimed: Int64 = -1

    static func isTooOld(_ since: Int64, at now: Int64?) -> Bool {
        guard let now, since != untimed else { return false }
        return now - since > lifetime
    }

    /// Sets the time of keys that have no time, and corrects times that are in the future.
    mutating func correctTimes(at now: Int64) {
        func corrected(_ since: Int64) -> Int64 { since == Self.untimed ? now : min(since, now) }
        for index in kept.indices { kept[index].since = corrected(kept[index].since) }
        for index in retired.indices { retired[index].since = corrected(retired[index].since) }
        for index in unwritten.indices {
            unwritten[index].since = corrected(unwritten[index].since)
        }
    }

    mutating func trim(at now: Int64?) {
        kept.removeAll { Self.isTooOld($0.since, at: now) }
        kept.removeFirst(max(0, kept.count - Self.mostKept))
        retired.removeAll { Self.isTooOld($0.since, at: now) }
        retired.removeFirst(max(0, retired.count - Self.mostRetired))
    }

    /// Erases expired keys, like unlocking a keyring.
    mutating func expire(at now: Int64?) {
        trim(at: now)
        unwritten.removeAll { Self.isTooOld($0.since, at: now) }
    }
}

/// Receives messages as specified in smsenc-protocol(7), Next keys.
extension ContactModel {
    struct Reception {
        var arrival = ReceiveOutcome.inOrder
        var missing = 0
        var filled: [Int64] = []
        var provesReading = false
    }

    enum Outcome {
        case read(Reception)
        case notReady
        case readBefore
        case noKey
    }

    /// Predicts the result of receiving an unaltered SMS, and updates the model.
    ///
    /// - Parameters:
    ///   - now: nil if the clock is not trusted.
    ///   - clock: the time that the clock shows.
    mutating func receive(
        _ sms: SMS, window: Int, at now: Int64?, clock: Int64, boot: Int, _ cipher: inout Cipher
    ) throws -> Outcome {
        guard ratchet != nil else { return .notReady }
        guard case .pad(let chain, let index, let frame, let next) = sms.content,
            let coming = try place(chain, index, frame, next, window, now, boot, &cipher)
        else { return read.contains(sms.serial) ? .readBefore : .noKey }
        read.removeAll { $0 == sms.serial }
        read.insert(sms.serial, at: 0)
        read = Array(read.prefix(Self.mostRead))
        received += 1
        use(at: clock)
        lastHeard = lastUse
        if coming.provesReading { unconfirmed = 0 }
        return .read(coming)
    }

    private mutating func place(
        _ chain: Chain, _ index: Int, _ frame: [UInt8], _ next: NextKey, _ window: Int,
        _ now: Int64?, _ boot: Int, _ cipher: inout Cipher
    ) throws -> Reception? {
        guard var ratchet else { return nil }
        let reach = ratchet.receiving.next..<(ratchet.receiving.next + window)
        let isMixed = chain.parent === ratchet.receiving.chain && chain.via === ratchet.ownNext
        if chain === ratchet.receiving.chain, reach.contains(index) {
            let missing = try keep(chain, ratchet.receiving.next, index, frame, now, &cipher)
            ratchet.receiving.next = index + 1
            learn(next, &ratchet)
            self.ratchet = ratchet
            return Reception(missing: missing)
        }
        if isMixed, chain.via != nil, index < window {
            retired.append(
                RetiredChain(
                    number: self.chain, chain: ratchet.receiving.chain,
                    next: ratchet.receiving.next,
                    since: now ?? Self.untimed))
            nextNumber += 1
            self.chain = nextNumber
            let missing = try keep(chain, 0, index, frame, now, &cipher)
            ratchet.receiving = Place(chain: chain, next: index + 1)
            ratchet.ownNext = nil
            learn(next, &ratchet)
            self.ratchet = ratchet
            return Reception(missing: missing, provesReading: true)
        }
        var valid = self
        valid.trim(at: now)
        if let row = unwritten.firstIndex(where: { row in
            row.boot != boot && !Self.isTooOld(row.since, at: now)
                && row.keys.contains { $0.chain === chain && $0.index == index }
        }) {
            self = valid
            unwritten[row].keys.removeAll { $0.chain === chain && $0.index == index }
            unwritten.removeAll { $0.keys.isEmpty }
            return Reception(arrival: .again)
        }
        if let place = valid.kept.firstIndex(where: { $0.chain === chain && $0.index == index }) {
            self = valid
            return Reception(arrival: .late, filled: try spend(keptAt: place, frame, &cipher))
        }
        guard
            let place = valid.retired.firstIndex(where: {
                $0.chain === chain && ($0.next..<($0.next + 16)).contains(index)
            })
        else { return nil }
        self = valid
        let first = retired[place].next
        retired[place].next = index + 1
        let missing = try keep(chain, first, index, frame, now, &cipher)
        return Reception(arrival: .late, missing: missing)
    }

    private func learn(_ next: NextKey, _ ratchet: inout Ratchet) {
        guard ratchet.contactNext !== next else { return }
        (ratchet.contactNext, ratchet.isPending) = (next, true)
    }

    private mutating func takeNumber() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// Stores the keys from `first` to `index`, excluding `index`, as skipped message keys. `frame` is the
    /// frame that was encrypted with the key at `index`.
    ///
    /// - Returns: the number of keys that count as missing messages.
    private mutating func keep(
        _ chain: Chain, _ first: Int, _ index: Int, _ frame: [UInt8], _ now: Int64?,
        _ cipher: inout Cipher
    ) throws -> Int {
        for place in max(first, index - Self.mostKept)..<index {
            kept.append(
                SkippedKey(
                    number: takeNumber(), chain: chain, index: place, since: now ?? Self.untimed))
        }
        var thrownAway = 0
        let most = min(index - first, Self.mostKept)
        while thrownAway < most, chain.isUnusable(for: frame, at: index - 1 - thrownAway, &cipher) {
            thrownAway += 1
            kept[kept.count - thrownAway].isMissing = false
        }
        trim(at: now)
        return index - first - thrownAway
    }

    /// Removes a skipped message key that was used.
    ///
    /// - Returns: the numbers of the keys that no longer count as missing.
    private mutating func spend(
        keptAt place: Int, _ frame: [UInt8], _ cipher: inout Cipher
    ) throws -> [Int64] {
        let key = kept.remove(at: place)
        var filled = key.isMissing ? [key.number] : []
        var (before, number) = (place - 1, key.number - 1)
        while before >= 0, kept[before].number == number,
            kept[before].chain.isUnusable(for: frame, at: kept[before].index, &cipher)
        {
            if kept[before].isMissing { filled.append(number) }
            kept[before].isMissing = false
            (before, number) = (before - 1, number - 1)
        }
        return filled
    }
}

/// Simulates changes that a run of `smsenc-pad -d` makes after decrypting and at its end.
extension ContactModel {
    /// Lists the keys of messages that are about to be written.
    mutating func putUnwritten(_ read: [SMS], at now: Int64?, boot: Int) {
        let keys = read.compactMap { sms -> (chain: Chain, index: Int)? in
            guard case .pad(let chain, let index, _, _) = sms.content else { return nil }
            return (chain, index)
        }
        unwritten.append(Unwritten(keys: keys, since: now ?? Self.untimed, boot: boot))
    }

    /// Removes the first `count` keys from the last list.
    mutating func dropUnwritten(_ count: Int) {
        guard var last = unwritten.popLast() else { return }
        last.keys.removeFirst(min(count, last.keys.count))
        if !last.keys.isEmpty { unwritten.append(last) }
    }
}
