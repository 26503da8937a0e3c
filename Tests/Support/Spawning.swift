internal import CProcess
package import Foundation

/// Lock that must be held while a process is started, or a terminal is opened or closed. A new process has
/// copies of all descriptors until it closes them, and these copies would keep a closed terminal from hanging
/// up.
package let processStartLock = NSRecursiveLock()

/// Starts a program as the leader of a new session without a terminal. The program receives only these
/// descriptors, and no signal is ignored or blocked.
///
/// - Parameter words: the path of the program, followed by its arguments.
package func spawn(
    _ words: [String], environment: [String: String], in folder: String = "/",
    descriptors: [(own: Int32, child: Int32)]
) throws -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (own, child) in descriptors {
        unsafe posix_spawn_file_actions_adddup2(&actions, own, child)
    }
    let above = (descriptors.map(\.child).max() ?? 2) + 1
    _ = unsafe process_start_alone(&actions, folder, above)
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
    let program = words.first ?? ""
    var process: pid_t = 0
    processStartLock.lock()
    defer { processStartLock.unlock() }
    let error = unsafe withCStrings(words) { words in
        unsafe withCStrings(variables) { variables in
            unsafe posix_spawn(
                &process, program, &actions, &attributes, words, variables)
        }
    }
    guard error == 0 else {
        errno = error
        throw SystemError(program)
    }
    return process
}

/// Waits for a process to end. Returns its exit status, or 128 plus the number of the signal that ended it.
package func exitStatus(of process: Int32) -> Int32 {
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    TestCost.current?.add(usage)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
}

#if canImport(Glibc)
    /// POSIX_SPAWN_SETSID of <spawn.h>, which is missing in Swift's Glibc module.
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
