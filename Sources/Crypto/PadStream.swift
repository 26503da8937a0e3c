internal import CCrypto
internal import System

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
    /// Symbols of a pad, at most: an SMS. There is room for those made beyond.
    private static let longestPad = 160
    private static let room = longestPad + 8

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
        unsafe pad = .allocate(capacity: Self.room)
        unsafe pad.initialize(repeating: 0, count: Self.room)
    }

    deinit {
        unsafe cleanse(stream, Self.blockSize)
        unsafe cleanse(pad, Self.room)
        unsafe pad.deallocate()
        unsafe stream.deallocate()
        unsafe zeros.deallocate()
    }

    /// Cleanses the key and the key stream made with it.
    package mutating func forget() {
        // Keyed anew, libcrypto overwrites the key schedule.
        _ = unsafe EVP_EncryptInit_ex(context.pointer, nil, nil, zeros, zeros)
        unsafe cleanse(stream, Self.blockSize)
        unsafe cleanse(pad, Self.room)
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
            for start in stride(from: 0, to: Self.blockSize, by: 8) where made < length {
                made = reduce(eightFrom: start, to: made)
            }
        }
    }

    /// Makes symbols of eight bytes of key stream; where the next belongs.
    ///
    /// In a word of eight bytes, bit 7 of each tells whether it is so large that adding carries into it.
    @inline(__always)
    private func reduce(eightFrom start: Int, to place: Int) -> Int {
        let (stream, pad) = unsafe (stream + start, pad + place)
        let word = unsafe UnsafeRawPointer(stream).loadUnaligned(as: UInt64.self)
        let low = word & 0x7F7F_7F7F_7F7F_7F7F
        let skipped = (low &+ 0x0606_0606_0606_0606) & word & 0x8080_8080_8080_8080
        if skipped == 0 {
            let large = ((low &+ 0x0303_0303_0303_0303) | word) & 0x8080_8080_8080_8080
            let symbols = word &- (large >> 7) &* 125
            unsafe UnsafeMutableRawPointer(pad).storeBytes(of: symbols, as: UInt64.self)
            return place + 8
        }
        // One that is skipped is overwritten by the next.
        var count = 0
        for index in 0..<8 {
            let byte = unsafe stream[index]
            unsafe pad[count] = byte < 125 ? byte : byte &- 125
            count += byte < 250 ? 1 : 0
        }
        return place + count
    }
}
