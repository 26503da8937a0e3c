// Calls that the platform modules of Swift lack. Header only.
#pragma once

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#if defined(__linux__)
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Overwrites memory in a way that the optimiser keeps.
static inline void platform_cleanse(void *bytes, size_t count) {
    memset(bytes, 0, count);
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

// Forbids other processes of this user, and core dumps, to read this one's memory. 0 on success.
static inline int platform_hide_memory(void) {
#if defined(__linux__)
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
    return -1;
#endif
}
