// The system's own declarations, and calls that Swift cannot make as they stand: what is a macro, takes
// arguments without end, or differs from one C library to the other. Header only; the System target's alone.
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

// The date of the commit of which the tools are made, in seconds since 1970: no clock that is right is earlier.
// scripts/build gives it; without it, it is the day on which this line was written.
#if !defined(SMSENC_RELEASE)
#define SMSENC_RELEASE 1795478400
#endif
static inline int64_t platform_release(void) { return SMSENC_RELEASE; }

// The number of the last call's error.
static inline int platform_errno(void) { return errno; }

// Opens a file that programs started later do not inherit. A descriptor, or -1 and errno.
static inline int platform_open(const char *path, int flags, mode_t mode) {
    int file;
    do file = open(path, flags | O_CLOEXEC, mode);
    while (file < 0 && errno == EINTR);
    return file;
}

// Whether a number is that of an open file.
static inline int platform_is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

// The name of an entry of a folder, however its structure holds it.
static inline const char *platform_name(const struct dirent *entry) { return entry->d_name; }

// Lets a signal pass unheard, or do again what it does to a process that does not ask.
static inline void platform_ignore(int number) { signal(number, SIG_IGN); }
static inline void platform_restore(int number) { signal(number, SIG_DFL); }

// Overwrites memory in a way that the optimiser keeps.
static inline void platform_cleanse(void *bytes, size_t count) {
    memset(bytes, 0, count);
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

// Makes a pipe hold so many bytes instead of 65,536. Does nothing to what is no pipe.
static inline void platform_resize_pipe(int file, int bytes) {
    fcntl(file, 1031 /* F_SETPIPE_SZ, declared for _GNU_SOURCE only */, bytes);
}

// Nonzero if every write to an open file goes to its end.
static inline int platform_appends(int file) {
    int flags = fcntl(file, F_GETFL);
    return flags >= 0 && (flags & O_APPEND);
}

// Bytes in a pipe that nobody has read yet, seen from its writing end; 0 where that cannot be said.
static inline int platform_unread_in_pipe(int file) {
    struct stat facts;
    int count = 0;
    if (fstat(file, &facts) != 0 || !S_ISFIFO(facts.st_mode)) return 0;
    return ioctl(file, FIONREAD, &count) == 0 ? count : 0;
}

// Fills memory from the system's generator of randomness. 0 on success.
static inline int platform_random(void *bytes, size_t count) {
    const size_t most = 256; // at a time, getentropy(3)
    for (size_t done = 0; done < count;) {
        size_t part = count - done < most ? count - done : most;
        if (getentropy((char *)bytes + done, part) != 0) return -1;
        done += part;
    }
    return 0;
}

#if !defined(__GLIBC__)
// What Embedded Swift takes the seeds of its hash tables from, where the C library has it not.
__attribute__((weak)) void arc4random_buf(void *bytes, size_t count) {
    static const char words[] = "smsenc: no randomness; Linux 3.17 or later has it\n";
    if (platform_random(bytes, count) == 0) return;
    ssize_t written = write(2, words, sizeof words - 1);
    (void)written;
    _exit(74);
}
#endif

// Forbids core dumps, and other processes of this user, to hold or read this one's memory.
static inline void platform_hide_memory(void) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// Takes away the handlers with which the Swift runtime, where it is told to, prints registers and the
// memory they point to when a process crashes.
static inline void platform_crash_silently(void) {
    static const int signals[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    for (size_t index = 0; index < sizeof signals / sizeof signals[0]; index++) {
        struct sigaction now;
        if (sigaction(signals[index], NULL, &now) != 0) continue;
        if ((now.sa_flags & SA_SIGINFO) || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN))
            signal(signals[index], SIG_DFL);
    }
}

// Ends the process with a line and status 74 (EX_IOERR) where the system leaves it less memory than a tool
// takes at most, scrypt's and a keyring of many thousand contacts aside: Swift ends with a signal where it
// gets none. Nothing is allocated for it.
static void platform_see_that_memory_is_left(void) {
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
// Android before 11 answers to some system calls that a C library, or this, tries first (statx, renameat2,
// clock_gettime64) with a signal, and so do other filters: here they fail as on a kernel without.
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

static void platform_begin(void) {
#if !defined(__GLIBC__)
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = platform_call_refused;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSYS, &action, NULL);
#endif
    platform_see_that_memory_is_left();
}

// What stands in .init_array runs before main; that with a number before all that has none, such as what
// the Swift runtime prepares.
__attribute__((section(".init_array.00101"), used)) static void (*const platform_hook)(void) =
    platform_begin;

// The arguments of the process, ended by NULL, as the system handed them over: no file is read for
// them. They stand right before the environment, and their count before them (System V ABI,
// Process Initialization): not every C library hands them to anything but main, which is Swift's.
static inline char *_Nullable const *_Nonnull platform_arguments(void) {
    extern char **environ;
    char **first = environ - 1;
    __asm__ __volatile__("" : : "r"(&platform_hook), "r"(&arc4random_buf)); // which keeps them
    while ((uintptr_t)first[-1] != (uintptr_t)(environ - 1 - first)) first--;
    return first;
}

// Starts a thread that runs `work` on a pointer, to be joined: a number, since what stands for a thread is
// one in some C libraries and a pointer in others. 0 where the system gives none.
static inline uintptr_t platform_start_thread(void *(*work)(void *), void *context) {
    pthread_t thread;
    return pthread_create(&thread, NULL, work, context) == 0 ? (uintptr_t)thread : 0;
}
static inline void platform_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

struct platform_last_words {
    char *line;
    size_t length;
    int status;
};
static inline struct platform_last_words *platform_last_words(void) {
    static struct platform_last_words words;
    return &words;
}
static void platform_mapped_memory_failed(int number, siginfo_t *cause, void *context) {
    (void)context;
    if (cause->si_code == BUS_ADRERR) {
        const struct platform_last_words *words = platform_last_words();
        ssize_t written = write(2, words->line, words->length);
        (void)written;
        _exit(words->status);
    }
    signal(number, SIG_DFL);
    raise(number);
}

// Ends the process with a line on stderr and a status where a mapped file cannot be written to, as on a
// disk that is full (SIGBUS), as if it had been killed there.
static inline void platform_end_where_mapping_fails(const char *line, size_t length, int status) {
    struct platform_last_words *words = platform_last_words();
    struct sigaction action;
    words->line = malloc(length);
    words->length = words->line ? length : 0;
    words->status = status;
    if (words->line) memcpy(words->line, line, length);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = platform_mapped_memory_failed;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, NULL);
}

