internal import CCrypto

/// Base64 encoding without line breaks (RFC 4648, section 4).
package enum Base64 {
    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        _ = unsafe text.withUnsafeMutableBufferPointer { text in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe EVP_EncodeBlock(text.baseAddress, bytes.baseAddress, Int32(bytes.count))
            }
        }
        text.removeLast()
        return text
    }

    /// Decodes Base64. Accepts only text in the form that `encoded` produces, and returns nil for all
    /// other text.
    package static func decoded(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0, !text.isEmpty else { return text.isEmpty ? [] : nil }
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3)
        let count = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            unsafe text.withUnsafeBufferPointer { text in
                unsafe EVP_DecodeBlock(bytes.baseAddress, text.baseAddress, Int32(text.count))
            }
        }
        guard count == bytes.count else { return nil }
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        bytes.removeLast(padding)
        return encoded(bytes) == text ? bytes : nil
    }
}
