import UserInterface
import FrameLayout
import Frames
import GSM7
import Keyring
import ToolKit
import Crypto
import Protocol
import System

/// Encrypts or decrypts a batch of messages with keys of the keyring. The options select sending,
/// receiving, rereading, or a dry run.
protocol MessageExchange: ~Copyable {
    /// Begins an exchange.
    ///
    /// - Parameter window: how many message keys ahead to search when decrypting.
    init(with keyring: Keyring, searching window: Int) throws(KeyringError)

    /// Parses a payload, and writes its symbols into a row. Returns the reason if the payload is rejected.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> RecordError?

    /// Encrypts or decrypts a contact's message in place.
    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID
    ) throws(KeyringError) -> ExchangeResult

    mutating func commit() throws(KeyringError)

    /// Finishes the exchange after the commit.
    ///
    /// - Parameter count: number of messages for which `countsAsWritten` is true, counted from the first. Nil
    ///   if all messages count as written.
    consuming func finish(written count: Int?) throws(KeyringError)

    /// Returns true if a message counts as written, given its range in the output.
    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool

    /// Returns the diagnostic for an exchange that could not be finished: `unfinished` if not all messages
    /// were written, `unrecorded` if all messages were written.
    static func unfinished(_ error: KeyringError) -> String
    static func unrecorded(_ error: KeyringError) -> String
}

extension Sending: MessageExchange {
    init(with keyring: Keyring, searching _: Int) throws(KeyringError) {
        try self.init(with: keyring)
    }

    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID
    ) throws(KeyringError) -> ExchangeResult {
        try encrypt(&symbols, for: contact) { (frame, receipt) in
            _ = Frame.putReceipt(into: &frame) { (room, symbols) in
                guard let receipt = receipt(room) else { return false }
                receipt.encode(into: &symbols)
                return true
            }
        }
    }

    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> RecordError? {
        do throws(FrameFault) {
            let count = try symbols.write(row: row) { (symbols) throws(FrameFault) in
                try Frame.readSymbols(payload, into: &symbols)
            }
            try symbols.withRow(row) { (symbols) throws(FrameFault) in
                try Frame.validate(symbols.extracting(..<count))
            }
            return nil
        } catch {
            return DiagnosticText.rejection(of: error, like: ContentGuess(payload))
        }
    }

    /// Returns true if a byte of the message may have been written. In that case, its key must not be used
    /// again.
    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        place.lowerBound < output.possiblyWritten
    }

    static func unfinished(_ error: KeyringError) -> String {
        DiagnosticText.keysNotTakenBack(error)
    }
    static func unrecorded(_ error: KeyringError) -> String { DiagnosticText.unrecorded(error) }
}

extension Receiving: MessageExchange {
    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID
    ) throws(KeyringError) -> ExchangeResult {
        try decrypt(&symbols, of: contact, reading: FrameContent.init(takingReceiptFrom:))
    }

    /// Parses a ciphertext as phones and gateways deliver it.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> RecordError? {
        do throws(TextFault) {
            let count = try symbols.write(row: row) { (symbols) throws(TextFault) in
                try Alphabet.decode(
                    payload.extracting(WhiteSpace.trimmed(payload)), into: &symbols,
                    from: .ciphertext)
            }
            return count == Ciphertext.length
                ? nil : DiagnosticText.rejection(ofLength: count, payload)
        } catch .tooMany(let count) {
            return DiagnosticText.rejection(ofLength: count, payload)
        } catch {
            return RecordError(.text, DiagnosticText.line(forCiphertext: error))
        }
    }

    /// Returns true if all bytes of the message are known to have been written. Always returns false for a
    /// file, because its bytes are safe only after fsync(2).
    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        place.upperBound <= (output.isFile ? 0 : output.certainlyWritten)
    }

    static func unfinished(_ error: KeyringError) -> String {
        DiagnosticText.readableOnceMore(error)
    }
    static func unrecorded(_ error: KeyringError) -> String {
        DiagnosticText.readableOnceMore(error)
    }
}

extension Rereading: MessageExchange {
    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID
    ) throws(KeyringError) -> ExchangeResult {
        try decrypt(&symbols, of: contact, reading: FrameContent.init(takingReceiptFrom:))
    }

    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> RecordError? {
        Receiving.read(payload, into: &symbols, row: row)
    }

    /// Always returns false, because messages that were not written can be read again in any case.
    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        false
    }
    static func unfinished(_ error: KeyringError) -> String { error.text }
    static func unrecorded(_ error: KeyringError) -> String { error.text }
}

extension FrameContent {
    /// Takes the receipt, if there is one, out of a decrypted frame, and describes what the frame contained.
    /// smsenc-frame can then decode the frame.
    init(takingReceiptFrom frame: inout MutableSpan<UInt8>) {
        if Frame.isFromNewerVersion(frame.span) {
            self.init(isFromNewerVersion: true)
            return
        }
        self = withScratch(Frame.longestReceipt) { (symbols) in
            let rest = Frame.takeReceipt(from: &frame, into: &symbols)
            return FrameContent(
                hasText: rest != .nothing,
                receipt: rest == .unchangedFrame ? nil : Receipt(decoding: symbols.span))
        }
    }
}

/// Encrypts a frame with only a receipt for each contact for whom a receipt is due (`--receipts`).
struct ReceiptSending: MessageExchange, ~Copyable {
    private var sending: Sending

    init(with keyring: Keyring, searching _: Int) throws(KeyringError) {
        sending = try Sending(with: keyring)
    }

    /// Writes an empty row, because the record has no payload.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int
    ) -> RecordError? {
        _ = symbols.write(row: row) { (_) in }
        return nil
    }

    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID
    ) throws(KeyringError) -> ExchangeResult {
        try sending.encrypt(&symbols, for: contact, onlyIfReceiptIsDue: true) { (frame, receipt) in
            guard let receipt = receipt(Frame.longestReceipt) else { return }
            withScratch(Frame.length) { (symbols) in
                withScratch(Frame.longestReceipt) { (encoded) in
                    receipt.encode(into: &encoded)
                    Frame.append(onlyReceipt: encoded.span, to: &symbols)
                }
                for index in symbols.indices { frame[index] = symbols.span[index] }
            }
        }
    }

    mutating func commit() throws(KeyringError) { try sending.commit() }
    consuming func finish(written count: Int?) throws(KeyringError) {
        try sending.finish(written: count)
    }

    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        Sending.countsAsWritten(place, of: output)
    }
    static func unfinished(_ error: KeyringError) -> String { Sending.unfinished(error) }
    static func unrecorded(_ error: KeyringError) -> String { Sending.unrecorded(error) }
}
