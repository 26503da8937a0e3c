// What tests need of processes and the platform modules of Swift lack. Header only.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <unistd.h>

#if defined(__linux__)
// In glibc, but declared for _GNU_SOURCE only.
extern int pipe2(int ends[2], int flags);
extern void *memmem(const void *whole, size_t size, const void *part, size_t partSize);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
#endif

// Makes a pipe that no process inherits that is started meanwhile, where the system can.
static inline int process_pipe(int ends[2]) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC);
#else
    int made = pipe(ends);
    if (made == 0) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    }
    return made;
#endif
}

// The process starts in `folder`, without the descriptors from `above` on.
static inline int process_start_alone(
    posix_spawn_file_actions_t *actions, const char *folder, int above
) {
    int failure = posix_spawn_file_actions_addchdir_np(actions, folder);
#if defined(__linux__)
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(actions, above);
#endif
    return failure;
}

// Bytes that wait in a pipe.
static inline int process_unread(int file, int *count) { return ioctl(file, FIONREAD, count); }
