import Crypto
import Support
import Testing

/// Tests Bech32, which is the format of age's keys.
@Suite(.measured) struct Bech32Tests {
    private func encoded(_ bytes: [UInt8], _ prefix: String, capitals: Bool = false) -> String {
        Bech32.encoded(bytes.span, prefix: prefix, capitals: capitals).withSpan { text in
            String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
        }
    }

    /// These are valid strings of BIP 173 whose data consists of whole bytes.
    @Test(arguments: [
        ("a", "", "a12uel5l"),
        (
            "abcdef", "00443214c74254b635cf84653a56d7c675be77df",
            "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw"
        ),
        (
            "split", "c5f38b70305f519bf66d85fb6cf03058f3dde463ecd7918f2dc743918f2d",
            "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w"
        ),
        (
            "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio",
            "",
            "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs"
        ),
    ])
    func ofTheBIP(_ prefix: String, _ data: String, _ text: String) throws {
        #expect(encoded(try bytes(data), prefix) == text)
        #expect(encoded(try bytes(data), prefix, capitals: true) == text.uppercased())
    }

    /// This is the key pair in the specification of age (C2SP, age.md). The private key consists of 32
    /// bytes of value 42.
    @Test func ageKeysAreEncodedAsSpecified() throws {
        let secret = [UInt8](repeating: 0x42, count: 32)
        #expect(
            encoded(secret, "age-secret-key-", capitals: true)
                == "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX")
        let key = X25519.publicKey(of: SecretBytes(copying: secret.span))
        #expect(
            encoded(key, "age") == "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj")
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        let digits = Array(hex)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
        }
    }
}
