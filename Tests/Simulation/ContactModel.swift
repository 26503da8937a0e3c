import Protocol

@testable import Keyring

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
        /// Names of the sending and the receiving direction.
        let names: (sending: DirectionName, receiving: DirectionName)
        /// Index in the sending chain below which keys may have been used for output.
        var out = 0

        var agreement: Agreement { sending.chain.agreement }
    }

    struct SkippedKey {
        /// Number of keys that were skipped before.
        let number: Int
        let chain: Chain
        let index: Int
        var isMissing = true

        var position: KeyPosition { chain.position(at: index) }
    }

    struct RetiredChain {
        let chain: Chain
        var next: Int
    }

    /// Message keys with which a run decrypted messages, without confirming that the messages were
    /// written.
    struct Unwritten {
        var keys: [(chain: Chain, index: Int)]
        /// Boot count of the computer at that time.
        let boot: Int
    }

    let peer: Persona
    let id: ContactID
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
    /// Number of keys that were ever skipped.
    var skipped = 0
    /// Serial numbers of the most recently read SMS, newest first.
    var read: [Int] = []
    /// Number of keys taken from all sending chains since the conversation began, which is the position of
    /// the next SMS.
    var position = 0
    var guarantee = DeliveryGuarantee()

    init(_ peer: Persona, id: ContactID, name: String, number: String?) {
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
            receiving: Place(chain: agreement.chain(of: theirs)),
            names: (agreement.name(of: own), agreement.name(of: theirs)))
        codes = (agreement.kind, agreement.code(of: own), agreement.code(of: theirs))
    }

    /// Erases all keys of the conversation.
    mutating func forget() {
        (ratchet, ownKey, ownOffer) = (nil, nil, nil)
        (isVerified, unconfirmed) = (false, 0)
        (kept, retired, unwritten) = ([], [], [])
        (position, guarantee) = (0, DeliveryGuarantee())
    }

    /// Mixes the contact's next key into the sending chain, unless this was already done.
    mutating func mixPendingNextKey() {
        guard var ratchet, ratchet.isPending, let contactNext = ratchet.contactNext else { return }
        ratchet.sending = Place(chain: ratchet.sending.chain.mixing(contactNext))
        (ratchet.isPending, ratchet.out) = (false, 0)
        self.ratchet = ratchet
    }
}

/// Limits on the number of stored keys.
extension ContactModel {
    static let mostKept = 1024
    static let mostRetired = 64
    static let mostRead = 64

    private mutating func trim() {
        kept.removeFirst(max(0, kept.count - Self.mostKept))
        retired.removeFirst(max(0, retired.count - Self.mostRetired))
    }
}

/// Receives messages as specified in smsenc-protocol(7), Next keys.
extension ContactModel {
    struct Reception {
        var arrival = ReceivedInfo.Arrival.inOrder
        var missing = 0
        var found: [KeyPosition] = []
        var provesReading = false
    }

    enum Outcome {
        case read(Reception)
        case notReady
        case readBefore
        case noKey
    }

    /// Predicts the result of receiving an unaltered SMS, and updates the model.
    mutating func receive(
        _ sms: SMS, window: Int, at now: Int64, boot: Int, _ cipher: inout Cipher
    ) throws -> Outcome {
        guard ratchet != nil else { return .notReady }
        guard case .pad(let chain, let index, let frame, let next) = sms.content,
            let coming = try place(chain, index, frame, next, window, boot, &cipher)
        else { return read.contains(sms.serial) ? .readBefore : .noKey }
        read.removeAll { $0 == sms.serial }
        read.insert(sms.serial, at: 0)
        read = Array(read.prefix(Self.mostRead))
        received += 1
        (lastUse, lastHeard) = (now, now)
        if coming.provesReading { unconfirmed = 0 }
        return .read(coming)
    }

