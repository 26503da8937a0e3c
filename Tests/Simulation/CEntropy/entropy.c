// The linker prefers functions of the test executable to those of libraries, so these two replace the originals for all
// code in Sources. Threads that run no simulation get the results of the originals.
#define _GNU_SOURCE

#include "entropy.h"

#include <dlfcn.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int is_simulated;
static _Thread_local uint64_t state;

void entropy_begin(uint64_t seed) {
    is_simulated = 1;
    state = seed;
}

void entropy_end(void) { is_simulated = 0; }

// SplitMix64.
static uint64_t next(void) {
    uint64_t mixed = state += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

int getentropy(void *bytes, size_t count) {
    if (!is_simulated) return syscall(SYS_getrandom, bytes, count, 0) == (long)count ? 0 : -1;
    for (size_t place = 0; place < count; place++)
        ((unsigned char *)bytes)[place] = (unsigned char)(next() >> 56);
    return 0;
}

void entropy_peek(void *bytes, size_t count) {
    uint64_t before = state;
    getentropy(bytes, count);
    state = before;
}

typedef int scrypt_function(const char *, size_t, const unsigned char *, size_t, uint64_t, uint64_t, uint64_t,
    uint64_t, unsigned char *, size_t);

int EVP_PBE_scrypt(const char *password, size_t password_count, const unsigned char *salt, size_t salt_count,
    uint64_t cost, uint64_t block, uint64_t parallel, uint64_t memory, unsigned char *key, size_t count) {
    scrypt_function *libcrypto = (scrypt_function *)dlsym(RTLD_NEXT, "EVP_PBE_scrypt");
    if (is_simulated) cost = 2, block = 1;
    return libcrypto(password, password_count, salt, salt_count, cost, block, parallel, memory, key, count);
}
