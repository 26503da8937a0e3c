import Crypto
import Protocol
import System

@testable import Protocol

// An independent implementation of the objects of the protocol: keys, agreements, chains and SMS. They are
// derived with HMAC, scrypt and X25519 as specified by smsenc-protocol(7), and compared with the results
// of Sources/.

/// One identity of a person. Each identity has its own contacts.
struct Persona: Hashable, Comparable, CustomStringConvertible {
    let person: Int
    var identity = 0

    private static let names = [
        "Amina", "Bela", "Chidi", "Dalia", "Emeka", "Farah", "Goran", "Hana", "Idris", "Jana",
        "Kofi", "Leila", "Musa", "Nadia", "Omar", "Petra", "Quy", "Rosa", "Sami", "Tara", "Uri",
        "Vera", "Wanja", "Xola", "Yara", "Zoran", "Anouk", "Bilal", "Celia", "Daud",
    ]

    /// The name that contacts use.
    var description: String {
        Self.names[person % Self.names.count] + (identity == 0 ? "" : "-\(identity + 1)")
    }

    var number: String { "+2780\(1_000_000 + 10 * person + identity)" }

    static func < (one: Persona, other: Persona) -> Bool {
        (one.person, one.identity) < (other.person, other.identity)
    }
}

/// The function H of smsenc-protocol(7).
final class Derivation {
    private var mac = MAC()

    func hash(_ key: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
        mac.setKey(key.span)
        for part in parts { mac.update(part.span) }
        return mac.finish().withSpan { Array(copying: $0) }
    }

    func hash(_ key: [UInt8], _ label: String, _ parts: [UInt8]...) -> [UInt8] {
        hash(key, Array(label.utf8) + parts.joined())
    }
}

/// A next key, identified by its symbols in the frame.
final class NextKey {
    let symbols: [UInt8]
    /// Serial number of the time when it was drawn, and whether the adversary knows it.
    let drawn: Int
    var isKnown = false
    var isExposed = false

    init(_ symbols: [UInt8], drawn: Int) {
        self.symbols = symbols
        self.drawn = drawn
    }
}

/// A sync key or an offer, with the person who generated it.
final class Secret {
    enum Kind { case key, offer }

    let kind: Kind
    /// Text that is shown to the user.
    let text: String
    /// The ten characters of a sync key, or the public key of an offer.
    let bytes: [UInt8]
    /// The private key of an offer.
    let secret: [UInt8]
    let maker: Persona
    let serial: Int
    var isKnown = false

    init(
        _ kind: Kind, _ text: String, _ bytes: [UInt8], secret: [UInt8] = [], by maker: Persona,
        serial: Int
    ) {
        (self.kind, self.text, self.bytes, self.secret) = (kind, text, bytes, secret)
        (self.maker, self.serial) = (maker, serial)
    }
}

/// The shared secret that two sync keys or two offers produce. Both sides derive the same secret.
final class Agreement {
    let root: [UInt8]
    let kind: Secret.Kind
    let begun: Int
    let people: [Int]
    /// True if the adversary knew the secrets from which this secret was derived.
    let isOpen: Bool
    /// First chain of each direction, by the serial number of the sender's secret.
    private var chains: [Int: Chain] = [:]
    private let hash: Derivation
    /// True after the adversary has sent forged SMS in this conversation.
    var isTampered = false

    init(
        _ own: Secret, _ theirs: Secret, begun: Int, _ hash: Derivation
    ) throws {
        let lower = own.bytes.lexicographicallyPrecedes(theirs.bytes)
        let (low, high) = lower ? (own.bytes, theirs.bytes) : (theirs.bytes, own.bytes)
        (kind, self.begun, self.hash) = (own.kind, begun, hash)
        people = [own.maker.person, theirs.maker.person]
        if own.kind == .key {
            root = try Self.stretched(low + high, "smsenc/1 sync")
            isOpen = own.isKnown && theirs.isKnown
        } else {
            // Either of the two private keys can be used.
            let (holder, other) = own.secret.isEmpty ? (theirs, own) : (own, theirs)
            let bytes = holder.secret
            let secret = SecretBytes(copying: bytes.span)
            let derived = try X25519.shared(secret: secret, publicKey: other.bytes)
            let shared = derived.withSpan { Array(copying: $0) }
            root = try Self.stretched(
                hash.hash(shared, "smsenc/1 agree", low, high), "smsenc/1 offers")
            isOpen = own.isKnown || theirs.isKnown
        }
    }

    private static func stretched(_ password: [UInt8], _ label: String) throws -> [UInt8] {
        let salt = Array(label.utf8)
        let secret = SecretBytes(copying: password.span)
        let derived = try Scrypt.synchronisation.derive(password: secret, salt: salt.span)
        return derived.withSpan { Array(copying: $0) }
    }

    /// Returns the first chain of the direction whose sender generated `sender`.
    func chain(of sender: Secret) -> Chain {
        if let known = chains[sender.serial] { return known }
        let start = hash.hash(root, "smsenc/1 from", sender.bytes)
        let chain = Chain(start: start, of: self, hash)
        if isOpen { chain.learn(from: 0, root: true) }
        chains[sender.serial] = chain
        return chain
    }

    /// Returns the name of the direction whose sender generated `sender`.
    func name(of sender: Secret) -> DirectionName {
        let bits = hash.hash(root, "smsenc/1 name", sender.bytes)[..<5]
            .reduce(0) { $0 << 8 | UInt64($1) }
        guard let name = DirectionName(bits: bits) else { preconditionFailure("five bytes") }
        return name
    }

