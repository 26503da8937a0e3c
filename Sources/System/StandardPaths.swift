internal import CPlatform

/// Where things lie outside the keyring.
package struct StandardPaths: Sendable {
    /// `$XDG_STATE_HOME/smsenc`: counts of commits.
    package let state: String
    /// Sessions, on a file system in memory that is this user's alone.
    package let sessions: String

    package init(state: String, sessions: String) {
        self.state = state
        self.sessions = sessions
    }

    /// The places that the environment gives. A relative path in a variable counts as none (XDG Base
    /// Directory Specification).
    /// - Throws: `homeless`.
    package init() throws(PathFault) {
        state = try Self.home("XDG_STATE_HOME", ".local/state") + "/smsenc"
        if let folder = Environment.value("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
            sessions = folder + "/smsenc"
        } else if unsafe access("/dev/shm", W_OK) == 0 {
            sessions = Self.ownFolder(in: "/dev/shm")
        } else {
            let folder = Environment.value("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
            sessions = Self.ownFolder(in: folder ?? "/tmp")
        }
    }

    /// This user's folder for sessions where everybody can make one: `smsenc-UID`, or, while somebody else
    /// holds that name, the first of `smsenc-UID-1` to `smsenc-UID-15` that is this user's, or nobody's.
    private static func ownFolder(in parent: String) -> String {
        let first = "\(parent)/smsenc-\(geteuid())"
        let names = [first] + (1...15).map { "\(first)-\($0)" }
        return names.first { Facts(notFollowing: $0)?.isOwn == true }
            ?? names.first { Facts(notFollowing: $0) == nil } ?? first
    }

    /// The keyring where neither `-k` nor SMSENC_KEYRING names one.
    /// - Throws: `homeless`.
    package static func keyring() throws(PathFault) -> String {
        try home("XDG_DATA_HOME", ".local/share") + "/smsenc/keyring"
    }

    private static func home(_ variable: String, _ fallback: String) throws(PathFault) -> String {
        if let folder = Environment.value(variable), folder.hasPrefix("/") { return folder }
        guard let home = Environment.value("HOME"), home.hasPrefix("/") else {
            throw .homeless(variable)
        }
        return home + "/" + fallback
    }
}

/// The environment's variables.
package enum Environment {
    /// A variable's value; nil where it is not set or empty.
    package static func value(_ name: String) -> String? {
        guard let start = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: start)
        return text.isEmpty ? nil : text
    }
}
