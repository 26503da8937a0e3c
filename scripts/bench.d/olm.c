/* Enciphers or deciphers with libolm as smsenc-pad does in bulk: SESSIONS established sessions, MESSAGES
 * each, one session after the other, in rounds of a message for each, mixed, or in no order at all.
 *
 *     olm encrypt|decrypt sorted|rounds|mixed|shuffled SESSIONS MESSAGES [COMMITS DATABASE]
 *
 * Prints the seconds of that loop, on the clock and of the processor. Nothing is kept on a disk; or, with a
 * new DATABASE, in each of COMMITS the sessions that were used are, pickled, a row each. */
#include <olm/olm.h>
#include <sqlite3.h>
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

/* A session in which either side has answered, since a first message carries more, and its other end. */
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

static char pickled[BUFFER];

static size_t pickle(OlmSession *session) {
    return check(olm_pickle_session(session, "key", 3, pickled, BUFFER));
}

static OlmSession *copied(OlmSession *session) {
    OlmSession *copy = olm_session(malloc(olm_session_size()));
    check(olm_unpickle_session(copy, "key", 3, pickled, pickle(session)));
    return copy;
}

/* Numbers of messages, session by session, brought into an order. */
static int *ordered(const char *order, int sessions, int messages) {
    int count = sessions * messages, *place = calloc((size_t)count, sizeof *place);
    int *next = calloc((size_t)sessions, sizeof *next);
    if (!place || !next) exit(1);
    for (int i = 0; i < count; i++) {
        place[i] = strcmp(order, "rounds") ? i : i % sessions * messages + i / sessions;
    }
    if (!strcmp(order, "mixed") || !strcmp(order, "shuffled")) {
        srandom(1);
        for (int i = count - 1; i > 0; i--) {
            int other = (int)(random() % (i + 1)), here = place[i];
            place[i] = place[other];
            place[other] = here;
        }
    }
    /* Mixed, those of a session keep their order. */
    for (int i = 0; !strcmp(order, "mixed") && i < count; i++) {
        int session = place[i] / messages;
        place[i] = session * messages + next[session]++;
    }
    free(next);
    return place;
}

static sqlite3 *database;
static sqlite3_stmt *update;

static void run(const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) exit(1);
}

static void save(int number, OlmSession *session) {
    sqlite3_bind_blob(update, 1, pickled, (int)pickle(session), SQLITE_STATIC);
    sqlite3_bind_int(update, 2, number);
    if (sqlite3_step(update) != SQLITE_DONE) exit(1);
    sqlite3_reset(update);
}

static void open_database(const char *path, OlmSession **session, int sessions) {
    if (sqlite3_open(path, &database) != SQLITE_OK) exit(1);
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN;"
        "CREATE TABLE sessions (pickle BLOB NOT NULL, id INTEGER PRIMARY KEY)");
    sqlite3_prepare_v2(database, "REPLACE INTO sessions VALUES (?, ?)", -1, &update, NULL);
    for (int i = 0; i < sessions; i++) save(i, session[i]);
    run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* To establish a session takes long: of more than so many the others are copies of these. */
enum { ESTABLISHED = 100 };

int main(int count, char **words) {
    if (count != 5 && count != 7) return 64;
    int sessions = atoi(words[3]), messages = atoi(words[4]), all = sessions * messages;
    int reads = !strcmp(words[1], "decrypt"), made = sessions < ESTABLISHED ? sessions : ESTABLISHED;
    static char text[144], out[BUFFER];
    memset(text, 'a', sizeof text);
    OlmAccount *amina = new_account(), *bela = new_account();
    OlmSession **session = calloc((size_t)sessions, sizeof *session);
    char **sent = calloc((size_t)(made * messages), sizeof *sent);
    if (!session || !sent) return 1;
    for (int i = 0; i < sessions; i++) {
        if (i >= made) {
            session[i] = copied(session[i % made]);
            continue;
        }
        OlmSession *end;
        session[i] = established(amina, bela, &end);
        for (int j = 0; reads && j < messages; j++) {
            sent[i * messages + j] = strndup(out, encrypt(end, text, sizeof text, out));
        }
    }
    int *order = ordered(words[2], sessions, messages), commits = 1;
    if (count == 7) {
        commits = atoi(words[5]);
        open_database(words[6], session, sessions);
    }
    char *used = calloc((size_t)sessions, 1);

    double clock = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    for (int commit = 0; commit < commits; commit++) {
        int end = (int)((long)all * (commit + 1) / commits);
        for (int i = (int)((long)all * commit / commits); i < end; i++) {
            int number = order[i] / messages;
            used[number] = 1;
            if (reads) {
                const char *message = sent[number % made * messages + order[i] % messages];
                size_t length = strlen(message);
                memcpy(out, message, length);
                check(olm_decrypt(session[number], OLM_MESSAGE_TYPE_MESSAGE, out, length, noise, BUFFER));
            } else {
                encrypt(session[number], text, sizeof text, out);
            }
        }
        if (!database) continue;
        run("BEGIN IMMEDIATE");
        for (int i = 0; i < sessions; i++) {
            if (used[i]) save(i, session[i]);
            used[i] = 0;
        }
        run("COMMIT");
    }
    printf("%.9f %.9f\n", now(CLOCK_MONOTONIC) - clock, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
