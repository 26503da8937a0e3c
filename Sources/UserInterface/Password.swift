internal import GSM7
package import ToolKit
package import Crypto
internal import System

/// A password as bytes. Keyboards can produce different code points for the same character, so a password
/// is normalised to NFC. A password contains no control characters.
package struct Password: ~Copyable {
    package let bytes: SecretBytes

    /// Normalises a password that was typed or read from a file.
    ///
    /// - Throws: `notText`.
    package init(_ typed: borrowing SecretBytes) throws(ExitError) {
        bytes = try typed.withSpan { (span) throws(ExitError) in
            do throws(TextFault) {
                return try NormalText.normalise(span) { (text) throws(TextFault) in
                    var (index, column) = (0, 1)
                    while let (scalar, length) = CodePoint.decode(text, at: index) {
                        if CodePoint.isControl(scalar) { throw .control(scalar, column: column) }
                        (index, column) = (index + length, column + 1)
                    }
                    return SecretBytes(copying: text)
                }
            } catch {
                let what = error.column.map { "character \($0) of the password" } ?? "the password"
                throw AccessError.notText(what).exitError
            }
        }
    }

    /// Reads a password from the first line of a file.
    ///
    /// - Throws: `passwordFile`, `exposedPasswordFile`, `foreignPasswordFile`, `noPassword`, `notText`.
    package init(file path: String) throws(ExitError) {
        let line: SecretBytes?
        var isOwn = true
        do throws(IOError) {
            let file = try File(reading: path)
            // Do not check permissions if the path names a descriptor. The caller was already permitted to
            // open the file, and the path does not show the permissions of the file.
            let isHandedOver = path.hasPrefix("/dev/fd/") || path == "/dev/stdin"
            if isHandedOver || !file.isAccessibleToOthers {
                line = try RecordReader.withFirst(of: file) { SecretBytes(copying: $0) }
            } else {
                line = nil
                isOwn = file.isOwnRegular
            }
        } catch {
            throw AccessError.passwordFile(error).exitError
        }
        guard let line else {
            let fault: AccessError =
                isOwn ? .exposedPasswordFile(path) : .foreignPasswordFile(path)
            throw fault.exitError
        }
        if line.count == 0 { throw AccessError.noPassword(path).exitError }
        try self.init(line)
    }
}
