/* The lower limit for the search for a key. This program makes the calls of libcrypto that the search needs, in a
 * loop and through Sources/CCrypto/direct.h, as the tools do. It prints the seconds of the loop, by the clock and
 * of CPU time.
 *
 *     limit STEPS PADS
 *
 * The numbers below are blocks of SHA-256 (64 bytes), which take most of the time:
 *
 *     step   of a chain (Protocol/Keys/Chain): the key of HMAC, 2; three messages of a byte, 2 each
 *     pad    AES-256-CTR with a new key, 192 bytes; the tag: the key of HMAC, 2; 154 symbols, 3; the outer hash, 1
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "direct.h"

enum { BLOCK = 64, ROOM = 256 };

static uint8_t key[BLOCK], text[ROOM], sealed[ROOM];
static crypto_hash *inner, *outer, *running;
static EVP_CIPHER_CTX *stream;

static void must(int done) {
    if (done != 1) exit(1);
}

static void set_key(void) {
    uint8_t block[BLOCK];
    for (int i = 0; i < BLOCK; i++) block[i] = key[i] ^ 0x36;
    crypto_hash_begin(inner);
    crypto_hash_update(inner, block, BLOCK);
    for (int i = 0; i < BLOCK; i++) block[i] ^= 0x36 ^ 0x5C;
    crypto_hash_begin(outer);
    crypto_hash_update(outer, block, BLOCK);
}

/* The HMAC of `count` bytes becomes the next key, so that the compiler cannot leave anything out. */
static void hmac(size_t count) {
    uint8_t digest[32];
    crypto_hash_copy(running, inner);
    crypto_hash_update(running, text, count);
    crypto_hash_end(running, digest);
    crypto_hash_copy(running, outer);
    crypto_hash_update(running, digest, sizeof digest);
    crypto_hash_end(running, key);
}

static void step(void) {
    set_key();
    for (int i = 0; i < 3; i++) hmac(1);
}

static void pad(void) {
    int written;
    must(EVP_EncryptInit_ex(stream, NULL, NULL, key, text));
    must(EVP_EncryptUpdate(stream, sealed, &written, text, 192));
    set_key();
    hmac(154);
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int count, char **words) {
    if (count != 3) return 64;
    long steps = atol(words[1]), pads = atol(words[2]);
    inner = crypto_hash_new(), outer = crypto_hash_new(), running = crypto_hash_new();
    stream = EVP_CIPHER_CTX_new();
    must(EVP_EncryptInit_ex(stream, crypto_without_lookup(EVP_aes_256_ctr()), NULL, NULL, NULL));
    double clock = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < steps; i++) step();
    for (long i = 0; i < pads; i++) pad();
    printf("%.9f %.9f\n", now(CLOCK_MONOTONIC) - clock, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
