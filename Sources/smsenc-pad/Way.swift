import Access
import FrameLayout
import Frames
import GSM7
import Keyring
import LineIO
import Crypto
import Protocol
import System

/// One of the ways that messages go, which the options pick once: out, in, or out for show.
protocol Way: ~Copyable {
    /// Begins an exchange with the keyring.
    init(with keyring: Keyring, searching window: Int) throws(KeyringError)

    /// Reads what is to go this way; the symbols, or why it cannot.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> Rejection?

    /// Takes a message of a contact through.
    mutating func pass(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> Passed

    mutating func commit() throws(KeyringError)

    /// Ends the exchange: what is out stays out.
    consuming func finish(out count: Int?) throws(KeyringError)

    /// True where a message counts as out, by where it stands in the output.
    static func isOut(_ place: Range<Int64>, of output: borrowing Output) -> Bool

    /// What is said where an exchange whose messages did not all go out could not be ended, and where one
    /// whose messages did could not.
    static func notEnded(_ error: KeyringError) -> String
    static func notNoted(_ error: KeyringError) -> String
}

extension Sending: Way {
    init(with keyring: Keyring, searching _: Int) throws(KeyringError) {
        try self.init(with: keyring)
    }

    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> Rejection? {
        do throws(FrameFault) {
            let count = try symbols.write(row: row) { (symbols) throws(FrameFault) in
                try Frame.readSymbols(payload, into: &symbols)
            }
            try symbols.withRow(row) { (symbols) throws(FrameFault) in
                try Frame.validate(symbols.extracting(..<count))
            }
            return nil
        } catch {
            return Words.rejection(of: error, like: ContentGuess(payload))
        }
    }

    /// A byte may have left.
    static func isOut(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        place.lowerBound < output.possiblyLeft
    }

    static func notEnded(_ error: KeyringError) -> String { Words.notTakenBack(error) }
    static func notNoted(_ error: KeyringError) -> String { Words.notNoted(error) }
}

extension Receiving: Way {
    /// Reads a ciphertext as phones and gateways deliver it.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> Rejection? {
        do throws(TextFault) {
            let count = try symbols.write(row: row) { (symbols) throws(TextFault) in
                try Alphabet.decode(
                    payload.extracting(WhiteSpace.trimmed(payload)), into: &symbols,
                    from: .ciphertext)
            }
            return count == Ciphertext.length ? nil : Words.rejection(ofLength: count, payload)
        } catch .tooMany(let count) {
            return Words.rejection(ofLength: count, payload)
        } catch {
            return Rejection(.text, Words.line(forCiphertext: error))
        }
    }

    /// All bytes certainly have left; those of a file only when it is synchronised.
    static func isOut(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        place.upperBound <= (output.isFile ? 0 : output.certainlyLeft)
    }

    static func notEnded(_ error: KeyringError) -> String { Words.notDropped(error) }
    static func notNoted(_ error: KeyringError) -> String { Words.notDropped(error) }
}

extension Rereading: Way {
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> Rejection? {
        Receiving.read(payload, into: &symbols, row: row)
    }

    /// Nothing depends on it: what is not out can be read again once more.
    static func isOut(_ place: Range<Int64>, of output: borrowing Output) -> Bool { false }
    static func notEnded(_ error: KeyringError) -> String { error.text }
    static func notNoted(_ error: KeyringError) -> String { error.text }
}
