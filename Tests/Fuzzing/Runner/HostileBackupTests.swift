import Crypto
import Support
import Testing

/// Backups that were made to do harm.
@Suite struct HostileBackupTests {
    /// A backup whose account was made by somebody who means harm, its digest right: it asks for more
    /// memory or time than there is, or for numbers that nobody can count with.
    @Test(
        arguments: [
            [.max, 300, 1 << 17, 8, 1], [3, .max, 1 << 17, 8, 1], [0, 300, 1 << 17, 8, 1],
            [3, 300, .max, 8, 1], [3, 300, 1 << 60, 8, 1], [3, 300, 1 << 17, .max, 1],
            [3, 300, 1 << 17, 8, .max], [3, 300, 1 << 22, 8, 1], [3, 300, 0, 0, 0],
            [3, 300, 1 << 17, 8, 1 << 20],
        ] as [[UInt64]])
    func hostileAccount(numbers: [UInt64]) throws {
        let bench = try Bench()
        let backup = Array("smsenc-backup 1\n".utf8) + Base64.encoded(account(numbers)) + [10]
        let result = try bench.run(
            "smsenc-keyring",
            ["-k", bench.path("none"), "--password-file", bench.path("password"), "import"],
            input: backup)
        #expect(result.status == 65, "\(result.errorText)")
        Fuzz.check(result, 0, "\(numbers)")
    }

    /// An account as a backup holds it (`Account.encoded`).
    private func account(_ numbers: [UInt64]) -> [UInt8] {
        let keyring = [UInt8](repeating: 1, count: 16)
        let salt = [UInt8](repeating: 2, count: 16)
        let master = [UInt8](repeating: 3, count: 60)
        let text = numbers.map(String.init).joined(separator: " ") + "\namina\n27\n"
        let digest = Digest.sha256(Array(text.utf8) + keyring + salt + master)
        let fields = [keyring, Array("amina".utf8), Array("27".utf8), salt, master]
        return numbers.flatMap { number in
            stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: number >> UInt64($0))
            }
        } + fields.flatMap { [UInt8($0.count)] + $0 } + digest
    }
}
