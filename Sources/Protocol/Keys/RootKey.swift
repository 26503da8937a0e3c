package import Crypto

/// The key of a direction that the next keys are mixed into: 32 bytes (smsenc(7), Chains and message keys).
package struct RootKey: ~Copyable {
    package let bytes: SecretBytes

    package init(stored: consuming SecretBytes) { bytes = stored }
}
