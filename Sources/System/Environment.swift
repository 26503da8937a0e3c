internal import CPlatform

/// The environment's variables.
package enum Environment {
    /// A variable's value; nil where it is not set or empty.
    package static func value(_ name: String) -> String? {
        guard let start = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: start)
        return text.isEmpty ? nil : text
    }
}
