/* Decrypts messages of SESSIONS established libolm sessions, MESSAGES each, as smsenc-pad -d does in bulk:
 *
 *     olm sorted|shuffled SESSIONS MESSAGES
 *
 * Prints the seconds of that loop, by the clock and of CPU time. Nothing is stored. */
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

/* Finds the value of KEY in the JSON that libolm prints. */
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

/* Both ends of a session in which each side has written, since a first message carries more. */
static OlmSession *established(OlmAccount *amina, OlmAccount *bela, OlmSession **end) {
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
    *end = olm_session(malloc(olm_session_size()));
    memcpy(copy, message, first);
    check(olm_create_inbound_session(*end, bela, copy, first));
    decrypt(*end, OLM_MESSAGE_TYPE_PRE_KEY, message, first);
    check(olm_remove_one_time_keys(bela, *end));
    decrypt(out, OLM_MESSAGE_TYPE_MESSAGE, message, encrypt(*end, "hello", 5, message));
    return out;
}

static OlmSession *copied(OlmSession *session) {
    static char pickled[BUFFER];
    OlmSession *copy = olm_session(malloc(olm_session_size()));
    size_t length = check(olm_pickle_session(session, "key", 3, pickled, BUFFER));
    check(olm_unpickle_session(copy, "key", 3, pickled, length));
    return copy;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Establishing a session is slow: sessions beyond this number are copies. */
enum { ESTABLISHED = 100 };

int main(int count, char **words) {
    if (count != 4) return 64;
    int sessions = atoi(words[2]), messages = atoi(words[3]), all = sessions * messages;
    int made = sessions < ESTABLISHED ? sessions : ESTABLISHED;
    static char text[144], out[BUFFER];
    memset(text, 'a', sizeof text);
    OlmAccount *amina = new_account(), *bela = new_account();
    OlmSession **session = calloc((size_t)sessions, sizeof *session);
    char **sent = calloc((size_t)(made * messages), sizeof *sent);
    int *order = calloc((size_t)all, sizeof *order);
    if (!session || !sent || !order) return 1;
    for (int i = 0; i < sessions; i++) {
        if (i >= made) {
            session[i] = copied(session[i % made]);
            continue;
        }
        OlmSession *end;
        session[i] = established(amina, bela, &end);
        for (int j = 0; j < messages; j++) {
            sent[i * messages + j] = strndup(out, encrypt(end, text, sizeof text, out));
        }
    }
    for (int i = 0; i < all; i++) order[i] = i;
    for (int i = all - 1; !strcmp(words[1], "shuffled") && i > 0; i--) {
        int other = (int)(random() % (i + 1)), here = order[i];
        order[i] = order[other];
        order[other] = here;
    }

    double clock = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < all; i++) {
        int number = order[i] / messages;
        const char *message = sent[number % made * messages + order[i] % messages];
        size_t length = strlen(message);
        memcpy(out, message, length);
        check(olm_decrypt(session[number], OLM_MESSAGE_TYPE_MESSAGE, out, length, noise, BUFFER));
    }
    printf("%.9f %.9f\n", now(CLOCK_MONOTONIC) - clock, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
