import UserInterface
import FrameLayout
import Frames
import GSM7
import Keyring
import ToolKit
import Crypto
import Protocol
import System

/// Encrypts or decrypts a batch of messages with keys of the keyring. The options of smsenc-pad select the
/// kind of the exchange, which is sending, receiving, rereading or a dry run.
protocol MessageExchange: ~Copyable {
    /// Begins an exchange.
    ///
    /// - Parameter window: the number of message keys that are tried ahead in each receiving chain.
    init(with keyring: Keyring, searching window: Int) throws(KeyringError)

    /// Parses a payload, and writes its symbols into a row. If the payload is rejected, returns the
    /// reason.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int, _ options: PadOptions
    ) -> RecordError?

    /// Encrypts or decrypts a message in place.
    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID, _ options: PadOptions
    ) throws(KeyringError) -> ExchangeResult

    mutating func commit() throws(KeyringError)

    /// Finishes the exchange after the commit.
    ///
    /// - Parameter count: the number of messages at the beginning of the exchange for which
    ///   `countsAsWritten` is true. Nil if `countsAsWritten` is true for all messages.
    consuming func finish(written count: Int?) throws(KeyringError)

    /// Returns true if the exchange regards a message as written to the output. `place` is the range of
    /// the message in the output.
    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool

    /// Returns the diagnostic for an exchange that could not be finished.
    ///
    /// - Parameter areAllWritten: true if all messages were written.
    static func unfinished(_ error: KeyringError, areAllWritten: Bool) -> String
}

/// The exchanges that do not change the keyring. An exchange that does not change the keyring need not be
/// finished.
extension MessageExchange where Self: ~Copyable {
    consuming func finish(written count: Int?) throws(KeyringError) {}

    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        false
    }

    static func unfinished(_ error: KeyringError, areAllWritten: Bool) -> String { error.text }
}

extension Sending: MessageExchange {
    init(with keyring: Keyring, searching _: Int) throws(KeyringError) {
        try self.init(with: keyring)
    }

    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID, _ options: PadOptions
    ) throws(KeyringError) -> ExchangeResult {
        try encrypt(&symbols, for: contact, onlyIfReceiptIsDue: options.sendsReceipts) {
            (frame, receipt) in
            if options.sendsReceipts {
                guard let receipt = receipt(Frame.longestReceipt) else { return }
                withScratch(Frame.length) { (symbols) in
                    withScratch(Frame.longestReceipt) { (encoded) in
                        receipt.encode(into: &encoded)
                        Frame.append(onlyReceipt: encoded.span, to: &symbols)
                    }
                    for index in symbols.indices { frame[index] = symbols.span[index] }
                }
            } else {
                _ = Frame.putReceipt(into: &frame) { (room, symbols) in
                    guard let receipt = receipt(room) else { return false }
                    receipt.encode(into: &symbols)
                    return true
                }
            }
        }
    }

    /// Parses a frame. With `--receipts`, writes an empty row, because the record has no payload.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int, _ options: PadOptions
    ) -> RecordError? {
        do throws(FrameFault) {
            let count = try symbols.write(row: row) { (symbols) throws(FrameFault) in
                if !options.sendsReceipts { try Frame.readSymbols(payload, into: &symbols) }
            }
            if options.sendsReceipts { return nil }
            try symbols.withRow(row) { (symbols) throws(FrameFault) in
                try Frame.validate(symbols.extracting(..<count))
            }
            return nil
        } catch {
            return DiagnosticText.rejection(of: error, like: ContentGuess(payload))
        }
    }

    /// Returns true if a byte of the message may have been written. After any part of a message has been
    /// written, the key of the message must not be used again.
    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        place.lowerBound < output.possiblyWritten
    }

    static func unfinished(_ error: KeyringError, areAllWritten: Bool) -> String {
        areAllWritten ? DiagnosticText.unrecorded(error) : DiagnosticText.keysNotTakenBack(error)
    }
}

extension Receiving: MessageExchange {
    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID, _ options: PadOptions
    ) throws(KeyringError) -> ExchangeResult {
        try decrypt(&symbols, of: contact, reading: FrameContent.init(takingReceiptFrom:))
    }

    /// Parses a ciphertext as phones and gateways deliver it.
    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int, _ options: PadOptions
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

    /// Returns true if all bytes of the message have certainly been written. Always returns false if the
    /// output is a file, because the bytes of a file can be lost until fsync(2) is called.
    static func countsAsWritten(_ place: Range<Int64>, of output: borrowing Output) -> Bool {
        place.upperBound <= (output.isFile ? 0 : output.certainlyWritten)
    }

    static func unfinished(_ error: KeyringError, areAllWritten: Bool) -> String {
        DiagnosticText.readableOnceMore(error)
    }
}

extension Rereading: MessageExchange {
    mutating func process(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID, _ options: PadOptions
    ) throws(KeyringError) -> ExchangeResult {
        try decrypt(&symbols, of: contact, reading: FrameContent.init(takingReceiptFrom:))
    }

    static func read(
        _ payload: Span<UInt8>, into symbols: inout SecretRows, row: Int, _ options: PadOptions
    ) -> RecordError? {
        Receiving.read(payload, into: &symbols, row: row, options)
    }
}

extension FrameContent {
    /// Takes the receipt out of a decrypted frame, and describes what the frame contained. smsenc-frame
    /// can then decode the frame. A frame without a receipt is not changed.
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
