internal import GSM7

/// One way to write a message into the 144 symbols of a frame's text.
package protocol Form: Sendable {
    /// What it is called: `plain`.
    var name: String { get }

    /// The last character of its failsafe.
    var digit: Unicode.Scalar { get }

    /// Bytes of UTF-8 that `read` appends at most.
    var longestMessage: Int { get }

    /// Symbols that a message takes, be they more than there is room for; nil where the form cannot
    /// write it. A beginning of what fits must fit as well.
    func length(of message: borrowing Message) -> Int?

    /// Bytes of a text's beginning that fits, the longest that is found at once.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as line feeds.
    func reach(in text: Span<UInt8>) -> Int

    /// Appends the symbols of a message, to be padded with spaces, and is true; appends nothing, and is
    /// false, where the message does not fit or cannot be written. `field` has room for the text.
    func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool

    /// Appends the text of the message that a whole field holds, in NFC or not, newlines as line feeds:
    /// at most `longestMessage` bytes, for which there is room.
    ///
    /// - Throws: what makes the field none that a writer gives. What is appended by then means nothing.
    @_lifetime(text: copy text)
    func read(_ field: Span<UInt8>, into text: inout OutputSpan<UInt8>) throws(FrameFault)
}

extension Form {
    package func reach(in text: Span<UInt8>) -> Int {
        var ends = [0]
        while let last = ends.last, last < longestMessage,
            let (_, length) = CodePoint.next(text, at: last)
        {
            ends.append(last + length)
        }
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            let beginning = text.extracting(..<ends[middle])
            let symbols = try? Message.decode(beginning, newline: .lineFeed) { (message) in
                self.length(of: message)
            }
            if let symbols = symbols ?? nil, symbols <= Frame.text.count {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return ends[low]
    }
}

/// The table of forms.
package enum Forms {
    /// All forms: a writer takes the first in which the message fits.
    package static let all: [any Form] = [
        PlainForm(), EscapedForm(), CompressedForm(), PackedForm(),
    ]

    /// What the failsafes of all forms begin with; the form's digit follows.
    private static let prefix = "cos73"
    private static let prefixSymbols = prefix.unicodeScalars.map { Alphabet.known($0) }

    /// The failsafe of a form, in characters.
    package static func failsafe(of form: any Form) -> String { prefix + String(form.digit) }

    /// The form that six symbols name, or nil where they are no failsafe.
    package static func named(by failsafe: Span<UInt8>) -> (any Form)? {
        guard failsafe.count == Frame.failsafe.count else { return nil }
        for (index, symbol) in prefixSymbols.enumerated() where failsafe[index] != symbol {
            return nil
        }
        let digit = Alphabet.scalar(of: failsafe[prefixSymbols.count])
        return all.first { $0.digit == digit }
    }

    @_lifetime(symbols: copy symbols)
    static func writeFailsafe(of form: any Form, to symbols: inout OutputSpan<UInt8>) {
        for symbol in prefixSymbols { symbols.append(symbol) }
        symbols.append(Alphabet.known(form.digit))
    }

    /// The form that a message gets, and the symbols it takes there; of the shortest where it does not
    /// fit.
    static func choice(for message: borrowing Message) -> (form: any Form, length: Int) {
        var shortest: (form: any Form, length: Int)?
        for form in all {
            guard let length = form.length(of: message) else { continue }
            if length <= Frame.text.count { return (form, length) }
            if length < shortest?.length ?? .max { shortest = (form, length) }
        }
        guard let shortest else { fatalError("the packed form takes any message") }
        return shortest
    }
}

extension Alphabet {
    /// The symbol of a character that is known to have one.
    static func known(_ scalar: Unicode.Scalar) -> UInt8 {
        guard let symbol = symbol(of: scalar) else { fatalError("every caller names a basic one") }
        return symbol
    }
}
