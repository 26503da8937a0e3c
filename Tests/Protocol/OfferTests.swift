import Crypto
import Protocol
import Support
import Testing

/// Checks Vectors/offers.json, which contains offers, the agreements derived from them, and texts that
/// must be refused.
@Suite(.measured) struct OfferVectorTests {
    struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let secrets: [String]?
            let offers: [String]?
            let from: [SyncVectorTests.Vectors.Direction]?
            let read: String?
            /// The user's own public keys.
            let own: [String]?
            let `is`: String?
            let error: String?
            let agree: String?
        }
    }

    private func secret(_ hex: String) -> SecretBytes {
        SecretBytes(copying: bytes(hex: hex).span)
    }

    @Test func agreementsMatchTheVectors() throws {
        var cipher = Cipher()
        var count = 0
        for vector in try vectors("offers", as: Vectors.self).cases {
            guard let secrets = vector.secrets, let offers = vector.offers, let from = vector.from
            else { continue }
            count += 1
            for (own, theirs) in [(0, 1), (1, 0)] {
                let publicKey = X25519.publicKey(of: secret(secrets[own]))
                #expect(Offer(publicKey: publicKey).text == offers[own])
                let exchange = try KeyExchange(
                    secret: secret(secrets[own]), theirs: try Offer(in: offers[theirs]))
                let agreement = try Agreement(exchange, cost: .released)
                let codes = agreement.codes(of: exchange, &cipher)
                #expect(codes.yoursShown == from[own].code)
                #expect(codes.theirsShown == from[theirs].code)
                let conversation = agreement.conversation(of: exchange, &cipher)
                let names = (conversation.sending.name, conversation.receiving.name)
                #expect(names.0 == directionName(from[own].name))
                #expect(names.1 == directionName(from[theirs].name))
                #expect(hex(conversation.sending.root) == from[own].root)
                #expect(hex(conversation.sending.chain) == from[own].chain)
                #expect(hex(conversation.receiving.root) == from[theirs].root)
                #expect(hex(conversation.receiving.chain) == from[theirs].chain)
            }
        }
        #expect(count == 4)
    }

    @Test func onlyValidOffersAreAccepted() throws {
        var count = 0
        for vector in try vectors("offers", as: Vectors.self).cases {
            guard let read = vector.read else { continue }
            count += 1
            let own = vector.own ?? []
            func offer() throws -> Offer {
                let offers = try Offer.all(in: read)
                guard
                    let offer = offers.first(where: {
                        !own.map(bytes(hex:)).contains($0.publicKey)
                    })
                else { throw OfferFault.missing }
                return offer
            }
            func exchange() throws {
                _ = try KeyExchange(
                    secret: secret(String(repeating: "7", count: 64)), theirs: offer())
            }
            if let key = vector.is {
                #expect(try offer().publicKey == bytes(hex: key))
                if vector.agree != nil { #expect(throws: InvalidRecord()) { try exchange() } }
            } else {
                // Either the text or the public key in it must be refused.
                #expect(throws: (any Error).self) { try exchange() }
            }
        }
        #expect(count == 29)
    }

    /// The 20 check bits fail to detect one change in a million. These 1736 changes are always the same,
    /// and all of them are detected.
    @Test func changingOneCharacterOfAnOfferIsRefused() throws {
        let offer = Offer(publicKey: (0..<32).map { UInt8($0 * 7) })
        let characters = Array(offer.text)
        var count = 0
        for index in 8..<characters.count {
            for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where other != characters[index] {
                var altered = characters
                altered[index] = other
                #expect(throws: OfferFault.self) { try Offer(in: String(altered)) }
                count += 1
            }
        }
        #expect(count == 56 * 31)
    }
}
