import Keyring
import LineIO

/// A contact as records name it, shared by all that do.
final class Recipient {
    let contact: Contact
    /// Where its records stand in a plan while that is made; negative outside.
    var place: Int32 = -1
    /// How records name it; empty where they do not.
    fileprivate let spelling: [UInt8]
    /// The place, among those that are remembered, of the one that came after it last and may again,
    /// since tables go round; negative where none did.
    fileprivate var following: Int32 = -1

    init(_ contact: Contact, spelling: [UInt8] = []) {
        self.contact = contact
        self.spelling = spelling
    }

    fileprivate func isSpelled(_ fields: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == spelling.count else { return false }
        for index in spelling.indices where fields[range.lowerBound + index] != spelling[index] {
            return false
        }
        return true
    }
}

/// The contacts that records name, each looked up once.
struct Recipients {
    private let keyring: Keyring
    private let only: Recipient?
    private var remembered: [Recipient] = []
    /// Their places by spelling, of which a contact may have several.
    private var places: [[UInt8]: Int] = [:]
    /// What they take, in bytes.
    private var size = 0
    private var last: Recipient?
    /// Bytes that may be remembered.
    private let capacity: Int
    /// Bytes of a spelling that is remembered, text aside.
    private static let overhead = 175
    /// Bytes in a spelling that is remembered. Names are no longer; a number may be, with all the
    /// spaces that somebody put in.
    private static let longestSpelling = 255

    /// - Parameters:
    ///   - only: the contact whose all records are.
    ///   - capacity: bytes that may be remembered.
    /// - Throws: `unknown` for a contact that is not there.
    init(_ keyring: Keyring, only name: String?, capacity: Int) throws(KeyringError) {
        self.keyring = keyring
        self.capacity = capacity
        if let name { only = Recipient(try keyring.contact(named: name)) } else { only = nil }
    }

    /// True when records name their contacts.
    var areNamed: Bool { only == nil }

    /// The contact of a record with these fields before the payload.
    mutating func contact(of fields: Span<UInt8>) throws(KeyringError) -> Recipient {
        if let only { return only }
        let range = Self.contactField(of: fields)
        // Tables are often in the order of contacts, or go round.
        if let last, last.isSpelled(fields, range) { return last }
        if let place = last?.following, place >= 0 {
            let guess = remembered[Int(place)]
            if guess.isSpelled(fields, range) {
                last = guess
                return guess
            }
        }
        var spelling: [UInt8] = []
        spelling.reserveCapacity(range.count)
        for index in range { spelling.append(fields[index]) }
        if let place = places[spelling] {
            last?.following = Int32(place)
            last = remembered[place]
            return remembered[place]
        }
        last = nil
        let found = try lookUp(spelling)
        last = found
        return found
    }

    /// True when no more are to be looked up before the next `makeRoom`.
    var areTooMany: Bool { size >= capacity }

    /// Starts anew where too many are remembered. Nobody may need those: they take their memory until
    /// then, remembered or not.
    mutating func makeRoom() {
        guard areTooMany else { return }
        remembered.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        last = nil
        size = 0
    }

    private mutating func lookUp(_ spelling: [UInt8]) throws(KeyringError) -> Recipient {
        guard let text = String(validating: spelling, as: UTF8.self) else {
            throw .badName(String(decoding: spelling, as: UTF8.self), .notUTF8)
        }
        let found = Recipient(try keyring.contact(named: text), spelling: spelling)
        guard spelling.count <= Self.longestSpelling else { return found }
        places[spelling] = remembered.count
        remembered.append(found)
        size += Self.overhead + spelling.count + found.contact.name.utf8.count
        return found
    }

    /// The last field of those before the payload, each of which ends in a TAB.
    static func contactField(of fields: Span<UInt8>) -> Range<Int> {
        let end = max(0, fields.count - 1)
        var start = end
        while start > 0, fields[start - 1] != UInt8(ascii: "\t") { start -= 1 }
        return start..<end
    }
}
