import FrameLayout
import Frames
import GSM7
import Keyring
import Crypto
import Protocol
import Support
import TestPeople
import Testing

/// Passes random input to the parsers of the libraries. Each input must be accepted or refused, and
/// accepted input can be converted back.
@Suite(.measured) struct ParserFuzzTests {
    @Test func randomTextIsDecodedOrRefused() {
        Campaign.run(10_000) { generator, seed in
            let text = generator.text()
            let normal = try? NormalText.utf8(of: text.span)
            for newline in [Newline.picture, .lineFeed] {
                // The text is measured, or contains a character that is not a GSM character.
                let measure = normal.flatMap {
                    try? SMSLength($0.span, newline: newline, basicOnly: false)
                }
                let characters = normal.map { String(decoding: $0, as: UTF8.self).unicodeScalars }
                let isGSM = characters?.allSatisfy {
                    CharacterCode($0, newline: newline) != .none
                }
                let count = isGSM == true ? characters?.count : nil
                #expect(measure?.characters == count, "seed \(seed)")
                if let normal {
                    _ = try? [UInt8](atMost: Transliteration.growth * normal.count) {
                        (rendered: inout OutputSpan<UInt8>) in
                        try Transliteration.render(
                            normal.span, newline: newline, basicOnly: true, to: &rendered)
                    }
                }
            }
            // A second normalisation must not change anything, except that a CR may become part of a CR
            // LF.
            if let normal, !normal.contains(UInt8(ascii: "\r")) {
                let again = try? NormalText.utf8(of: normal.span)
                #expect(again == normal, "seed \(seed)")
            }
            for source in [Alphabet.Source.frame, .ciphertext] {
                _ = try? [UInt8](atMost: 160) { (symbols: inout OutputSpan<UInt8>) in
                    try Alphabet.decode(text.span, into: &symbols, from: source)
                }
            }
        }
    }

    @Test func randomFramesAreDecodedOrRefused() {
        Campaign.run(1_000) { generator, seed in
            let text = generator.text()
            for newline in [Newline.picture, .lineFeed] {
                if let frame = frame(of: text, newline) {
                    // Decoding an encoded message must give the original message in NFC.
                    let message = message(of: frame, newline)
                    #expect(message == expected(text, newline), "seed \(seed)")
                }
                try? MessageSplitter.forEachPart(of: text.span, newline: newline) { _ in }
            }
            // Generate random symbols and altered frames.
            var symbols = generator.bytes(160).map { $0 % 126 }
            if let frame = frame(of: text, .lineFeed), generator.once(in: 2) {
                symbols = generator.flipped(frame).map { $0 % 125 }
            } else {
                let form = generator.pick(Form.allCases.map { $0.failsafe })
                for (index, scalar) in form.unicodeScalars.enumerated() {
                    symbols[index] = Alphabet.symbol(of: scalar) ?? 0
                }
                for index in 150..<160 { symbols[index] = Alphabet.space }
            }
            let isRight = (try? Frame.validate(symbols.span)) != nil
            #expect((message(of: symbols, .picture) != nil) == isRight, "seed \(seed)")
        }
    }

    @Test func randomKeysAndOffersAreParsedOrRefused() throws {
        let key = Array("7Q2MX-0Z9KR".utf8)
        let offer = Array(Offer(publicKey: [UInt8](repeating: 7, count: 32)).text.utf8)
        Campaign.run(10_000) { generator, seed in
            let typed = generator.once(in: 2) ? generator.text(upTo: 40) : generator.mutated(key)
            // If the text is accepted, formatting and parsing it again must give the same result.
            if let read = try? SyncKey(reading: typed.span) {
                read.withShownForm { shown in
                    let isSame = isKey(shown, read)
                    #expect(isSame, "seed \(seed)")
                }
            }
            let sent = generator.once(in: 4) ? generator.text() : generator.mutated(offer)
            let text = String(decoding: sent, as: UTF8.self)
            if let read = try? Offer(in: text) {
                let again = try? Offer(in: read.text)
                #expect(again == read, "seed \(seed)")
            }
        }
    }

    @Test func randomBase64IsDecodedOrRefused() {
        Campaign.run(10_000) { generator, seed in
            let bytes = generator.bytes(generator.length(upTo: 100))
            let encoded = Base64.encoded(bytes)
            let decoded = Base64.decoded(encoded)
            #expect(decoded == bytes, "seed \(seed)")
            let mutated = generator.mutated(encoded)
            if let other = Base64.decoded(mutated) {
                let again = Base64.encoded(other)
                #expect(again == mutated, "seed \(seed)")
            }
        }
    }

