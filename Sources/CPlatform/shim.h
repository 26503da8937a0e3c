// Includes the declarations of the C library. Defines wrappers for macros, for functions with variable
// arguments, and for functions that differ between C libraries, because Swift cannot call these directly.
// There is no C source file. Only the target System imports this header.
#pragma once

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// The date of the commit from which the tools are built, in seconds since 1970. A clock that shows an
// earlier time is wrong. scripts/build defines this macro. The default value is the day on which this line
// was written.
#if !defined(SMSENC_RELEASE)
#define SMSENC_RELEASE 1795478400
#endif
static inline int64_t platform_release(void) { return SMSENC_RELEASE; }

static inline int platform_errno(void) { return errno; }

// Opens a file. Programs that are started later do not inherit the descriptor. Returns the descriptor, or
// returns -1 and sets errno.
static inline int platform_open(const char *path, int flags, mode_t mode) {
    int file;
    // musl calls fcntl() after each open(), but not after openat().
    do file = openat(AT_FDCWD, path, flags | O_CLOEXEC, mode);
    while (file < 0 && errno == EINTR);
    return file;
}

// Returns nonzero if a descriptor is open.
static inline int platform_is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

// Returns the name of a directory entry. The type of the field d_name differs between C libraries.
static inline const char *platform_name(const struct dirent *entry) { return entry->d_name; }

// Ignores a signal, or restores its default action.
static inline void platform_ignore(int number) { signal(number, SIG_IGN); }
static inline void platform_restore(int number) { signal(number, SIG_DFL); }

// Overwrites memory. The optimiser does not remove these writes.
static inline void platform_cleanse(void *bytes, size_t count) {
    memset(bytes, 0, count);
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

// Changes the capacity of a pipe, which is 65,536 bytes by default. Has no effect on other kinds of files.
static inline void platform_resize_pipe(int file, int bytes) {
    fcntl(file, 1031 /* F_SETPIPE_SZ, declared for _GNU_SOURCE only */, bytes);
}

// Returns nonzero if a file is open for appending (O_APPEND).
static inline int platform_appends(int file) {
    int flags = fcntl(file, F_GETFL);
    return flags >= 0 && (flags & O_APPEND);
}

// Returns the number of columns of a terminal, or 0 if it is unknown.
static inline int platform_terminal_columns(int file) {
    struct winsize size;
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Returns the number of unread bytes in a pipe. `file` is the writing end of the pipe. Returns 0 if the
// number is unknown.
static inline int platform_unread_in_pipe(int file) {
    struct stat facts;
    int count = 0;
    if (fstat(file, &facts) != 0 || !S_ISFIFO(facts.st_mode)) return 0;
    return ioctl(file, FIONREAD, &count) == 0 ? count : 0;
}

// Fills memory with random bytes from the system. Returns 0 on success.
static inline int platform_random(void *bytes, size_t count) {
    const size_t most = 256; // the maximum for one call of getentropy(3)
    for (size_t done = 0; done < count;) {
        size_t part = count - done < most ? count - done : most;
        if (getentropy((char *)bytes + done, part) != 0) return -1;
        done += part;
    }
    return 0;
}

#if !defined(__GLIBC__)
// Embedded Swift calls this function to get seeds for its hash tables. Some C libraries do not have the
// function.
__attribute__((weak)) void arc4random_buf(void *bytes, size_t count) {
    static const char words[] = "smsenc: no randomness; Linux 3.17 or later has it\n";
    if (platform_random(bytes, count) == 0) return;
    ssize_t written = write(2, words, sizeof words - 1);
    (void)written;
    _exit(74);
}
#endif

// Disables core dumps, and prevents other processes of this user from reading the memory of this process.
static inline void platform_hide_memory(void) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// Removes the Swift runtime's crash handlers. These handlers would print registers, and the memory to
// which the registers point.
static inline void platform_crash_silently(void) {
    static const int signals[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (size_t index = 0; index < sizeof signals / sizeof signals[0]; index++) {
        struct sigaction now;
        if (sigaction(signals[index], NULL, &now) != 0) continue;
        if ((now.sa_flags & SA_SIGINFO) || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN))
            signal(signals[index], SIG_DFL);
    }
}

// Exits with a diagnostic and status 74 (EX_IOERR) if less than 16 MiB of memory is available. This is
// enough for all tools, except for scrypt and for keyrings with many thousand contacts. Without this
// check, a signal would terminate a tool that runs out of memory.
static void platform_require_memory(void) {
    extern const char *program_invocation_short_name; // declared for _GNU_SOURCE only
    const size_t most = 16 << 20;
    const char *const words[] = {
        program_invocation_short_name,
        ": not enough memory to start; raise the limit (ulimit -v), or close other programs\n"};
    void *memory = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        munmap(memory, most);
        return;
    }
    for (size_t index = 0; index < sizeof words / sizeof words[0]; index++) {
        ssize_t written = write(2, words[index], strlen(words[index]));
        (void)written;
    }
    _exit(74);
}

#if !defined(__GLIBC__)
// Handles the signal SIGSYS, which a seccomp filter sends if it refuses a system call. Lets the call fail
// with ENOSYS, as on a kernel without this call. Without this handler, the signal would end the process.
// Android before version 11 refuses some calls that the C library or this file tries first (statx,
// renameat2, clock_gettime64).
static void platform_call_refused(int number, siginfo_t *cause, void *context) {
    mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;
    if (cause->si_code != SYS_SECCOMP) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
#if defined(__x86_64__)
    registers->gregs[13 /* rax */] = -ENOSYS;
#elif defined(__i386__)
    registers->gregs[11 /* eax */] = -ENOSYS;
#elif defined(__aarch64__)
    registers->regs[0] = (unsigned long)-ENOSYS;
#elif defined(__arm__)
    registers->arm_r0 = (unsigned long)-ENOSYS;
#elif defined(__riscv)
    registers->__gregs[10 /* a0 */] = (unsigned long)-ENOSYS;
#endif
}
#endif

static void platform_initialise(void) {
#if !defined(__GLIBC__)
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = platform_call_refused;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, NULL);
#endif
    platform_require_memory();
}

