internal import CCrypto

/// AES-256-CTR key stream without the bytes that would favour some symbols, each of the others modulo
/// 125 (smsenc(7), "The pad").
///
/// One libcrypto context serves all keys; making one costs more than enciphering a message.
@safe
package struct KeyStream: ~Copyable {
    /// Bytes of key stream made at a time. 154 symbols need 158 of them on average; the odds that
    /// 192 do not do are below 2^-50.
    private static let blockSize = 192
    /// Bytes of key stream that are looked at together.
    private static let wordSize = 8
    /// Symbols of a pad, at most: an SMS.
    private static let longestPad = 160
    /// Symbols of the alphabet.
    private static let modulus: UInt8 = 125

    private let context: CipherContext
    private var block: SecretBytes
    /// Symbols made last.
    private var pad: SecretBytes

    package init() {
        context = CipherContext()
        block = SecretBytes(count: Self.blockSize)
        // The last word may be longer than what is left.
        pad = SecretBytes(count: Self.longestPad + Self.wordSize)
        guard unsafe EVP_EncryptInit_ex(context.pointer, Libcrypto.counterMode, nil, nil, nil) == 1
        else { fatalError("libcrypto failed: EVP_EncryptInit_ex") }
    }

    /// Adds the pad that was made last to the symbols from `start` on, each below 125.
    package func add(to symbols: inout MutableSpan<UInt8>, from start: Int) {
        combine(&symbols, start) { (symbol, pad) in
            let sum = symbol &+ pad
            return sum >= Self.modulus ? sum &- Self.modulus : sum
        }
    }

    /// Takes the pad off that was made last.
    package func subtract(from symbols: inout MutableSpan<UInt8>, from start: Int) {
        combine(&symbols, start) { (symbol, pad) in
            let difference = symbol &- pad
            return difference >= Self.modulus ? difference &+ Self.modulus : difference
        }
    }

    /// A loop that the compiler makes vectors of.
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

    /// Makes the pad of a message.
    ///
    /// - Parameters:
    ///   - length: symbols, 160 at most.
    ///   - key: 32 bytes from `keyOffset` on.
    ///   - nonce: the first bytes of the initial counter block, the rest being zero.
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

    /// Appends the symbols among 8 bytes of the reduced key stream to the pad, and returns their number.
    ///
    /// A branch for each byte would be mispredicted too often. Five words in six have no byte to leave out.
    @inline(__always)
    private mutating func takeWord(at start: Int, to end: Int) -> Int {
        unsafe block.withPointer { block in
            unsafe pad.withPointer { pad in
                let word = unsafe UnsafeRawPointer(block + start).loadUnaligned(as: UInt64.self)
                unsafe UnsafeMutableRawPointer(pad + end).storeBytes(of: word, as: UInt64.self)
                // The bytes are 130 at most. Adding 3 sets the highest bit of those that are 125 or more.
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

    /// Reduces the bytes of the key stream modulo 125, except those that would favour some symbols: 250 and
    /// more become 125 and more. The compiler vectorises this loop.
    private mutating func reduceBlock() {
        block.withMutableSpan { block in
            for index in block.indices {
                let byte = block[index]
                block[index] = byte >= Self.modulus ? byte &- Self.modulus : byte
            }
        }
    }

    /// Makes the next bytes of key stream: zeros, enciphered where they are.
    private mutating func makeBlock() {
        block.cleanse()
        var written: Int32 = 0
        let done = unsafe block.withPointer { block in
            unsafe EVP_EncryptUpdate(
                context.pointer, block, &written, block, Int32(Self.blockSize))
        }
        guard done == 1, written == Int32(Self.blockSize) else {
            fatalError("libcrypto failed: EVP_EncryptUpdate")
        }
    }
}