    private mutating func place(
        _ chain: Chain, _ index: Int, _ frame: [UInt8], _ next: NextKey, _ window: Int,
        _ boot: Int, _ cipher: inout Cipher
    ) throws -> Reception? {
        guard var ratchet else { return nil }
        let reach = ratchet.receiving.next..<(ratchet.receiving.next + window)
        let isMixed = chain.parent === ratchet.receiving.chain && chain.via === ratchet.ownNext
        if chain === ratchet.receiving.chain, reach.contains(index) {
            let missing = try keep(chain, ratchet.receiving.next, index, frame, &cipher)
            ratchet.receiving.next = index + 1
            learn(next, &ratchet)
            self.ratchet = ratchet
            return Reception(missing: missing)
        }
        if isMixed, chain.via != nil, index < window {
            retired.append(
                RetiredChain(chain: ratchet.receiving.chain, next: ratchet.receiving.next))
            let missing = try keep(chain, 0, index, frame, &cipher)
            ratchet.receiving = Place(chain: chain, next: index + 1)
            ratchet.ownNext = nil
            learn(next, &ratchet)
            self.ratchet = ratchet
            return Reception(missing: missing, provesReading: true)
        }
        if let row = unwritten.firstIndex(where: { row in
            row.boot != boot && row.keys.contains { $0.chain === chain && $0.index == index }
        }) {
            unwritten[row].keys.removeAll { $0.chain === chain && $0.index == index }
            unwritten.removeAll { $0.keys.isEmpty }
            return Reception(arrival: .again)
        }
        if let place = kept.firstIndex(where: { $0.chain === chain && $0.index == index }) {
            return Reception(arrival: .late, found: try spend(keptAt: place, frame, &cipher))
        }
        guard
            let place = retired.firstIndex(where: {
                $0.chain === chain && ($0.next..<($0.next + 16)).contains(index)
            })
        else { return nil }
        let first = retired[place].next
        retired[place].next = index + 1
        let missing = try keep(chain, first, index, frame, &cipher)
        return Reception(arrival: .late, missing: missing)
    }

    private func learn(_ next: NextKey, _ ratchet: inout Ratchet) {
        guard ratchet.contactNext !== next else { return }
        (ratchet.contactNext, ratchet.isPending) = (next, true)
    }

    /// Stores the keys from `first` to `index`, excluding `index`, as skipped message keys. `frame` is the
    /// frame that was encrypted with the key at `index`.
    ///
    /// - Returns: the number of keys that count as missing messages.
    private mutating func keep(
        _ chain: Chain, _ first: Int, _ index: Int, _ frame: [UInt8], _ cipher: inout Cipher
    ) throws -> Int {
        for place in max(first, index - Self.mostKept)..<index {
            kept.append(SkippedKey(number: skipped, chain: chain, index: place))
            skipped += 1
        }
        var thrownAway = 0
        let most = min(index - first, Self.mostKept)
        while thrownAway < most, chain.isUnusable(for: frame, at: index - 1 - thrownAway, &cipher) {
            thrownAway += 1
            kept[kept.count - thrownAway].isMissing = false
        }
        trim()
        return index - first - thrownAway
    }

    /// Removes a skipped message key that was used.
    ///
    /// - Returns: the positions of the keys that no longer count as missing.
    private mutating func spend(
        keptAt place: Int, _ frame: [UInt8], _ cipher: inout Cipher
    ) throws -> [KeyPosition] {
        let key = kept.remove(at: place)
        var found = key.isMissing ? [key.position] : []
        var (before, index) = (place - 1, key.index - 1)
        while before >= 0, kept[before].chain === key.chain, kept[before].index == index,
            key.chain.isUnusable(for: frame, at: index, &cipher)
        {
            if kept[before].isMissing { found.append(kept[before].position) }
            kept[before].isMissing = false
            (before, index) = (before - 1, index - 1)
        }
        return found
    }
}

/// Simulates changes that a run of `smsenc-pad -d` makes after decrypting and at its end.
extension ContactModel {
    /// Lists the keys of messages that are about to be written.
    mutating func putUnwritten(_ read: [SMS], boot: Int) {
        let keys = read.compactMap { sms -> (chain: Chain, index: Int)? in
            guard case .pad(let chain, let index, _, _) = sms.content else { return nil }
            return (chain, index)
        }
        unwritten.append(Unwritten(keys: keys, boot: boot))
    }

    /// Removes the first `count` keys from the last list.
    mutating func dropUnwritten(_ count: Int) {
        guard var last = unwritten.popLast() else { return }
        last.keys.removeFirst(min(count, last.keys.count))
        if !last.keys.isEmpty { unwritten.append(last) }
    }
}
