import TextCompression
import Support
import Testing

@Suite(.measured) struct CompressionVectorTests {
    @Test func allVectorsAreLoaded() {
        let vectors = CompressionVectors.all
        #expect(vectors.write.count == 93)
        #expect(vectors.read.count == 60)
        for writing in vectors.write {
            #expect(writing.digits.map(\.count) ?? Compression.digitCount == Compression.digitCount)
        }
    }

    @Test(arguments: CompressionVectors.all.write)
    func vectorTextsAreCompressedOrRefused(_ vector: CompressionVectors.CompressCase) throws {
        let text = vector.text
        guard let digits = vector.digits else {
            #expect(!fits(text))
            #expect { try compressed(text) } throws: { error in
                switch (error as? CompressionFault, vector.note) {
                case (.control, "control character"): true
                case (.tooManyCharacters(let count), "too long"):
                    count == text.unicodeScalars.count && count > Compression.maximumCharacters
                case (.tooLong, "one too many"), (.tooLong, "does not fit"):
                    (try? digitsNeeded(for: text)) ?? 0 > Compression.digitCount
                default: false
                }
            }
            return
        }
        #expect(try decompressed(digits) == text)
        let written = try compressed(text)
        #expect(written.count == Compression.digitCount)
        #expect(try Array(decompressed(written).unicodeScalars) == Array(text.unicodeScalars))
        #expect(fits(text))
        #expect(fittingPrefixLength(of: text) == text.utf8.count)
        // The encoder that created the vectors tried all languages. Our encoder tries only the candidates
        // for the text's script if the text fits. If the text contains a number, the result may therefore
        // be two digits longer.
        #expect(significant(written) <= significant(digits) + 2)
        #expect(try digitsNeeded(for: text) >= significant(written))
    }

    @Test(arguments: CompressionVectors.all.read)
    func vectorFieldsAreDecompressedOrRefused(_ vector: CompressionVectors.DecompressCase) throws {
        if let text = vector.text {
            #expect(
                try Array(decompressed(vector.digits).unicodeScalars) == Array(text.unicodeScalars))
            return
        }
        #expect { try decompressed(vector.digits) } throws: { error in
            switch (error as? DecompressionFault, vector.error) {
            case (.noEnd, "no end"), (.tooManyCharacters, "no end"), (.outOfRange, "no end"): true
            case (.unknownModel(let number), "no model"): number == 31
            case (.control, "control character"), (.surrogate, "control character"): true
            default: false
            }
        }
    }

    /// Returns the number of digits before the trailing zeros.
    private func significant(_ digits: [UInt8]) -> Int {
        (digits.lastIndex { $0 != 0 } ?? -1) + 1
    }
}
