import UserInterface
import GSM7
import Protocol
import Keyring
import System

@testable import Keyring
@testable import smsenc_pad

/// Produces the real messages of the tools, which are read by people who follow advice.
extension World {
    func contact(_ model: ContactModel) -> Contact {
        Contact(id: model.id, name: model.name, number: model.number)
    }

    func say(_ fault: KeyringError) { say { fault.text } }

    func say(_ summary: ContactSummary, of model: ContactModel) {
        say { DiagnosticText.line(for: contact(model), summary) }
    }

    func say(noKeyFor symbols: [UInt8], of model: ContactModel, far: Bool) {
        say {
            DiagnosticText.refusal(
                symbols.span, of: contact(model),
                searching: far ? Conversation.farWindow : Conversation.window)
        }
    }

    func sayUnverified(_ model: ContactModel) {
        guard [.unverified, .changed].contains(model.state) else { return }
        say {
            model.method == .offer
                ? DiagnosticText.unverified(contact(model))
                : DiagnosticText.beginning(contact(model))
        }
    }

    func sayReadBefore() { say { DiagnosticText.readBefore } }

    private func say(_ words: () -> String) {
        if isListening { said.append(words()) }
    }
}
