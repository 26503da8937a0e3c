import Foundation
import GSM7
import TextCompression
import Support

/// Compresses a text, and returns all digits of the field.
func compressed(_ text: String) throws -> [UInt8] {
    let utf8 = Array(text.utf8)
    var digits: [UInt8] = []
    try digits.append(atMost: Compression.digitCount) { output in
        try Compression.compress(utf8.span, into: &output)
    }
    return digits
}

func decompressed(_ digits: [UInt8]) throws -> String {
    var utf8: [UInt8] = []
    try utf8.append(atMost: Compression.longestUTF8) { output in
        try Compression.decompress(digits.span, into: &output)
    }
    return String(decoding: utf8, as: UTF8.self)
}

func digitsNeeded(for text: String) throws -> Int {
    let utf8 = Array(text.utf8)
    return try Compression.digitsNeeded(for: utf8.span)
}

func fits(_ text: String) -> Bool {
    (try? compressed(text)) != nil
}

func fittingPrefixLength(of text: String) -> Int {
    let utf8 = Array(text.utf8)
    return Compression.fittingPrefixLength(of: utf8.span)
}

/// The test vectors in Vectors/compressed.json.
///
/// `write` lists texts, each with the field to which it is compressed, or without a field if the text does
/// not fit. `read` lists fields, each with its text or an error.
struct CompressionVectors: Decodable {
    let write: [CompressCase]
    let read: [DecompressCase]

    struct CompressCase: Decodable, Sendable {
        let text: String
        /// Symbols that another implementation has written. Our implementation may write different
        /// symbols.
        let field: String?
        let note: String?

        var digits: [UInt8]? { field.map(symbols) }
    }

    struct DecompressCase: Decodable, Sendable {
        let field: String
        let text: String?
        let error: String?

        var digits: [UInt8] { symbols(of: field) }
    }

    static let all: CompressionVectors = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Vectors/compressed.json")
        guard let data = try? Data(contentsOf: file),
            let vectors = try? JSONDecoder().decode(CompressionVectors.self, from: data)
        else { return CompressionVectors(write: [], read: []) }
        return vectors
    }()

    /// The texts that fit in one field, in all languages.
    static let texts = all.write.filter { $0.field != nil }.map(\.text)
}

/// Converts the symbols of a text field to digits.
private func symbols(of field: String) -> [UInt8] {
    field.unicodeScalars.compactMap { Alphabet.symbol(of: $0) }
}