// The C library calls the functions in .init_array before main. It first calls the functions with a number
// in the name of their section. This function is therefore called before the Swift runtime's initialisers,
// which have no number.
__attribute__((section(".init_array.00101"), used)) static void (*const platform_initialiser)(void) =
    platform_initialise;

// Returns the arguments of the process, followed by NULL, without reading a file. The arguments are in
// memory directly before the environment. Their number is in memory directly before the arguments (System
// V ABI, Process Initialization). Only main receives the arguments in every C library, and Swift defines
// main itself.
static inline char *_Nullable const *_Nonnull platform_arguments(void) {
    extern char **environ;
    char **first = environ - 1;
    // This prevents the linker from removing `platform_initialiser` and `arc4random_buf`.
    __asm__ __volatile__("" : : "r"(&platform_initialiser), "r"(&arc4random_buf));
    while ((uintptr_t)first[-1] != (uintptr_t)(environ - 1 - first)) first--;
    return first;
}

// Starts a thread that calls `work` with the pointer `context`. Returns a number for `platform_join`, or 0
// if the system cannot start a thread. The result is not a pthread_t, which is a number in some C
// libraries and a pointer in others.
static inline uintptr_t platform_start_thread(void *(*work)(void *), void *context) {
    pthread_t thread;
    return pthread_create(&thread, NULL, work, context) == 0 ? (uintptr_t)thread : 0;
}
static inline void platform_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

struct platform_exit_message {
    char *line;
    size_t length;
    int status;
};
static inline struct platform_exit_message *platform_exit_message(void) {
    static struct platform_exit_message message;
    return &message;
}
static void platform_mapped_memory_failed(int number, siginfo_t *cause, void *context) {
    (void)context;
    if (cause->si_code == BUS_ADRERR) {
        const struct platform_exit_message *message = platform_exit_message();
        ssize_t written = write(2, message->line, message->length);
        (void)written;
        _exit(message->status);
    }
    signal(number, SIG_DFL);
    raise(number);
}

// Installs a handler that prints a line on stderr and exits if a write to a memory-mapped file fails. The
// kernel sends SIGBUS in this case, for example if the disk is full. The files are then in the same state
// as if the process had been killed.
static inline void platform_exit_if_mapped_write_fails(const char *line, size_t length, int status) {
    struct platform_exit_message *message = platform_exit_message();
    struct sigaction action;
    message->line = malloc(length);
    message->length = message->line ? length : 0;
    message->status = status;
    if (message->line) memcpy(message->line, line, length);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = platform_mapped_memory_failed;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, NULL);
}

// Renames a file to a name that must not exist. Returns 0 on success. Otherwise, returns -1 and sets
// errno. The errors ENOSYS, EINVAL and EPERM mean that the system, the file system or a sandbox does not
// support this operation.
static inline int platform_rename_without_replacing(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */);
}

