import UserInterface
import Crypto
import ToolKit
import Protocol
import System
import Support
import Testing

@testable import Keyring
@testable import smsenc_keyring
@testable import smsenc_pad

/// Checks that the table of ``Advice`` contains exactly the messages that the tools print.
@Suite("Advice", .measured) struct AdviceTests {
    private static let bela = Contact(id: ContactID(1), name: "Bela", number: nil)

    /// Returns all messages about the state of a conversation with a contact.
    private static func lines() throws -> [String] {
        let faults: [SyncFault] =
            [
                .noOwnKey("Bela"), .nothingOut("Bela"), .ownKeyEntered("Bela"), .keyUsed("Bela"),
                .ownOfferEntered("Bela"), .offerUsed("Bela"), .badOffer("Bela"),
                .changed("Bela"),
            ] + ContactState.Status.allCases.map { .unasked("Bela", $0) }
        let copies: [CopyFault] = [.moved, .machineChanged, .leaving("keyring"), .behind]
        let codes: [CodeEntryError] = [
            .wrong(bela, .keys), .wrong(bela, .offers), .own(bela), .notInStep(bela, .syncKey),
            .notInStep(bela, .offer), .notInStep(bela, .nothing),
            .oneCode(bela, yours: "12345 67890 12345 67890"),
        ]
        let (symbols, plain) = (
            (0..<160).map { UInt8($0 % 125) }, [UInt8](repeating: 64, count: 160)
        )
        let pad = smsenc_pad.DiagnosticText.self
        return faults.map(\.text) + copies.map(\.text) + codes.map(\.text)
            + (try summaries().map { pad.line(for: bela, $0) })
            + [Conversation.window, Conversation.farWindow].map {
                pad.refusal(symbols.span, of: bela, searching: $0)
            }
            + [
                pad.refusal(plain.span, of: bela, searching: Conversation.window), pad.readBefore,
                pad.unverified(bela), pad.beginning(bela), pad.oldKeys(bela),
                pad.silence(of: bela, 100),
                pad.lateness(of: bela, 9, of: 10), pad.missing(2, of: bela),
                pad.readAgainFirst(bela, 5000),
            ]
    }

    /// Returns all contact states in which nothing can be encrypted.
    private static func summaries() throws -> [ContactSummary] {
        let ring = Ring(id: 1, key: SecretBytes(count: 32))
        return try ContactState.Status.allCases.flatMap { (status) throws in
            try [ContactState.Method.nothing, .syncKey, .offer].map { (pending) throws in
                let state = ContactState(contact: ContactID(1), in: ring)
                (state.isRestored, state.isLost) = (status == .restored, status == .lost)
                if pending == .syncKey { state.ownKey = try .generate() }
                if pending == .offer { state.ownOffer = SecretBytes(count: 32) }
                return ContactSummary(state)
            }
        }
    }

    @Test func everyMessageOfTheToolsIsInTheAdviceTable() throws {
        for line in try Self.lines() { _ = try Advice.given(by: line) }
    }

    @Test func everyAdviceIsPrintedBySomeTool() throws {
        let lines = try Self.lines()
        for (words, _) in Advice.table {
            #expect(lines.contains { $0.contains(words) }, "no tool says: \(words)")
        }
    }
}