    /// Returns the verification code that the owner of `sender` reads out.
    func code(of sender: Secret) -> UInt128 {
        let hashed = hash.hash(root, "smsenc/1 verify", sender.bytes)
        let number = hashed[..<16].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return number % (kind == .key ? 10_000_000_000 : 100_000_000_000_000_000_000)
    }
}

/// A sending or receiving chain with all its message keys.
final class Chain {
    let agreement: Agreement
    let root: [UInt8]
    /// Number of next keys that have been mixed in, which is the number of the chain.
    let depth: Int
    /// Chain from which this chain was derived by mixing in `via`.
    private(set) weak var parent: Chain?
    let via: NextKey?
    private let hash: Derivation
    /// Every 16th chain key that was computed so far, and the chain key that was requested most recently.
    private var marks: [[UInt8]]
    private var last: (index: Int, key: [UInt8])
    /// Chains that were derived from this chain and are still in use.
    private var mixed: [Mixed] = []

    // The knowledge of the adversary: all chain keys beginning at an index, the root, and individual
    // message keys.
    private var knownFrom: Int?
    private var knowsRoot = false
    var stolen: Set<Int> = []

    init(start: [UInt8], of agreement: Agreement, _ hash: Derivation) {
        (self.agreement, self.hash) = (agreement, hash)
        (depth, via) = (0, nil)
        root = hash.hash(start, "smsenc/1 root")
        marks = [hash.hash(start, "smsenc/1 chain")]
        last = (0, marks[0])
    }

    private init(_ parent: Chain, _ next: NextKey) {
        (agreement, hash) = (parent.agreement, parent.hash)
        (depth, via) = (parent.depth + 1, next)
        self.parent = parent
        let start = hash.hash(parent.root, "smsenc/1 combine", next.symbols)
        root = hash.hash(start, "smsenc/1 root")
        marks = [hash.hash(start, "smsenc/1 chain")]
        last = (0, marks[0])
    }

    /// Returns the chain that results from mixing in a next key.
    func mixing(_ next: NextKey) -> Chain {
        if let known = mixed.lazy.compactMap(\.chain).first(where: { $0.via === next }) {
            return known
        }
        let chain = Chain(self, next)
        mixed = mixed.filter { $0.chain != nil } + [Mixed(chain: chain)]
        return chain
    }

    private struct Mixed {
        weak var chain: Chain?
    }

    /// Returns the chain key from which the message key at `index` is derived.
    func chainKey(at index: Int) -> [UInt8] {
        let mark = min(index / 16, marks.count - 1)
        let isNear = last.index <= index && last.index >= 16 * mark
        var (place, key) = isNear ? last : (16 * mark, marks[mark])
        while place < index {
            key = hash.hash(key, [1])
            place += 1
            if place == 16 * marks.count { marks.append(key) }
        }
        last = (index, key)
        return key
    }

    func position(at index: Int) -> KeyPosition {
        KeyPosition(chain: UInt32(depth), key: UInt32(index))
    }

    func messageKey(at index: Int) -> [UInt8] {
        let key = chainKey(at: index)
        return hash.hash(key, [2]) + hash.hash(key, [3])
    }

    /// Returns true if encrypting the frame with this key produces a ciphertext that copying may damage,
    /// such as a ciphertext with two consecutive spaces.
    func isUnusable(for frame: [UInt8], at index: Int, _ cipher: inout Cipher) -> Bool {
        let key = MessageKey(stored: SecretBytes(copying: messageKey(at: index).span))
        var copy = frame
        var symbols = copy.mutableSpan
        return !key.encrypt(&symbols, &cipher)
    }
}

/// The keys that the adversary can derive, by the rules of Tests/Proofs. From a chain key, all later chain
/// keys can be derived. From a root and a next key, the chain that results from mixing can be derived.
extension Chain {
    func learn(from index: Int, root: Bool) {
        knownFrom = min(knownFrom ?? index, index)
        knowsRoot = knowsRoot || root
    }

    /// Returns true if the adversary has the message key at `index`.
    func isKnown(at index: Int) -> Bool {
        derive()
        return stolen.contains(index) || index >= knownFrom ?? .max
    }

    /// First index at which the adversary knows all keys.
    var firstKnown: Int? {
        derive()
        return knownFrom
    }

    private func derive() {
        guard let parent, let via, via.isKnown, knownFrom != 0 else { return }
        parent.derive()
        if parent.knowsRoot { learn(from: 0, root: true) }
    }
}

/// One SMS as it was sent.
final class SMS {
    enum Content {
        /// A message encrypted with a message key. Its frame contains the next key.
        case pad(Chain, index: Int, frame: [UInt8], NextKey)
        case offer(Secret)
    }

    let serial: Int
    let sender: Persona
    let recipient: Persona
    let content: Content
    let symbols: [UInt8]
    /// Number of keys that this SMS used (including discarded keys), its position among all keys of its
    /// direction, and the time when it was sent.
    let keys: Int
    let position: Int
    let sent: Int64
    /// True if the adversary created this SMS.
    let isForged: Bool
    /// Message that this SMS contains completely or in part.
    let message: TestMessage?
    let part: Int
    /// Serial number of the time when the reader erased the key. A copy of the keyring made after that
    /// time cannot decrypt this SMS.
    var closed: Int?

    init(
        _ content: Content, _ symbols: [UInt8], from sender: Persona, to recipient: Persona,
        serial: Int, keys: Int = 1, position: Int = 0, at sent: Int64, isForged: Bool = false,
        of message: TestMessage? = nil, part: Int = 0
    ) {
        (self.content, self.symbols, self.serial) = (content, symbols, serial)
        (self.sender, self.recipient) = (sender, recipient)
        (self.keys, self.position, self.sent, self.isForged) = (keys, position, sent, isForged)
        (self.message, self.part) = (message, part)
    }
}
