internal import Primitives
internal import Protocol

/// A link at work within one exchange.
extension Link {
    /// Enciphers a frame; false when all of the keys allowed were thrown away.
    func send(
        _ symbols: inout MutableSpan<UInt8>, limit: Int, _ bench: inout Workbench
    ) throws(KeyringError) -> Bool {
        guard var conversation = conversation.take() else { return false }
        conversation.mixPending(&bench)
        if chainAtStart == nil { chainAtStart = conversation.sending.chain.fork() }
        let outcome: Result<Conversation.Sent, CryptoError>
        do throws(CryptoError) {
            outcome = .success(
                try conversation.send(&symbols, limit: limit, &bench))
        } catch {
            outcome = .failure(error)
        }
        self.conversation = consume conversation
        let sent = try cryptography { () throws(CryptoError) in try outcome.get() }
        keysTaken += sent.keys
        return sent.isWritten
    }

    /// True when the sending chain is where another is.
    func sends(from chain: borrowing ChainKey) -> Bool {
        switch conversation {
        case .none: false
        case .some(let conversation): conversation.sending.chain.bytes == chain.bytes
        }
    }

    /// Takes keys and messages back.
    func returnSending(to chain: consuming ChainKey, messages: Int) {
        guard var present = conversation.take() else { return }
        present.sending.chain = chain
        conversation = consume present
        sent -= min(sent, UInt64(messages))
        // The contact may have answered in between, which set this count to zero.
        unanswered -= min(unanswered, UInt32(messages))
    }

    /// Tries the keys that come next.
    func receiveNext(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64, _ bench: inout Workbench
    ) throws(KeyringError) -> Bool {
        try receive { (conversation, archive) throws(CryptoError) in
            try conversation.receiveNext(
                &symbols, window: window, at: now, archive: &archive, &bench)
        }
    }

    /// Tries the keys behind.
    func receiveLate(
        _ symbols: inout MutableSpan<UInt8>, at now: Int64, _ bench: inout Workbench
    ) throws(KeyringError) -> Bool {
        try receive { (conversation, archive) throws(CryptoError) in
            try conversation.receiveLate(&symbols, at: now, archive: &archive, &bench)
        }
    }

    private func receive(
        _ body: (inout Conversation, inout Archive) throws(CryptoError) -> SpentKey?
    ) throws(KeyringError) -> Bool {
        guard var present = conversation.take() else { return false }
        var found = false
        var failure: CryptoError?
        do throws(CryptoError) {
            if let key = try body(&present, &archive) {
                spent.append(key)
                found = true
            }
        } catch {
            failure = error
        }
        conversation = consume present
        if let failure { throw .cryptography("\(failure)") }
        return found
    }
}
