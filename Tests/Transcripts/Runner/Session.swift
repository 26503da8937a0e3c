import Foundation
import Support
import TestPeople

/// A temporary folder with a home folder, and an environment that refers to nothing outside it.
func makeHome(tools: URL) throws -> (folder: URL, environment: [String: String]) {
    let folder = try makeTemporaryFolder()
    for name in ["home", "run", "tmp", "desk"] {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(name), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }
    return (
        folder,
        [
            "PATH": tools.path + ":" + Commands.path,
            "PROJECT": Project.folder.path,
            "HOME": folder.path + "/home",
            "XDG_DATA_HOME": folder.path + "/home/.local/share",
            "XDG_STATE_HOME": folder.path + "/home/.local/state",
            "XDG_RUNTIME_DIR": folder.path + "/run",
            "TMPDIR": folder.path + "/tmp",
            "SHARED": try shared.get().path("desk"),
            "SMSENC_ARCHITECTURES":
                ProcessInfo.processInfo.environment["SMSENC_ARCHITECTURES"] ?? "",
            "SMSENC_STRICT": ProcessInfo.processInfo.environment["SMSENC_STRICT"] ?? "",
            "SMSENC_KILLS": ProcessInfo.processInfo.environment["SMSENC_KILLS"] ?? "",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        ]
    )
}

/// Files shared by all transcripts of a run, removed at its end.
private let shared = Result {
    let sandbox = try Sandbox()
    sandbox.removeAtExit()
    return sandbox
}

/// Quotes a word for the shell.
func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
}
