/// One line of expected output.
struct LinePattern {
    private enum Piece {
        case bytes([UInt8])
        case placeholder(Placeholder)
    }

    let source: String
    private var pieces: [Piece] = []
    private var hasNewline = true

    init(_ source: String) {
        self.source = source
        var text = source[...]
        if text.hasSuffix(Shown.noNewline) {
            text = text.dropLast(Shown.noNewline.count)
            hasNewline = false
        }
        var literal: [UInt8] = []
        while !text.isEmpty {
            let found = Placeholder.allCases.first { text.hasPrefix("<\($0.rawValue)>") }
            guard let found else {
                literal += Array(text.removeFirst().utf8)
                continue
            }
            pieces += [.bytes(literal), .placeholder(found)]
            literal = []
            text = text.dropFirst(found.rawValue.count + 2)
        }
        pieces.append(.bytes(literal))
    }

    /// Matches the beginning of `output`. Returns the end of the line (including its line feed) or of the
    /// prompt.
    func end(in output: ArraySlice<UInt8>, isPrompt: Bool) -> Int? {
        var rest = output
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                guard rest.starts(with: bytes) else { return nil }
                rest = rest.dropFirst(bytes.count)
            case .placeholder(let placeholder):
                guard let end = placeholder.end(in: rest) else { return nil }
                rest = rest[end...]
            }
        }
        if isPrompt { return rest.drop { $0 == UInt8(ascii: " ") }.startIndex }
        guard hasNewline else { return rest.startIndex }
        return rest.first == UInt8(ascii: "\n") ? rest.startIndex + 1 : nil
    }
}
