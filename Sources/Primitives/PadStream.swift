internal import CCrypto
internal import CPlatform

/// The pad: AES-256-CTR key stream without the bytes that would favour some symbols
/// (PROTOCOL.md, section 5).
///
/// One libcrypto context serves all keys; making one costs more than enciphering a message.
@safe
package struct PadStream: ~Copyable {
    /// Bytes of key stream made at a time. 154 symbols need 158 of them on average; the odds that
    /// 192 do not do are below 2^-50.
    private static let blockSize = 192

    private let context: CipherContext
    private let zeros: UnsafeMutablePointer<UInt8>
    private let stream: UnsafeMutablePointer<UInt8>
    /// Symbols made last.
    private let pad: UnsafeMutablePointer<UInt8>
    /// Symbols of a pad, at most: an SMS.
    private static let longestPad = 160

    package init() throws(CryptoError) {
        let made = try CipherContext()
        guard unsafe EVP_EncryptInit_ex(made.pointer, Libcrypto.counterMode, nil, nil, nil) == 1
        else {
            throw .failed("EVP_EncryptInit_ex")
        }
        context = made
        unsafe zeros = .allocate(capacity: Self.blockSize)
        unsafe zeros.initialize(repeating: 0, count: Self.blockSize)
        unsafe stream = .allocate(capacity: Self.blockSize)
        unsafe stream.initialize(repeating: 0, count: Self.blockSize)
        unsafe pad = .allocate(capacity: Self.longestPad)
        unsafe pad.initialize(repeating: 0, count: Self.longestPad)
    }

    deinit {
        unsafe platform_cleanse(stream, Self.blockSize)
        unsafe platform_cleanse(pad, Self.longestPad)
        unsafe pad.deallocate()
        unsafe stream.deallocate()
        unsafe zeros.deallocate()
    }

    /// Cleanses the key and the key stream made with it.
    package mutating func forget() {
        // Keyed anew, libcrypto overwrites the key schedule.
        _ = unsafe EVP_EncryptInit_ex(context.pointer, nil, nil, zeros, zeros)
        unsafe platform_cleanse(stream, Self.blockSize)
        unsafe platform_cleanse(pad, Self.longestPad)
    }

    /// Adds the pad that was made last to the symbols from `start` on, each below 125.
    package func add(to symbols: inout MutableSpan<UInt8>, from start: Int) {
        combine(&symbols, start) { (symbol, pad) in
            let sum = symbol &+ pad
            return sum >= 125 ? sum &- 125 : sum
        }
    }

    /// Takes the pad off that was made last.
    package func subtract(from symbols: inout MutableSpan<UInt8>, from start: Int) {
        combine(&symbols, start) { (symbol, pad) in
            let difference = symbol &- pad
            return difference >= 125 ? difference &+ 125 : difference
        }
    }

    /// A loop that the compiler makes vectors of.
    @inline(__always)
    private func combine(
        _ symbols: inout MutableSpan<UInt8>, _ start: Int, _ body: (UInt8, UInt8) -> UInt8
    ) {
        precondition(start >= 0 && symbols.count - start <= Self.longestPad)
        let pad = unsafe pad
        unsafe symbols.withUnsafeMutableBufferPointer { symbols in
            guard let base = symbols.baseAddress else { return }
            let first = unsafe base + start
            for index in 0..<max(0, symbols.count - start) {
                unsafe first[index] = unsafe body(first[index], pad[index])
            }
        }
    }

    /// Makes the pad of a message.
    ///
    /// - Parameters:
    ///   - length: symbols, 160 at most.
    ///   - key: 32 bytes from `keyOffset` on.
    ///   - nonce: the first bytes of the initial counter block, the rest being zero.
    package mutating func make(
        _ length: Int, key: borrowing SecretBytes, keyOffset: Int, nonce: UInt64
    ) throws(CryptoError) {
        precondition(length <= Self.longestPad)
        var counter: (UInt64, UInt64) = (nonce.bigEndian, 0)
        let started = unsafe withUnsafeMutableBytes(of: &counter) { block in
            return unsafe key.withPointer { key in
                unsafe EVP_EncryptInit_ex(
                    context.pointer, nil, nil, key + keyOffset,
                    block.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
        }
        guard started == 1 else { throw .failed("EVP_EncryptInit_ex") }
        var made = 0
        while made < length {
            var written: Int32 = 0
            guard
                unsafe EVP_EncryptUpdate(
                    context.pointer, stream, &written, zeros, Int32(Self.blockSize)) == 1,
                written == Int32(Self.blockSize)
            else { throw .failed("EVP_EncryptUpdate") }
            // No branch on a byte: one that is skipped is overwritten by the next.
            let (stream, pad) = unsafe (stream, pad)
            var index = 0
            while index < Self.blockSize, made < length {
                let byte = unsafe stream[index]
                unsafe pad[made] = byte < 125 ? byte : byte &- 125
                made += byte < 250 ? 1 : 0
                index += 1
            }
        }
    }
}
