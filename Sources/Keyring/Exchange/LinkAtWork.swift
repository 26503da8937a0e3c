internal import Crypto
internal import Protocol

/// A link at work within one exchange.
extension Link {
    /// Enciphers a frame; false when all of the keys allowed were thrown away.
    func send(
        _ symbols: inout MutableSpan<UInt8>, limit: Int, _ bench: inout Workbench
    ) throws(KeyringError) -> Bool {
        if taken == 0 {
            conversation?.mixPending(&bench)
            chainAtStart = conversation?.sending.chain.fork()
        }
        do throws(CryptoError) {
            guard let sent = try conversation?.send(&symbols, limit: limit, &bench) else {
                return false
            }
            taken += sent.keys
            return sent.isWritten
        } catch {
            throw .cryptography("\(error)")
        }
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
        counts.sent -= min(counts.sent, UInt64(messages))
        // The contact may have answered in between, which set this count to zero.
        counts.unanswered -= min(counts.unanswered, UInt32(messages))
    }

    /// Tries the keys that come next.
    func receiveNext(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64, _ bench: inout Workbench
    ) throws(KeyringError) -> Bool {
        do throws(CryptoError) {
            return keep(
                try conversation?.receiveNext(
                    &symbols, window: window, at: now, archive: &archive, &bench))
        } catch {
            throw .cryptography("\(error)")
        }
    }

    /// Tries the keys behind.
    func receiveLate(
        _ symbols: inout MutableSpan<UInt8>, at now: Int64, _ bench: inout Workbench
    ) throws(KeyringError) -> Bool {
        do throws(CryptoError) {
            return keep(
                try conversation?.receiveLate(&symbols, at: now, archive: &archive, &bench))
        } catch {
            throw .cryptography("\(error)")
        }
    }

    /// Keeps the key of a message until that is written; false where there is none.
    private func keep(_ key: consuming SpentKey?) -> Bool {
        guard let key else { return false }
        spent.append(key)
        return true
    }
}
