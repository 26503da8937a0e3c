package import Crypto

internal import Frames
internal import GSM7

extension Conversation {
    /// Message keys searched ahead in a receiving chain.
    package static let window = 128
    /// The same on request, for someone who was away for long.
    package static let farWindow = 4096
    /// Message keys searched ahead in a retired chain.
    static let retiredWindow = 16

    /// Tries the keys that come next: those of the receiving chain and, in turn, those of the chain
    /// that the contact may have mixed the offer into (PROTOCOL.md, section 6, receiving, 1).
    ///
    /// When none fits nothing has changed. So it is with `receiveLate`, which goes on from there.
    ///
    /// - Parameters:
    ///   - symbols: 160, a ciphertext; when a key fits, a frame afterwards with a blank next key.
    ///   - window: message keys searched ahead in each chain.
    ///   - now: seconds since 1970.
    /// - Returns: the key that fitted, spent, to be put on the list of messages being written.
    package mutating func receiveNext(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64,
        archive: inout Archive, _ bench: inout Workbench
    ) throws(CryptoError) -> SpentKey? {
        var ahead = Search(receiving.chain)
        if let key = try ahead.step(&symbols, &bench) {
            accept(&ahead, at: now, &archive, &symbols)
            return key
        }
        guard let mixed = mixedWithOffer(&bench) else {
            for _ in 1..<window {
                if let key = try ahead.step(&symbols, &bench) {
                    accept(&ahead, at: now, &archive, &symbols)
                    return key
                }
            }
            return nil
        }
        var beyond = Search(mixed.chain)
        for index in 0..<window {
            if index > 0, let key = try ahead.step(&symbols, &bench) {
                accept(&ahead, at: now, &archive, &symbols)
                return key
            }
            if let key = try beyond.step(&symbols, &bench) {
                archive.retire(receiving.chain.fork(), at: now)
                receiving = mixed
                offer = nil
                accept(&beyond, at: now, &archive, &symbols)
                return key
            }
        }
        return nil
    }

    /// Tries the keys behind: of messages not yet written when a process died, of retired chains,
    /// and kept ones (section 6, receiving, 2 and 3; section 7). The archive must be loaded.
    package mutating func receiveLate(
        _ symbols: inout MutableSpan<UInt8>, at now: Int64, archive: inout Archive,
        _ bench: inout Workbench
    ) throws(CryptoError) -> SpentKey? {
        for index in 0..<archive.unwritten.count {
            if try archive.unwritten[index].key.opens(&symbols, &bench) {
                let key = SpentKey(archive.unwritten[index].key)
                archive.drop(unwrittenAt: index)
                Self.blankNextKey(&symbols)
                return key
            }
        }
        for index in (0..<archive.retired.count).reversed() {
            var ahead = Search(archive.retired[index].chain)
            for _ in 0..<Self.retiredWindow {
                if let key = try ahead.step(&symbols, &bench) {
                    archive.keep(&ahead.passed, at: now)
                    archive.move(retiredAt: index, to: ahead.chain.fork())
                    Self.blankNextKey(&symbols)
                    return key
                }
            }
        }
        for index in (0..<archive.kept.count).reversed() {
            if try archive.kept[index].key.opens(&symbols, &bench) {
                let key = SpentKey(archive.kept[index].key)
                archive.drop(keptAt: index)
                Self.blankNextKey(&symbols)
                return key
            }
        }
        return nil
    }

    /// The receiving direction that the offer gives when it is mixed in; nil without an offer.
    private borrowing func mixedWithOffer(_ bench: inout Workbench) -> Direction? {
        switch offer {
        case .none: nil
        case .some(let offer): receiving.mixed(with: offer, &bench)
        }
    }

    /// Moves the receiving chain behind the key found.
    private mutating func accept(
        _ search: inout Search, at now: Int64, _ archive: inout Archive,
        _ frame: inout MutableSpan<UInt8>
    ) {
        archive.keep(&search.passed, at: now)
        receiving.chain = search.chain.fork()
        learn(from: frame.span.extracting(Frame.nextKey))
        Self.blankNextKey(&frame)
    }

    private mutating func learn(from symbols: Span<UInt8>) {
        let next = SecretBytes(copying: symbols)
        let isKnown =
            switch learned {
            case .none: false
            case .some(let learned): learned.symbols == next
            }
        if !isKnown {
            learned = NextKey(stored: next)
            isPending = true
        }
    }

    /// Keys never leave the padding tool (section 2).
    private static func blankNextKey(_ frame: inout MutableSpan<UInt8>) {
        for index in Frame.nextKey { frame[index] = Alphabet.space }
    }
}

/// A search ahead in a copy of a chain, with the keys that it passed.
private struct Search: ~Copyable {
    var chain: ChainKey
    var passed = OwnedArray<MessageKey>()

    init(_ chain: borrowing ChainKey) { self.chain = chain.fork() }

    /// Tries the next key; it is passed over when it does not fit.
    mutating func step(
        _ symbols: inout MutableSpan<UInt8>, _ bench: inout Workbench
    ) throws(CryptoError) -> SpentKey? {
        let key = chain.step(&bench)
        if try key.opens(&symbols, &bench) { return SpentKey(key) }
        passed.append(key)
        return nil
    }
}