// Gives a file another name, which must not be another's. 0 on success; -1 with ENOSYS or EINVAL in errno
// where the system or file system cannot.
static inline int platform_rename_new(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */);
}

// Holds one of 2^61 places behind all that a file may hold, with all who hold the same one, as long as it is
// open. 1 on success, and where the system has no such locks; 0 while somebody holds another; -1 with errno.
static inline int platform_hold_place(int file, int64_t place) {
    const int ask = 36, set = 37; // F_OFD_GETLK and F_OFD_SETLK, declared for _GNU_SOURCE only
    const off_t first = (off_t)1 << 61;
    struct flock own = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = first + place, .l_len = 1};
    if (fcntl(file, set, &own) != 0) return errno == EINVAL ? 1 : -1;
    // Who comes at the same moment holds a place as well: one of the two sees the other's at least.
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

// Whether what is written into a mapping of a file is in the file, and the other way round, tried beside a
// file: on iOS an emulator runs programs for 32-bit x86, and may not see to it. Nonzero where it is so, or
// cannot be tried.
static inline int platform_maps_files(const char *path) {
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

// Nonzero if a folder is on a file system in memory (tmpfs or ramfs, statfs(2)).
static inline int platform_is_in_memory(const char *folder) {
    struct statfs facts;
    if (statfs(folder, &facts) != 0) return 0;
    const uint32_t type = (uint32_t)facts.f_type;
    return type == 0x01021994 /* TMPFS_MAGIC */ || type == 0x858458f6 /* RAMFS_MAGIC */;
}

// Another descriptor of an open file, closed when another program is started. -1 with errno set.
static inline int platform_duplicate(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 3); }

// When a file was made. 0 on success; nonzero where the system or file system does not say.
static inline int platform_birth_time(const char *path, int64_t *seconds, int64_t *nanoseconds) {
    struct statx facts;
    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_BTIME, &facts) != 0) return -1;
    if (!(facts.stx_mask & STATX_BTIME)) return -1;
    *seconds = facts.stx_btime.tv_sec;
    *nanoseconds = facts.stx_btime.tv_nsec;
    return 0;
}
