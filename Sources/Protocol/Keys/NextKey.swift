package import Crypto

internal import FrameLayout

/// A next key, which consists of ten uniformly distributed symbols. One side generates the next key and sends
/// it to the other side. The side that receives a next key mixes it into its own sending direction
/// (smsenc-protocol(7), Next keys).
package struct NextKey: ~Copyable {
    /// Number of symbols in a next key.
    package static let length = 10
    package let symbols: SecretBytes

    package init(stored: consuming SecretBytes) { symbols = stored }

    static func generate() throws(CryptoError) -> NextKey {
        NextKey(stored: try Random.symbols(length, below: 125))
    }

    /// Returns the direction that results from mixing this key into `direction` (smsenc-protocol(7), Next
    /// keys).
    borrowing func mixed(
        into direction: borrowing Direction, _ cipher: inout Cipher
    ) -> Direction {
        let key = symbols.withSpan { cipher.derive(from: direction.root, "smsenc/1 combine", $0) }
        return Direction(
            start: key, name: direction.name, number: direction.chain.number &+ 1, &cipher)
    }

    borrowing func write(to record: inout SecretWriter) { record.put(symbols) }

    borrowing func write(into frame: inout MutableSpan<UInt8>) {
        symbols.withSpan { symbols in
            for index in symbols.indices {
                frame[Frame.nextKey.lowerBound + index] = symbols[index]
            }
        }
    }
}
