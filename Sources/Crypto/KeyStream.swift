internal import CCrypto

/// Generates pads from an AES-256-CTR key stream. A pad consists of uniformly distributed symbols
/// (smsenc-protocol(7), The pad).
///
/// Bytes of the key stream are reduced modulo 125, which gives symbols. Bytes of 250 and more are skipped,
/// because they would make some symbols more likely than others.
///
/// One libcrypto context is used for all keys, because creating a context takes longer than encrypting a
/// message.
@safe
package struct KeyStream: ~Copyable {
    /// Number of key stream bytes that are generated at a time. On average, 158 bytes of key stream give 154
    /// symbols. The probability that 192 bytes of key stream give fewer than 154 symbols is below 2^-50.
    private static let blockSize = 192
    /// Number of key stream bytes that are filtered together.
    private static let wordSize = 8
    /// Maximum number of symbols in a pad, which is the number of symbols in an SMS.
    private static let longestPad = 160
    /// Number of symbols in the alphabet.
    private static let modulus: UInt8 = 125

    private let context: CipherContext
    private var block: SecretBytes
    /// Input of the cipher. The cipher encrypts zeros, so its output is the key stream.
    private let zeros: SecretBytes
    /// The pad that was generated most recently.
    private var pad: SecretBytes

    package init() {
        context = CipherContext()
        block = SecretBytes(count: Self.blockSize)
        zeros = SecretBytes(count: Self.blockSize)
        // The last word of the pad may extend beyond the maximum length.
        pad = SecretBytes(count: Self.longestPad + Self.wordSize)
        guard unsafe EVP_EncryptInit_ex(context.pointer, Libcrypto.counterMode, nil, nil, nil) == 1
        else { fatalError("libcrypto failed: EVP_EncryptInit_ex") }
    }

    /// Adds the current pad to the symbols, beginning at index `start`, modulo 125. Each symbol must be
    /// below 125.
    package func add(to symbols: inout MutableSpan<UInt8>, from start: Int) {
        combine(&symbols, start) { (symbol, pad) in
            let sum = symbol &+ pad
            return sum >= Self.modulus ? sum &- Self.modulus : sum
        }
    }

    /// Subtracts the current pad from the symbols, beginning at index `start`, modulo 125.
    package func subtract(from symbols: inout MutableSpan<UInt8>, from start: Int) {
        combine(&symbols, start) { (symbol, pad) in
            let difference = symbol &- pad
            return difference >= Self.modulus ? difference &+ Self.modulus : difference
        }
    }

    /// Replaces each symbol with the result of `body` for the symbol and its pad symbol. The compiler
    /// vectorises the loop of this function.
    @inline(__always)
    private func combine(
        _ symbols: inout MutableSpan<UInt8>, _ start: Int, _ body: (UInt8, UInt8) -> UInt8
    ) {
        precondition(start >= 0 && symbols.count - start <= Self.longestPad)
        unsafe symbols.withUnsafeMutableBufferPointer { symbols in
            unsafe pad.withPointer { pad in
                guard let base = symbols.baseAddress else { return }
                let first = unsafe base + start
                for index in 0..<max(0, symbols.count - start) {
                    unsafe first[index] = unsafe body(first[index], pad[index])
                }
            }
        }
    }

    /// Generates the pad of a message.
    ///
    /// - Parameters:
    ///   - length: number of symbols, at most 160.
    ///   - key: contains the 32-byte key at `keyOffset`.
    ///   - nonce: the first 8 bytes of the initial counter block. The other bytes of the counter block are
    ///     zero.
    package mutating func make(
        _ length: Int, key: borrowing SecretBytes, keyOffset: Int, nonce: UInt64
    ) {
        precondition(length <= Self.longestPad && key.count - keyOffset >= 32)
        var counter: (UInt64, UInt64) = (nonce.bigEndian, 0)
        let started = unsafe withUnsafeMutableBytes(of: &counter) { counter in
            unsafe key.withPointer { key in
                unsafe EVP_EncryptInit_ex(
                    context.pointer, nil, nil, key + keyOffset,
                    counter.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
        }
        guard started == 1 else { fatalError("libcrypto failed: EVP_EncryptInit_ex") }
        var made = 0
        while made < length {
            makeBlock()
            reduceBlock()
            var start = 0
            while made < length, start < Self.blockSize {
                made += takeWord(at: start, to: made)
                start += Self.wordSize
            }
        }
    }

    /// Examines the next 8 bytes of the reduced key stream, and appends the bytes that are symbols to the
    /// pad. Returns the number of appended symbols.
    ///
    /// This function first tests whether all 8 bytes of the word are symbols. In five of six words, all bytes
    /// are symbols, so the processor predicts this branch well. If each byte were tested separately, the
    /// processor would often mispredict the branch.
    @inline(__always)
    private mutating func takeWord(at start: Int, to end: Int) -> Int {
        unsafe block.withPointer { block in
            unsafe pad.withPointer { pad in
                let word = unsafe UnsafeRawPointer(block + start).loadUnaligned(as: UInt64.self)
                unsafe UnsafeMutableRawPointer(pad + end).storeBytes(of: word, as: UInt64.self)
                // All bytes are at most 130. Adding 3 to a byte sets its highest bit only if the byte is
                // at least 125.
                if (word &+ 0x0303_0303_0303_0303) & 0x8080_8080_8080_8080 == 0 {
                    return Self.wordSize
                }
                var count = 0
                for index in 0..<Self.wordSize where unsafe block[start + index] < Self.modulus {
                    unsafe pad[end + count] = unsafe block[start + index]
                    count += 1
                }
                return count
            }
        }
    }

    /// Subtracts 125 once from each byte of 125 or more. Bytes of 250 or more are still at least 125 after
    /// the subtraction, so `takeWord` skips them. The compiler vectorises the loop of this function.
    private mutating func reduceBlock() {
        block.withMutableSpan { block in
            for index in block.indices {
                let byte = block[index]
                block[index] = byte >= Self.modulus ? byte &- Self.modulus : byte
            }
        }
    }

    /// Generates the next block of key stream.
    private mutating func makeBlock() {
        var written: Int32 = 0
        let done = unsafe block.withPointer { block in
            unsafe zeros.withPointer { zeros in
                unsafe EVP_EncryptUpdate(
                    context.pointer, block, &written, zeros, Int32(Self.blockSize))
            }
        }
        guard done == 1, written == Int32(Self.blockSize) else {
            fatalError("libcrypto failed: EVP_EncryptUpdate")
        }
    }
}
