import Crypto
import Support
import Testing

/// Decodes hexadecimal digits.
func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).compactMap { offset in
        let start = hex.index(hex.startIndex, offsetBy: offset)
        return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
}

func contents(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withSpan { span in
        span.indices.map { span[$0] }
    }
}

@Suite(.measured) struct MACTests {
    @Test func integersRoundTrip() throws {
        let wide = UInt128(0x0123_4567_89AB_CDEF) << 64 | 0xFEDC_BA98_7654_3210
        var writer = SecretWriter(capacity: 16 + 8 + 2)
        writer.put(wide)
        writer.put(Int64.min)
        writer.put(UInt16.max)
        var reader = SecretReader(writer.finish())
        #expect(try reader.integer() as UInt128 == wide)
        #expect(try reader.integer() as Int64 == .min)
        #expect(try reader.integer() as UInt16 == .max)
    }

    /// These are test cases 1, 2 and 4 of RFC 4231, truncated to 128 bits.
    @Test(arguments: [
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819",
            "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
    ])
    func isHMACOfTheStandard(key: String, message: String, result: String) {
        var mac = MAC()
        mac.setKey(bytes(key).span)
        mac.update(bytes(message).span)
        let first = contents(mac.finish())
        #expect(first == bytes(result))
        mac.update(bytes(message).span)
        let again = contents(mac.finish())
        #expect(again == first)
    }

    @Test func halvesAreBigEndian() {
        var mac = MAC()
        mac.setKey(bytes("4a656665").span)
        mac.update("what do ya want for nothing?")
        let (high, low): (UInt128, UInt128) = mac.finish()
        #expect(high == 0x5bdc_c146_bf60_754e_6a04_2426_0895_75c7)
        #expect(low == 0x5a00_3f08_9d27_3983_9dec_58b9_64ec_3843)
    }
}

@Suite(.measured) struct X25519Tests {
    /// X25519 would reduce any larger number modulo 2^255 - 19, so there would be two texts for the same
    /// offer.
    @Test func publicKeysNotBelowThePrimeAreRefused() throws {
        let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
        func key(_ first: UInt8, _ last: UInt8, middle: UInt8 = 0xFF) -> [UInt8] {
            [first] + [UInt8](repeating: 0xFF, count: 29) + [middle, last]
        }
        // These are 2^255 - 21, 2^255 - 1 - 2^240, and a number that is low except for its lowest byte.
        for taken in [key(0xEB, 0x7F), key(0xFF, 0x7F, middle: 0xFE), key(0xFF, 0x7E)] {
            _ = try X25519.shared(secret: secret, publicKey: taken)
        }
        // These are 2^255 - 17, 2^255 - 1, and the first accepted key with the highest bit set.
        for refused in [key(0xEF, 0x7F), key(0xFF, 0x7F), key(0xEB, 0xFF)] {
            #expect(throws: InvalidRecord()) {
                _ = try X25519.shared(secret: secret, publicKey: refused)
            }
        }
    }
}

@Suite(.measured) struct ScryptTests {
    /// This is the third vector of RFC 7914, section 12, of which the first 32 of 64 bytes are compared.
    @Test func scryptMatchesRFC7914() throws {
        let scrypt = Scrypt(cost: 16384, blockSize: 8, parallelism: 1)
        let password = SecretBytes(copying: Array("pleaseletmein".utf8).span)
        let key = try scrypt.derive(password: password, salt: Array("SodiumChloride".utf8).span)
        #expect(
            contents(key)
                == bytes("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"))
    }

    @Test func theReleasedCostOfScryptIsAccepted() throws {
        let scrypt = Scrypt.released
        _ = try scrypt.derive(password: SecretBytes(count: 4), salt: [1, 2].span)
        #expect(scrypt.memory == 128 << 20)
    }
}

@Suite(.measured) struct SealerTests {
    private let record = Array("what is sealed".utf8)
    private let place = Array("where it stands".utf8)

    private func sealer() -> SealingKey {
        SealingKey(key: SecretBytes(copying: [UInt8](repeating: 7, count: 32).span))
    }

    @Test func sealedDataCanBeOpened() throws {
        let sealer = sealer()
        for length in 0...record.count {
            let part = Array(record.prefix(length))
            let sealed = try sealer.seal(part.span, associated: place.span)
            #expect(sealed.count == length + SealingKey.overhead)
            #expect(contents(try sealer.open(sealed.span, associated: place.span)) == part)
        }
    }

    /// An empty span may have a null address, which libcrypto would interpret as the end of a record.
    @Test func emptyDataCanBeSealed() throws {
        let sealer = sealer()
        let sealed = try sealer.seal(Span(), associated: Span())
        #expect(sealed.count == SealingKey.overhead)
        #expect(contents(try sealer.open(sealed.span, associated: Span())).isEmpty)
    }

    @Test func sealingTwiceGivesDifferentResults() throws {
        let sealer = sealer()
        let first = try sealer.seal(record.span, associated: place.span)
        #expect(try sealer.seal(record.span, associated: place.span) != first)
    }

    @Test func everyChangeOfSealedDataIsDetected() throws {
        let sealer = sealer()
        let sealed = try sealer.seal(record.span, associated: place.span)
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: InvalidRecord()) {
                _ = try sealer.open(altered.span, associated: self.place.span)
            }
        }
        for length in 0..<sealed.count {
            #expect(throws: InvalidRecord()) {
                _ = try sealer.open(Array(sealed.prefix(length)).span, associated: self.place.span)
            }
        }
        #expect(throws: InvalidRecord()) {
            _ = try sealer.open(sealed.span, associated: self.record.span)
        }
    }
}

@Suite(.measured) struct RandomTests {
    @Test(arguments: [UInt8(32), 125, 250])
    func symbolsStayBelowTheBoundAndReachAll(bound: UInt8) throws {
        let symbols = contents(try Random.symbols(20_000, below: bound))
        #expect(symbols.count == 20_000)
        #expect(Set(symbols) == Set(0..<bound))
    }

    /// Each symbol is expected 8,000 times. The standard deviation is 89, and six times that is permitted.
    @Test func symbolsAreDistributedUniformly() throws {
        var counts = [Int](repeating: 0, count: 125)
        for symbol in contents(try Random.symbols(1_000_000, below: 125)) {
            counts[Int(symbol)] += 1
        }
        #expect(counts.allSatisfy { abs($0 - 8000) < 6 * 89 }, "\(counts)")
    }
}

@Suite(.measured) struct BytesTests {
    @Test func secretsAreEqualOnlyIfEveryByteIs() {
        let zeros = SecretBytes(count: 40)
        func isEqual(_ bytes: [UInt8]) -> Bool { zeros.holds(bytes.span) }
        let same = [UInt8](repeating: 0, count: 40)
        #expect(isEqual(same) && !isEqual(same + [0]) && !isEqual(Array(same.dropLast())))
        for index in same.indices {
            var other = same
            other[index] = 1
            #expect(!isEqual(other), "\(index)")
        }
    }

    @Test func base64IsDecodedInOneSpellingOnly() {
        for count in 0..<50 {
            let bytes = (0..<UInt8(count)).map { 255 - 5 * $0 }
            #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
        }
        #expect(Base64.decoded(Array("QQ==".utf8)) == [0x41])
        for text in [
            "QQ==    ", "    QQ==", "QQ==\n\n\n\n", "QR==", "QUJ=", "QQ", "QQ=", "Q===", "-w==",
        ] {
            #expect(Base64.decoded(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
