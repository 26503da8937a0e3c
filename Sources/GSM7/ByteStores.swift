extension MutableSpan<UInt8> {
    /// Writes several bytes at once, within bounds that are checked once for all of them.
    ///
    /// The language calls it unsafe to write bytes into elements of any type, some having values that
    /// are none. Bytes have not.
    @inline(__always)
    mutating func store<Bytes: BitwiseCopyable>(_ bytes: Bytes, at index: Int) {
        var room = unsafe mutableBytes
        room.storeBytes(of: bytes, toByteOffset: index, as: Bytes.self)
    }
}
