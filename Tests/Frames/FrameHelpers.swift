import FrameLayout
import Frames
import GSM7
import Support

/// Encodes a message, and returns its frame as text.
func encoded(
    _ message: String, newline: Newline = .lineFeed
) throws -> String {
    try text(of: symbols(of: Array(message.utf8), newline: newline))
}

func symbols(
    of message: [UInt8], newline: Newline = .lineFeed
) throws -> [UInt8] {
    var symbols: [UInt8] = []
    try symbols.append(atMost: Frame.length) { output in
        try Frame.encode(message.span, newline: newline, into: &output)
    }
    return symbols
}

/// Decodes a frame that is given as text.
func decoded(_ frame: String, newline: Newline = .lineFeed) throws -> String {
    try decoded(symbols(ofFrame: frame), newline: newline)
}

func decoded(_ symbols: [UInt8], newline: Newline = .lineFeed) throws -> String {
    var message: [UInt8] = []
    try message.append(atMost: Frame.longestMessage) { output in
        try Frame.decode(symbols.span, newline: newline, into: &output)
    }
    return String(decoding: message, as: UTF8.self)
}

func validate(_ frame: String) throws {
    let symbols = try symbols(ofFrame: frame)
    try Frame.validate(symbols.span)
}

func text(of symbols: [UInt8]) -> String {
    var bytes: [UInt8] = []
    bytes.append(atMost: symbols.count * Alphabet.longestUTF8) { output in
        Alphabet.write(symbols.span, to: &output)
    }
    return String(decoding: bytes, as: UTF8.self)
}

func symbols(ofFrame text: String) throws -> [UInt8] {
    let bytes = Array(text.utf8)
    var symbols: [UInt8] = []
    try symbols.append(atMost: bytes.count) { output in
        try Alphabet.decode(bytes.span, into: &output)
    }
    return symbols
}
