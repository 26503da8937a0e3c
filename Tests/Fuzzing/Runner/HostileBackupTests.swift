import Crypto
import Support
import TestPeople
import Testing

/// Tests backups that were created by an attacker.
@Suite(.measured) struct HostileBackupTests {
    /// The digest of the backup is correct, but its account requires too much memory or time, or contains
    /// numbers that overflow.
    @Test(
        arguments: [
            [.max, 300, Scrypt.account.cost, 8, 1], [3, .max, Scrypt.account.cost, 8, 1],
            [0, 300, Scrypt.account.cost, 8, 1],
            [3, 300, .max, 8, 1], [3, 300, 1 << 60, 8, 1], [3, 300, Scrypt.account.cost, .max, 1],
            [3, 300, Scrypt.account.cost, 8, .max], [3, 300, 1 << 22, 8, 1], [3, 300, 0, 0, 0],
            [3, 300, Scrypt.account.cost, 8, 1 << 20],
        ] as [[UInt64]])
    func hostileAccount(numbers: [UInt64]) throws {
        let result = try importing(numbers)
        #expect(result.status == 65, "\(result.errorText)")
        Fuzz.check(result, 0, "\(numbers)")
    }

    /// A user name that is not UTF-8 does not become longer than a record can contain.
    @Test func userNameThatIsNotUTF8() throws {
        let result = try importing(
            [3, 300, Scrypt.account.cost, 8, 1], user: [UInt8](repeating: 0xFF, count: 30_000))
        #expect(result.status == 65, "\(result.errorText)")
        Fuzz.check(result, 0, "a user name of 30,000 bytes")
    }

    /// Shows that only the numbers above are wrong. With the numbers of a new keyring, the tool asks for
    /// the password.
    @Test func aValidAccountLeadsToThePasswordPrompt() throws {
        #expect(try importing([3, 300, Scrypt.account.cost, 8, 1]).status == 77)
    }

    private func importing(
        _ numbers: [UInt64], user: [UInt8] = Array("amina".utf8)
    ) throws -> ToolResult {
        let sandbox = try Sandbox()
        let head = [UInt8](repeating: 4, count: 16) + account(numbers, user)
        return try sandbox.run(
            "smsenc-keyring",
            ["-k", sandbox.path("none"), "--password-file", sandbox.path("password"), "import"],
            input: Array("smsenc-backup 3\n".utf8) + Base64.encoded(head) + [10])
    }

    /// Returns an account as it is stored in a backup (`Account.record`).
    private func account(_ numbers: [UInt64], _ user: [UInt8]) -> [UInt8] {
        let salt = [UInt8](repeating: 2, count: 16)
        let master = [UInt8](repeating: 3, count: 60)
        var record = [UInt8](repeating: 1, count: 16)
        for number in numbers {
            for shift in stride(from: 56, through: 0, by: -8) {
                record.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        record += salt + master
        for field in [user, Array("27".utf8)] {
            record += [UInt8(field.count >> 8), UInt8(field.count & 0xFF)] + field
        }
        return record + Digest.sha256(record)
    }
}
