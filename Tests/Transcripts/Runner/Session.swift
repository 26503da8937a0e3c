import Foundation

/// Starts /bin/sh as the leader of a new session without a terminal, with these descriptors, no
/// signal ignored or blocked.
func startShell(
    environment: [String: String], descriptors: [(own: Int32, child: Int32)]
) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (own, child) in descriptors {
        unsafe posix_spawn_file_actions_adddup2(&actions, own, child)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int(POSIX_SPAWN_SETSIGDEF) | Int(POSIX_SPAWN_SETSIGMASK) | newSession
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    let variables = environment.map { "\($0.key)=\($0.value)" }
    var process: pid_t = 0
    let error = unsafe withCStrings(["/bin/sh"]) { arguments in
        unsafe withCStrings(variables) { variables in
            unsafe posix_spawn(
                &process, "/bin/sh", &actions, &attributes, arguments, variables)
        }
    }
    guard error == 0 else {
        errno = error
        throw SystemError("/bin/sh")
    }
    return process
}

/// Waits for the end of a process: its exit status, or 128 and the signal that ended it.
func exitStatus(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
}

/// A new temporary folder with a home, and an environment that names nothing outside it.
func makeHome(tools: URL) throws -> (folder: URL, environment: [String: String]) {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appendingPathComponent("smsenc-" + UUID().uuidString)
    for name in ["home", "run", "tmp", "desk"] {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(name), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }
    return (
        folder,
        [
            "PATH": tools.path + ":" + Tools.otherPath,
            "PROJECT": Project.folder.path,
            "HOME": folder.path + "/home",
            "XDG_DATA_HOME": folder.path + "/home/.local/share",
            "XDG_STATE_HOME": folder.path + "/home/.local/state",
            "XDG_RUNTIME_DIR": folder.path + "/run",
            "TMPDIR": folder.path + "/tmp",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        ]
    )
}

/// A word for the shell.
func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
}

#if canImport(Glibc)
    /// POSIX_SPAWN_SETSID of <spawn.h>, which Swift's Glibc module lacks.
    private let newSession = 0x80
#else
    private let newSession = Int(POSIX_SPAWN_SETSID)
#endif

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies)
}
