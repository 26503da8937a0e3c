internal import GSM7
internal import Crypto
internal import System

/// Who a contact is.
package struct Contact: Equatable, Sendable {
    package let id: Int64
    package let name: String
    /// In the spelling of `PhoneNumber`.
    package let number: String?
}

/// A contact's name and number as they are stored, sealed under the ring's key and filled up with
/// zeros to a multiple of 64 bytes, so that the file does not tell their lengths.
///
///     bytes  what
///     2      length of the name
///     n      the name, UTF-8 in NFC
///     1      length of the number, 0 where there is none
///     m      the number
enum ContactCard {
    /// Bytes in a name.
    static let longestName = 255
    private static let unit = 64

    static func record(name: String, number: String?) -> SecretBytes {
        let name = Array(name.utf8)
        let number = Array((number ?? "").utf8)
        let size = 3 + name.count + number.count
        var record = SecretWriter(capacity: (size + unit - 1) / unit * unit)
        record.put(UInt16(name.count))
        record.put(name.span)
        record.put(UInt8(number.count))
        record.put(number.span)
        return record.finish()
    }

    static func contact(
        _ id: Int64, from record: consuming SecretBytes
    ) throws(KeyringError) -> Contact {
        var reader = SecretReader(record)
        return try cryptography { () throws(CryptoError) in
            let length: UInt16 = try reader.integer()
            let name = try reader.text(Int(length))
            let number = try reader.text(Int(try reader.byte()))
            return Contact(id: id, name: name, number: number.isEmpty ? nil : number)
        }
    }

    /// A name as it is stored and compared: in NFC.
    ///
    /// - Throws: `badName`.
    static func normalName(_ name: String) throws(KeyringError) -> String {
        guard !name.isEmpty else { throw .contact(.badName(name, .empty)) }
        guard name != "-" else { throw .contact(.badName(name, .reserved)) }
        for scalar in name.unicodeScalars where CodePoint.isControl(scalar) {
            throw .contact(.badName(name, .control))
        }
        let normal: String
        do throws(TextFault) {
            let utf8 = Array(name.utf8)
            normal = String(decoding: try NormalText.utf8(of: utf8.span), as: UTF8.self)
        } catch {
            throw .contact(.badName(name, .notUTF8))
        }
        guard normal.utf8.count <= longestName else { throw .contact(.badName(name, .tooLong)) }
        return normal
    }
}
