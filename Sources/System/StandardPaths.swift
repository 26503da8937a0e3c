internal import CPlatform

/// The standard paths of the keyring, and of the folders for rollback notes and sessions.
package struct StandardPaths: Sendable {
    /// Folder that contains the rollback notes, `$XDG_STATE_HOME/smsenc`.
    package let state: String
    /// Folder that contains the sessions, and that only this user can access. If the machine has a file
    /// system in memory, the folder for sessions is on this file system.
    package let sessions: String

    package init(state: String, sessions: String) {
        self.state = state
        self.sessions = sessions
    }

    /// Determines the standard paths from environment variables. If the path in a variable is relative, the
    /// variable is ignored (XDG Base Directory Specification).
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

    /// Returns the path of this user's folder for sessions in `parent`, which is a folder to which all users
    /// can write.
    ///
    /// The folder for sessions is normally named `smsenc-UID`. If another user has created a file with the
    /// name `smsenc-UID`, one of the names `smsenc-UID-1` to `smsenc-UID-15` is used. If this user already
    /// owns folders with some of these 16 names, the first of these folders is used. If this user owns no
    /// folder with one of the 16 names, the first name that does not exist is used.
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

/// Access to environment variables.
package enum Environment {
    /// Returns the value of an environment variable, or nil if the variable is unset or empty.
    package static func value(_ name: String) -> String? {
        guard let start = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: start)
        return text.isEmpty ? nil : text
    }
}