    /// A stored conversation is decoded if it is complete and if the names of both directions have at most 40
    /// bits, which are five of their eight bytes. Otherwise it is refused. A decoded conversation encodes to
    /// the same bytes again, except that unknown flags and absent next keys become zeros.
    @Test func randomStoredConversationsAreDecodedOrRefused() {
        let unusedBytesOfNames = [0, 1, 2, 80, 81, 82]
        Campaign.run(5_000) { generator, seed in
            var bytes = generator.bytes(Conversation.recordSize)
            for offset in unusedBytesOfNames { bytes[offset] = 0 }
            // Half of the records could have been stored, and half of all records are altered.
            if generator.once(in: 2) { bytes = canonical(bytes) }
            if generator.once(in: 2) {
                let any = generator.number(below: bytes.count)
                let offset = generator.once(in: 4) ? generator.pick(unusedBytesOfNames) : any
                bytes[offset] ^= UInt8(1 + generator.number(below: 255))
            }
            let isCut = generator.once(in: 4)
            let padding = generator.bytes(generator.number(below: 80))
            let stored =
                isCut ? Array(bytes[..<generator.number(below: bytes.count)]) : bytes + padding
            let isValid = !isCut && unusedBytesOfNames.allSatisfy { bytes[$0] == 0 }
            var reader = SecretReader(SecretBytes(copying: stored.span))
            guard let conversation = try? Conversation(from: &reader) else {
                return #expect(!isValid, "seed \(seed)")
            }
            let rest = reader.remaining
            #expect(isValid && rest == padding.count, "seed \(seed)")
            var record = SecretWriter(capacity: Conversation.recordSize)
            conversation.write(to: &record)
            let again = TestPeople.bytes(of: record.finish())
            #expect(again == canonical(bytes), "seed \(seed)")
        }
    }

    /// Returns the bytes of a stored conversation with zeros in place of unknown flags and absent next keys.
    private func canonical(_ conversation: [UInt8]) -> [UInt8] {
        var bytes = conversation
        bytes[160] &= 7
        if bytes[160] & 1 == 0 { for offset in 161..<171 { bytes[offset] = 0 } }
        if bytes[160] & 2 == 0 { for offset in 171..<181 { bytes[offset] = 0 } }
        return bytes
    }

    /// Stored pasts of conversations encode to the same bytes again, and are refused if the end is missing.
    @Test func storedPastsAreDecodedOrRefused() {
        Campaign.run(2_000) { generator, seed in
            let chains = generator.number(below: 4)
            var bytes = [UInt8(chains)] + generator.bytes(chains * Chain.size)
            for _ in 0..<2 {
                let keys = generator.number(below: 4)
                bytes += [0, UInt8(keys)]
                for _ in 0..<keys {
                    bytes += generator.bytes(SpentKey.size) + [UInt8(generator.number(below: 4))]
                }
            }
            bytes += generator.bytes(KeyPosition.size)
            let conversations = generator.number(below: 3)
            bytes += [0, UInt8(conversations)]
            for _ in 0..<conversations {
                bytes += [0, 0, 0] + generator.bytes(5 + 2 * KeyPosition.size)
                let runs = generator.number(below: 3)
                bytes += [0, UInt8(runs)]
                for _ in 0..<runs {
                    // The end of a run is above its start.
                    bytes += generator.bytes(4) + [0] + generator.bytes(3)
                    bytes += [1] + generator.bytes(3) + generator.bytes(8)
                }
            }
            let cut = generator.once(in: 2) ? generator.number(below: bytes.count) : bytes.count
            let stored = Array(bytes[..<cut])
            var reader = SecretReader(SecretBytes(copying: stored.span))
            guard let past = try? ConversationPast(from: &reader) else {
                return #expect(cut < bytes.count, "seed \(seed)")
            }
            var record = SecretWriter(capacity: past.size)
            past.write(to: &record)
            #expect(TestPeople.bytes(of: record.finish()) == bytes, "seed \(seed)")
        }
    }

    private func isKey(_ shown: Span<UInt8>, _ key: borrowing SyncKey) -> Bool {
        do {
            let again = try SyncKey(reading: shown)
            return again == key
        } catch {
            return false
        }
    }

    private func frame(of text: [UInt8], _ newline: Newline) -> [UInt8]? {
        try? [UInt8](atMost: Frame.length) { (frame: inout OutputSpan<UInt8>) in
            try Frame.encode(text.span, newline: newline, into: &frame)
        }
    }

    private func message(of frame: [UInt8], _ newline: Newline) -> [UInt8]? {
        try? [UInt8](atMost: Frame.longestMessage) { (utf8: inout OutputSpan<UInt8>) in
            try Frame.decode(frame.span, newline: newline, into: &utf8)
        }
    }

    /// Returns the expected result for a message, which is in NFC and has converted newlines.
    private func expected(_ text: [UInt8], _ newline: Newline) -> [UInt8]? {
        try? NormalText.utf8(of: text.span)
    }
}
