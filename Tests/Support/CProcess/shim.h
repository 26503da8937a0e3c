// Functions for processes that the tests need and Swift's platform modules lack. Header only.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <unistd.h>

// In glibc, but declared only for _GNU_SOURCE.
extern int pipe2(int ends[2], int flags);
extern void *memmem(const void *whole, size_t size, const void *part, size_t partSize);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// Makes a pipe that is not inherited by processes that other threads start.
static inline int process_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

// Lets a new process start in `folder`, with all descriptors from `above` on closed.
static inline int process_start_alone(
    posix_spawn_file_actions_t *actions, const char *folder, int above
) {
    int failure = posix_spawn_file_actions_addchdir_np(actions, folder);
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(actions, above);
    return failure;
}

// Returns the number of unread bytes in a pipe.
static inline int process_unread(int file, int *count) { return ioctl(file, FIONREAD, count); }
