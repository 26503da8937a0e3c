// Includes the declarations of sqlite3 for the target Keyring. Defines wrappers for functions with
// variable arguments, because Swift cannot call such functions.
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

// Disables SQLite's memory statistics, which would require a lock at every allocation. Call this function
// before any other.
static inline int sqlite_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Disables triggers, views, and writes to SQLite's internal tables. Opening a manipulated file then cannot
// run SQL that the file contains.
static inline int sqlite_disable_code_in_file(sqlite3 *connection) {
    int triggers = 0, views = 0, defence = 0;
    int done = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &triggers)
        | sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &views)
        | sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, &defence);
    return done == SQLITE_OK && !triggers && !views && defence ? SQLITE_OK : SQLITE_ERROR;
}

// Disables the checkpoint that SQLite makes when a connection is closed. The write-ahead log then remains
// unchanged.
static inline int sqlite_disable_checkpoint_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// The most recent errno of a failed read and of a failed attempt to lock, and the original system calls.
// An errno is 0 if there was no error.
//
// The errors are recorded because SQLite misinterprets them. After some failed reads (EIO, ENXIO), SQLite
// reports that the file is damaged. If locking fails (ENOLCK and others, for example on a file system
// without locks), SQLite reports that another process holds the lock.
struct sqlite_system_errors {
    int read, lock;
    int (*fcntl)(int, int, ...);
    ssize_t (*plain_read)(int, void *, size_t);
    ssize_t (*pread)(int, void *, size_t, int64_t);
    ssize_t (*pread64)(int, void *, size_t, int64_t);
};
static inline struct sqlite_system_errors *sqlite_system_errors(void) {
    static struct sqlite_system_errors refusals;
    return &refusals;
}

// Records the errno of a failed read, and sets errno to EINVAL. SQLite treats EINVAL as a disk error.
static inline ssize_t sqlite_record_read(ssize_t result) {
    if (result < 0 && errno != EINTR) {
        sqlite_system_errors()->read = errno;
        errno = EINVAL;
    }
    return result;
}
static ssize_t sqlite_read(int file, void *bytes, size_t count) {
    return sqlite_record_read(sqlite_system_errors()->plain_read(file, bytes, count));
}
static ssize_t sqlite_pread(int file, void *bytes, size_t count, int64_t offset) {
    return sqlite_record_read(sqlite_system_errors()->pread(file, bytes, count, offset));
}
static ssize_t sqlite_pread64(int file, void *bytes, size_t count, int64_t offset) {
    return sqlite_record_read(sqlite_system_errors()->pread64(file, bytes, count, offset));
}

// Calls fcntl. If locking fails with ENOLCK, the kernel may temporarily have no memory for the lock. The
// function then tries again for a tenth of a second. If locking still fails, records the errno and sets
// errno to EINVAL.
static int sqlite_fcntl(int file, int command, ...) {
    va_list arguments;
    void *argument;
    int result;
    va_start(arguments, command);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    result = sqlite_system_errors()->fcntl(file, command, argument);
    if (command != F_SETLK && command != F_GETLK) return result;
    for (int tries = 0; tries < 10 && result < 0 && errno == ENOLCK; tries++) {
        usleep(10000);
        result = sqlite_system_errors()->fcntl(file, command, argument);
    }
    if (result == 0) {
        sqlite_system_errors()->lock = 0;
    } else if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
        sqlite_system_errors()->lock = errno;
        errno = EINVAL;
    }
    return result;
}

// Makes SQLite use the functions above. Call this once, after `sqlite_disable_memory_statistics`.
static inline int sqlite_record_system_errors(void) {
    struct sqlite_system_errors *refusals = sqlite_system_errors();
    sqlite3_vfs *system = sqlite3_vfs_find(NULL);
    if (!system || system->iVersion < 3) return SQLITE_ERROR;
    *(sqlite3_syscall_ptr *)&refusals->fcntl = system->xGetSystemCall(system, "fcntl");
    *(sqlite3_syscall_ptr *)&refusals->plain_read = system->xGetSystemCall(system, "read");
    *(sqlite3_syscall_ptr *)&refusals->pread = system->xGetSystemCall(system, "pread");
    *(sqlite3_syscall_ptr *)&refusals->pread64 = system->xGetSystemCall(system, "pread64");
    if (refusals->fcntl) system->xSetSystemCall(system, "fcntl", (sqlite3_syscall_ptr)sqlite_fcntl);
    if (refusals->plain_read) system->xSetSystemCall(system, "read", (sqlite3_syscall_ptr)sqlite_read);
    if (refusals->pread) system->xSetSystemCall(system, "pread", (sqlite3_syscall_ptr)sqlite_pread);
    if (refusals->pread64) system->xSetSystemCall(system, "pread64", (sqlite3_syscall_ptr)sqlite_pread64);
    return SQLITE_OK;
}

static inline int sqlite_read_errno(void) { return sqlite_system_errors()->read; }
static inline int sqlite_lock_errno(void) { return sqlite_system_errors()->lock; }

// Waits until another process releases its lock, as sqlite3_busy_timeout does. Does not wait if the system
// call for locking has failed.
static int sqlite_wait(void *patience, int count) {
    static const int delays[] = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50};
    const int known = sizeof delays / sizeof delays[0];
    int waited = 100 * (count > known ? count - known : 0);
    for (int index = 0; index < count && index < known; index++) waited += delays[index];
    if (sqlite_lock_errno() || waited >= (int)(intptr_t)patience) return 0;
    sqlite3_sleep(count < known ? delays[count] : 100);
    return 1;
}
static inline int sqlite_wait_for_locks(sqlite3 *connection, int milliseconds) {
    return sqlite3_busy_handler(connection, sqlite_wait, (void *)(intptr_t)milliseconds);
}
