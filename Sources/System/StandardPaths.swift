internal import CPlatform

/// The standard paths of files that are outside the keyring.
package struct StandardPaths: Sendable {
    /// Folder of the rollback notes, `$XDG_STATE_HOME/smsenc`.
    package let state: String
    /// Folder of the sessions. It is accessible to this user only, and on a file system in memory if there is
    /// one.
    package let sessions: String

    package init(state: String, sessions: String) {
        self.state = state
        self.sessions = sessions
    }

    /// Takes the paths from the environment. Relative paths in variables are ignored (XDG Base Directory
    /// Specification).
    ///
    /// - Throws: `noHomeFolder`.
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

    /// Returns this user's folder for sessions in a folder that all users can write to.
    ///
    /// The name is `smsenc-UID`. If another user has taken it, the first of `smsenc-UID-1` to `smsenc-UID-15`
    /// is used that belongs to this user or does not exist.
    private static func ownFolder(in parent: String) -> String {
        let first = "\(parent)/smsenc-\(geteuid())"
        let names = [first] + (1...15).map { "\(first)-\($0)" }
        return names.first { FileStatus(notFollowing: $0)?.isOwn == true }
            ?? names.first { FileStatus(notFollowing: $0) == nil } ?? first
    }

    /// Returns the path of the keyring that is used if neither `-k` nor SMSENC_KEYRING is given.
    ///
    /// - Throws: `noHomeFolder`.
    package static func keyring() throws(PathFault) -> String {
        try home("XDG_DATA_HOME", ".local/share") + "/smsenc/keyring"
    }

    private static func home(_ variable: String, _ fallback: String) throws(PathFault) -> String {
        if let folder = Environment.value(variable), folder.hasPrefix("/") { return folder }
        guard let home = Environment.value("HOME"), home.hasPrefix("/") else {
            throw .noHomeFolder(variable)
        }
        return home + "/" + fallback
    }
}

/// The environment variables.
package enum Environment {
    /// Returns the value of a variable, or nil if it is unset or empty.
    package static func value(_ name: String) -> String? {
        guard let start = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: start)
        return text.isEmpty ? nil : text
    }
}
