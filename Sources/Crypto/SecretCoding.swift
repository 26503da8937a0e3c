internal import System

/// Builds a secret record from its parts. Integers are big-endian.
@usableFromInline
package struct SecretWriter: ~Copyable {
    private var bytes: SecretBytes
    private var offset = 0

    /// Allocates memory for a record. If the record becomes longer, more memory is allocated.
    package init(capacity: Int = 256) {
        bytes = SecretBytes(count: capacity)
    }

    @inlinable
    package mutating func put(_ number: some FixedWidthInteger) {
        put(UInt128(truncatingIfNeeded: number), bytes: number.bitWidth / 8)
    }

    // This function is not generic. In a generic function, each shift would be a function call, and
    // loading a contact needs dozens of shifts.
    @usableFromInline
    mutating func put(_ number: UInt128, bytes count: Int) {
        let start = skip(count)
        let stored = (number << UInt128(128 - 8 * count)).bigEndian
        unsafe bytes.withPointer { bytes in
            unsafe withUnsafeBytes(of: stored) { stored in
                guard let first = stored.baseAddress else { return }
                unsafe UnsafeMutableRawPointer(bytes + start)
                    .copyMemory(from: first, byteCount: count)
            }
        }
    }

    package mutating func put(_ span: Span<UInt8>) {
        bytes.copy(span, to: skip(span.count))
    }

    package mutating func put(_ secret: borrowing SecretBytes) {
        secret.withSpan { put($0) }
    }

    /// Appends `count` zero bytes and returns the offset of the first.
    @discardableResult
    package mutating func skip(_ count: Int) -> Int {
        precondition(count >= 0)
        if count > bytes.count - offset {
            bytes = beginning(room: max(offset + count, 2 * bytes.count))
        }
        defer { offset += count }
        return offset
    }

    /// Returns the record, padded with zeros to a multiple of `unit` bytes.
    package consuming func finish(paddedTo unit: Int = 1) -> SecretBytes {
        let size = (offset + unit - 1) / unit * unit
        return size == bytes.count ? bytes : beginning(room: size)
    }

    /// Returns a copy of the bytes that were written, followed by zeros.
    private borrowing func beginning(room: Int) -> SecretBytes {
        var copy = SecretBytes(count: room)
        bytes.withSpan { copy.copy($0.extracting(..<offset), to: 0) }
        return copy
    }
}

/// Parses a secret record. The parts are read in the order in which `SecretWriter` wrote them.
///
/// All functions throw `InvalidRecord` if fewer bytes are left than requested.
@usableFromInline
package struct SecretReader: ~Copyable {
    private let bytes: SecretBytes
    private var offset = 0

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    package mutating func byte() throws(InvalidRecord) -> UInt8 { try integer() }

    package mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>()
        throws(InvalidRecord) -> Number
    {
        let start = offset
        try skip(MemoryLayout<Number>.size)
        return unsafe bytes.withPointer {
            unsafe UnsafeRawPointer($0 + start).loadUnaligned(as: Number.self).bigEndian
        }
    }

    /// Skips `count` bytes.
    ///
    /// - Throws: `InvalidRecord` if fewer bytes are left.
    package mutating func skip(_ count: Int) throws(InvalidRecord) {
        guard count >= 0, count <= remaining else { throw InvalidRecord() }
        offset += count
    }

    /// If the next `count` bytes are zeros, skips them and returns true.
    package mutating func skipZeros(_ count: Int) throws(InvalidRecord) -> Bool {
        let start = offset
        let union = try withBytes(count) { (bytes) in
            var union: UInt8 = 0
            for index in bytes.indices { union |= unsafe bytes[unchecked: index] }
            return union
        }
        if union != 0 { offset = start }
        return union == 0
    }

    /// Passes the next `count` bytes to `body`.
    package mutating func withBytes<Result: ~Copyable>(
        _ count: Int, _ body: (Span<UInt8>) -> Result
    ) throws(InvalidRecord) -> Result {
        let start = offset
        try skip(count)
        return bytes.withSpan { body($0.extracting(start..<(start + count))) }
    }

    /// Reads the next `count` bytes into an array. The bytes must not be secret.
    package mutating func bytes(_ count: Int) throws(InvalidRecord) -> [UInt8] {
        try withBytes(count) { Array(copying: $0) }
    }

    /// Reads UTF-8 text that is not secret.
    package mutating func text(_ count: Int) throws(InvalidRecord) -> String {
        guard let text = String(validating: try bytes(count), as: UTF8.self) else {
            throw InvalidRecord()
        }
        return text
    }

    package mutating func secret(_ count: Int) throws(InvalidRecord) -> SecretBytes {
        try withBytes(count) { SecretBytes(copying: $0) }
    }
}
