internal import CPlatform

/// Overwrites an array that held something secret. It must have this one owner, else what is
/// overwritten is a copy.
package func cleanse(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { unsafe platform_cleanse($0.baseAddress, $0.count) }
}
