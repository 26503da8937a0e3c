import Testing

@testable import GSM7

/// The common case reads what the general one reads, or leaves it alone.
@Suite struct BasicReadingTests {
    @Test func allSymbolsInAllPairs() throws {
        for one in 0..<UInt8(Alphabet.symbolCount) {
            for other in 0..<UInt8(Alphabet.symbolCount) {
                let text = String(Alphabet.scalar(of: one)) + String(Alphabet.scalar(of: other))
                #expect(read(Array(text.utf8)) == [one, other])
            }
        }
    }

    /// Every string of one to three bytes that the general case reads otherwise is left to it.
    @Test func nothingElse() throws {
        for one in UInt8.min...(.max) {
            check([one])
            for other in UInt8.min...(.max) {
                check([one, other])
                check([one, other, 0x41])
                check([0xC3, one, other])
            }
        }
    }

    @Test func noMoreThanThereIsRoomFor() {
        #expect(read(Array("abc".utf8), room: 2) == nil)
        #expect(read([], room: 2) == [])
        #expect(
            read(Array("aé".utf8), room: 2) == [Alphabet.symbol(of: "a"), Alphabet.symbol(of: "é")])
        #expect(read(Array("aéb".utf8), room: 2) == nil)
        #expect(read(Array("aé".utf8.dropLast()), room: 2) == nil)
    }

    private func check(_ bytes: [UInt8]) {
        guard let symbols = read(bytes) else { return }
        let general = try? [UInt8](capacity: 8) { (output: inout OutputSpan<UInt8>) in
            _ = try Code.read(bytes.span, into: &output, accepting: .basic)
        }
        #expect(symbols == general, "\(bytes)")
    }

    private func read(_ bytes: [UInt8], room: Int = 8) -> [UInt8]? {
        var isRead = false
        let symbols = [UInt8](capacity: room) { (output: inout OutputSpan<UInt8>) in
            isRead = BasicReading.read(bytes.span, into: &output)
        }
        return isRead ? symbols : nil
    }
}
