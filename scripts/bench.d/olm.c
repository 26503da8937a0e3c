/* Enciphers with libolm as smsenc-pad does in bulk: SESSIONS established sessions, MESSAGES each.
 * Prints the seconds of that loop, on the clock and of the processor; nothing is kept on a disk. */
#include <olm/olm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { BUFFER = 65536 };

static uint8_t noise[BUFFER];

static void *get_random(size_t length) {
    for (size_t done = 0; done < length;) {
        size_t want = length - done < 256 ? length - done : 256;
        ssize_t got = getrandom(noise + done, want, 0);
        if (got < 0) exit(1);
        done += (size_t)got;
    }
    return noise;
}

static size_t check(size_t result) {
    if (result == olm_error()) {
        fputs("olm: a call failed\n", stderr);
        exit(1);
    }
    return result;
}

static OlmAccount *new_account(void) {
    OlmAccount *account = olm_account(malloc(olm_account_size()));
    size_t length = olm_create_account_random_length(account);
    check(olm_create_account(account, get_random(length), length));
    return account;
}

/* The value of "KEY":"VALUE" in the JSON that libolm prints, from `from` on. */
static const char *value(const char *json, const char *key, size_t *length) {
    const char *at = strstr(json, key);
    if (!at || !(at = strchr(at + strlen(key), '"'))) exit(1);
    *length = strcspn(++at, "\"");
    return at;
}

static size_t encrypt(OlmSession *session, const char *text, size_t length, char *out) {
    size_t needed = olm_encrypt_random_length(session);
    return check(olm_encrypt(session, text, length, needed ? get_random(needed) : noise, needed,
                             out, BUFFER));
}

static void decrypt(OlmSession *session, size_t type, const char *message, size_t length) {
    char copy[BUFFER], text[BUFFER];
    memcpy(copy, message, length);
    check(olm_decrypt_max_plaintext_length(session, type, copy, length));
    memcpy(copy, message, length);
    check(olm_decrypt(session, type, copy, length, text, sizeof text));
}

/* A session in which either side has answered: a first message carries more. */
static OlmSession *established(OlmAccount *amina, OlmAccount *bela) {
    static char identity[BUFFER], keys[BUFFER], message[BUFFER], copy[BUFFER];
    size_t length = olm_account_generate_one_time_keys_random_length(bela, 1);
    check(olm_account_generate_one_time_keys(bela, 1, get_random(length), length));
    memset(identity, 0, sizeof identity);
    memset(keys, 0, sizeof keys);
    check(olm_account_identity_keys(bela, identity, olm_account_identity_keys_length(bela)));
    check(olm_account_one_time_keys(bela, keys, olm_account_one_time_keys_length(bela)));
    size_t key_length, once_length;
    const char *key = value(identity, "\"curve25519\"", &key_length);
    const char *list = strchr(strstr(keys, "\"curve25519\""), '{');
    const char *once = value(list, "\":", &once_length);

    OlmSession *out = olm_session(malloc(olm_session_size()));
    length = olm_create_outbound_session_random_length(out);
    check(olm_create_outbound_session(out, amina, key, key_length, once, once_length,
                                      get_random(length), length));
    size_t first = encrypt(out, "hello", 5, message);
    OlmSession *in = olm_session(malloc(olm_session_size()));
    memcpy(copy, message, first);
    check(olm_create_inbound_session(in, bela, copy, first));
    decrypt(in, OLM_MESSAGE_TYPE_PRE_KEY, message, first);
    check(olm_remove_one_time_keys(bela, in));
    decrypt(out, OLM_MESSAGE_TYPE_MESSAGE, message, encrypt(in, "hello", 5, message));
    free(in);
    return out;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int count, char **words) {
    if (count != 3) return 64;
    int sessions = atoi(words[1]), messages = atoi(words[2]);
    char text[144], out[BUFFER];
    memset(text, 'a', sizeof text);
    OlmAccount *amina = new_account(), *bela = new_account();
    OlmSession **session = calloc((size_t)sessions, sizeof *session);
    for (int i = 0; i < sessions; i++) session[i] = established(amina, bela);

    double clock = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < sessions; i++) {
        for (int j = 0; j < messages; j++) encrypt(session[i], text, sizeof text, out);
    }
    printf("%.9f %.9f\n", now(CLOCK_MONOTONIC) - clock, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
