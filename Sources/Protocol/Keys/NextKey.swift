package import Crypto

internal import Frames

/// A next key: ten uniform symbols that one side offers and the other mixes in (smsenc(7), Next
/// keys).
package struct NextKey: ~Copyable {
    /// Symbols in a next key.
    package static let length = 10
    package let symbols: SecretBytes

    package init(stored: consuming SecretBytes) { symbols = stored }

    static func generate() throws(CryptoError) -> NextKey {
        NextKey(stored: try Random.symbols(length, below: 125))
    }

    borrowing func write(into frame: inout MutableSpan<UInt8>) {
        symbols.withSpan { symbols in
            for index in symbols.indices {
                frame[Frame.nextKey.lowerBound + index] = symbols[index]
            }
        }
    }
}
