import Foundation
import Support
import TestPeople

/// Creates a temporary folder with a home folder. The returned environment does not refer to anything
/// outside the temporary folder.
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
            "SMSENC_ALL": ProcessInfo.processInfo.environment["SMSENC_ALL"] ?? "",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        ]
    )
}

/// Files that all transcripts of a run share. They are removed at the end of the run.
private let shared = Result {
    let sandbox = try Sandbox()
    sandbox.removeAtExit()
    return sandbox
}

/// Quotes a word for the shell.
func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
}
