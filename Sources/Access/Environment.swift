#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The environment's variables.
package enum Environment {
    /// A variable's value; nil where it is not set or empty.
    package static func value(_ name: String) -> String? {
        guard let start = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: start)
        return text.isEmpty ? nil : text
    }
}
