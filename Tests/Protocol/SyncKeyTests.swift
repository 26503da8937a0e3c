import Crypto
import Protocol
import Support
import Testing

/// Checks that the check symbol detects each single wrong character and each exchange of two adjacent
/// characters (smsenc-protocol(7), Sync keys).
@Suite(.measured) struct SyncKeyTests {
    private static let characters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let keys = 200

    private func newKey() throws -> [UInt8] {
        let key = try SyncKey.generate()
        return key.bytes.withSpan { bytes(of: $0) }
    }

    private func isRead(_ text: [UInt8]) -> Bool {
        do throws(SyncKeyFault) {
            _ = try SyncKey(reading: text.span)
            return true
        } catch {
            return false
        }
    }

    @Test func shownSyncKeysCanBeRead() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<Self.keys {
            let text = try newKey()
            #expect(text.count == SyncKey.length && text.allSatisfy(Self.characters.contains))
            let read = try SyncKey(reading: text.span)
            #expect(read.bytes.withSpan { bytes(of: $0) } == text)
            var shown: [UInt8] = []
            read.withShownForm { shown = bytes(of: $0) }
            #expect(shown == Array(text[..<5]) + [UInt8(ascii: "-")] + Array(text[5...]))
            let again = try SyncKey(reading: shown.span)
            #expect(again.bytes.withSpan { bytes(of: $0) } == text)
            seen.insert(text)
        }
        #expect(seen.count == Self.keys)
    }

    @Test func everyWrongCharacterIsDetected() throws {
        for _ in 0..<Self.keys {
            let text = try newKey()
            for place in text.indices {
                for other in Self.characters where other != text[place] {
                    var wrong = text
                    wrong[place] = other
                    #expect(!isRead(wrong))
                }
            }
        }
    }

    @Test func swappingAdjacentCharactersIsDetected() throws {
        var exchanges = 0
        for _ in 0..<Self.keys {
            let text = try newKey()
            for place in 1..<text.count where text[place] != text[place - 1] {
                var wrong = text
                wrong.swapAt(place - 1, place)
                #expect(!isRead(wrong))
                exchanges += 1
            }
        }
        #expect(exchanges > 8 * Self.keys)
    }

    @Test func missingAndExtraCharactersAreDetected() throws {
        let text = try newKey()
        for place in text.indices {
            var short = text
            short.remove(at: place)
            #expect(throws: SyncKeyFault.length(9)) { _ = try SyncKey(reading: short.span) }
            let long = text[..<place] + [UInt8(ascii: "0")] + text[place...]
            #expect(throws: SyncKeyFault.length(11)) { _ = try SyncKey(reading: Array(long).span) }
            var strange = text
            strange[place] = UInt8(ascii: "U")
            #expect(throws: SyncKeyFault.character(place + 1)) {
                _ = try SyncKey(reading: strange.span)
            }
        }
    }
}