// Takes a lock on a file. Several processes can hold the lock at the same time only if they all pass the
// same number, which must be below 2^61. The lock is held until the file is closed. It is a read lock on
// one byte far beyond the end of the file, and the number determines the offset of the byte. Returns 1 on
// success, and also if the system has no such locks. Returns 0 if another process holds the lock with a
// different number. On error, returns -1 and sets errno.
static inline int platform_lock_shared(int file, int64_t place) {
    const int ask = 36, set = 37; // F_OFD_GETLK and F_OFD_SETLK, which need _GNU_SOURCE
    const off_t first = (off_t)1 << 61;
    struct flock own = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = first + place, .l_len = 1};
    if (fcntl(file, set, &own) != 0) return errno == EINVAL ? 1 : -1;
    // Every process takes its lock before it looks for the locks of other processes. If two processes lock
    // the file at the same moment, at least one of them therefore sees the lock of the other.
    const off_t starts[] = {first, first + place + 1};
    for (int side = 0; side < 2; side++) {
        struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = starts[side]};
        other.l_len = side == 0 ? place : 0;
        if (side == 0 && place == 0) continue;
        if (fcntl(file, ask, &other) != 0) return -1;
        if (other.l_type == F_UNLCK) continue;
        own.l_type = F_UNLCK;
        fcntl(file, set, &own);
        return 0;
    }
    return 1;
}

// Returns nonzero if the system supports shared mappings of files. Writes to the mapping must be visible
// in the file, and writes to the file in the mapping. The emulator that runs 32-bit x86 programs on iOS
// may not support this. The function tests it with a temporary file beside `path`, and also returns
// nonzero if the test is not possible.
static inline int platform_supports_mapping(const char *path) {
#if defined(__i386__)
    char name[4096], byte = 0;
    volatile char *map;
    int file, sound = 0;
    snprintf(name, sizeof name, "%s-map.XXXXXX", path);
    file = mkstemp(name);
    if (file < 0) return 1;
    unlink(name);
    map = ftruncate(file, 4096) == 0
        ? (volatile char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        : (volatile char *)MAP_FAILED;
    if (map != (volatile char *)MAP_FAILED) {
        map[0] = 1;
        sound = pread(file, &byte, 1, 0) == 1 && byte == 1;
        byte = 2;
        sound = sound && pwrite(file, &byte, 1, 0) == 1 && map[0] == 2;
        munmap((void *)map, 4096);
    }
    close(file);
    return sound;
#else
    (void)path;
    return 1;
#endif
}

// Returns nonzero if a folder is on a file system in memory. These are the types tmpfs and ramfs of
// statfs(2).
static inline int platform_is_in_memory(const char *folder) {
    struct statfs facts;
    if (statfs(folder, &facts) != 0) return 0;
    const uint32_t type = (uint32_t)facts.f_type;
    return type == 0x01021994 /* TMPFS_MAGIC */ || type == 0x858458f6 /* RAMFS_MAGIC */;
}

// Returns nonzero if the file system of a file does not store permissions. Examples are the file systems
// of most USB sticks (FAT, exFAT, NTFS). File systems that a program mounts (FUSE) or that another system
// shares are also treated in this way.
static inline int platform_ignores_modes(const char *path) {
    static const uint32_t types[] = {0x4D44, 0x2011BAB0, 0x5346544E, 0x7366746E, 0x65735546, 0xFF534D42,
                                     0xFE534D42, 0x01021997};
    struct statfs facts;
    if (statfs(path, &facts) != 0) return 0;
    for (size_t index = 0; index < sizeof types / sizeof types[0]; index++)
        if ((uint32_t)facts.f_type == types[index]) return 1;
    return 0;
}

// Duplicates a descriptor. Programs that are started later do not inherit the new descriptor. On error,
// returns -1 and sets errno.
static inline int platform_duplicate(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 3); }

// Gets the birth time of a file. Returns 0 on success, and nonzero if the system or the file system does
// not record birth times.
static inline int platform_birth_time(const char *path, int64_t *seconds, int64_t *nanoseconds) {
    struct statx facts;
    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_BTIME, &facts) != 0) return -1;
    if (!(facts.stx_mask & STATX_BTIME)) return -1;
    *seconds = facts.stx_btime.tv_sec;
    *nanoseconds = facts.stx_btime.tv_nsec;
    return 0;
}
