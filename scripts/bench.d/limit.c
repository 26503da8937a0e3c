/* The lower limit for smsenc-pad -d. This program makes the calls of libcrypto that the messages need, in a
 * loop and through Sources/CCrypto/direct.h, as the tools do. It looks up, reads and stores nothing, but it
 * writes and synchronises PATH once for each commit. It prints the seconds of the loop, by the clock and of CPU
 * time.
 *
 *     limit receive MESSAGES LINKS CONTACTS COMMITS PATH
 *     limit search STEPPED TRIED
 *
 * The numbers below are blocks of SHA-256 (64 bytes), which take most of the time:
 *
 *     key       a step of a chain (Protocol/Keys/ChainKey): the key of HMAC, 2; three messages of a byte, 2 each
 *     pad       AES-256-CTR with a new key, 192 bytes; the tag: the key of HMAC, 2; 154 symbols, 3; the outer hash, 1
 *     message   a key and a pad, and both again for one message in 38, whose first ciphertext had spaces in the
 *               wrong places; and the tag of a message that was read, which is a polynomial without SHA-256
 *     link      AES-256-GCM, opened and sealed, with 12 random bytes; its old and new weight in the sum of the
 *               keyring: 53 bytes, 1, and the outer hash, 1, each
 *     contact   found by name: 2, a name, 1, the outer hash, 1; its card opened by AES-256-GCM
 *     commit    twice, to make it durable and to tidy up: the header of the keyring opened and sealed; and the list
 *               of unwritten keys sealed, 80 bytes for each message
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "direct.h"

enum { BLOCK = 64, LINK = 562, CARD = 64, LEDGER = 256, CONTEXT = 25, NONCE = 12, TAG = 16, ROOM = 65536 };
enum { SPOILT = 38 };

static uint8_t key[BLOCK], text[ROOM], sealed[ROOM];
static crypto_hash *inner, *outer, *running;
static EVP_CIPHER_CTX *stream, *sealing, *opening;

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

static uint64_t times_point(uint64_t value, uint64_t point, uint64_t summand) {
    const uint64_t modulus = ((uint64_t)1 << 61) - 1;
    unsigned __int128 product = (unsigned __int128)value * point + summand;
    uint64_t sum = ((uint64_t)product & modulus) + (uint64_t)(product >> 61);
    return sum < modulus ? sum : sum - modulus;
}

/* The tag of a message that was read (Keyring/Rows/ReadMessages). */
static void tag(void) {
    uint64_t point, value = 0;
    memcpy(&point, key, sizeof point);
    point >>= 4;
    for (int start = 0; start < 160; start += 8) {
        uint64_t coefficient = 0;
        for (int i = start; i < start + 8; i++) coefficient = coefficient << 7 | text[i];
        value = times_point(value, point, coefficient);
    }
    value = times_point(value, point, 0);
    memcpy(key, &value, sizeof value);
}

static void seal(int count) {
    int written;
    if (getrandom(sealed, NONCE, 0) != NONCE) exit(1);
    must(EVP_EncryptInit_ex(sealing, NULL, NULL, NULL, sealed));
    must(EVP_EncryptUpdate(sealing, NULL, &written, text, CONTEXT));
    must(EVP_EncryptUpdate(sealing, sealed + NONCE, &written, text, count));
    must(EVP_EncryptFinal_ex(sealing, sealed + NONCE + count, &written));
    must(EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_GCM_GET_TAG, TAG, sealed + NONCE + count));
}

/* Opens bytes that were not sealed. It fails, which costs the same. */
static void open_sealed(int count) {
    int written;
    must(EVP_DecryptInit_ex(opening, NULL, NULL, NULL, sealed));
    must(EVP_DecryptUpdate(opening, NULL, &written, text, CONTEXT));
    must(EVP_DecryptUpdate(opening, text, &written, sealed + NONCE, count));
    must(EVP_CIPHER_CTX_ctrl(opening, EVP_CTRL_GCM_SET_TAG, TAG, sealed));
    EVP_DecryptFinal_ex(opening, text, &written);
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The size of part number `part`, if `all` is divided into `parts`. */
static long share(long all, long part, long parts) { return all * (part + 1) / parts - all * part / parts; }

int main(int count, char **words) {
    int is_search = count == 4 && !strcmp(words[1], "search");
    if (!is_search && count != 7) return 64;
    long number[4];
    for (int i = 0; i < (is_search ? 2 : 4); i++) number[i] = atol(words[2 + i]);

    inner = crypto_hash_new(), outer = crypto_hash_new(), running = crypto_hash_new();
    stream = EVP_CIPHER_CTX_new(), sealing = EVP_CIPHER_CTX_new(), opening = EVP_CIPHER_CTX_new();
    must(EVP_EncryptInit_ex(stream, crypto_without_lookup(EVP_aes_256_ctr()), NULL, NULL, NULL));
    must(EVP_EncryptInit_ex(sealing, crypto_without_lookup(EVP_aes_256_gcm()), NULL, key, NULL));
    must(EVP_DecryptInit_ex(opening, crypto_without_lookup(EVP_aes_256_gcm()), NULL, key, NULL));
    int file = is_search ? -1 : open(words[6], O_WRONLY | O_CREAT, 0600);
    if (!is_search && file < 0) return 1;

    double clock = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    if (is_search) {
        for (long i = 0; i < number[0]; i++) step();
        for (long i = 0; i < number[1]; i++) pad();
    } else {
        long messages = number[0], links = number[1], contacts = number[2], commits = number[3];
        for (long commit = 0; commit < commits; commit++) {
            for (long i = share(contacts, commit, commits); i > 0; i--) {
                set_key();
                hmac(20);
                open_sealed(CARD);
            }
            long opened = share(links, commit, commits);
            for (long i = opened; i > 0; i--) open_sealed(LINK);
            for (long i = share(messages, commit, commits); i > 0; i--) {
                for (int again = i % SPOILT == 0; again >= 0; again--) {
                    step();
                    pad();
                }
                tag();
            }
            for (long i = opened; i > 0; i--) {
                seal(LINK);
                for (int weight = 0; weight < 2; weight++) hmac(CONTEXT + NONCE + TAG);
            }
            for (int i = 0; i < 2; i++) {
                open_sealed(LEDGER);
                seal(LEDGER);
            }
            long list = 80 * share(messages, commit, commits);
            for (; list > 0; list -= ROOM / 2) seal((int)(list < ROOM / 2 ? list : ROOM / 2));
            must(pwrite(file, sealed, 4096, 0) == 4096 && fdatasync(file) == 0);
        }
    }
    printf("%.9f %.9f\n", now(CLOCK_MONOTONIC) - clock, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
