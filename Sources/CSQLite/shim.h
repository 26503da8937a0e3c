// sqlite3 as the Keyring target uses it.
#include <sqlite3.h>

// Keeps SQLite from counting the memory it has taken, for which it would lock at each piece. To be called
// before anything else; variable arguments are not for Swift.
static inline int sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Has a connection run no trigger and no view of the file, and take no orders to write into SQLite's own
// tables; variable arguments are not for Swift.
static inline int sqlite_run_nothing_of_the_file(sqlite3 *connection) {
    int triggers = 0, views = 0, defence = 0;
    int done = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &triggers)
        | sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &views)
        | sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, &defence);
    return done == SQLITE_OK && !triggers && !views && defence ? SQLITE_OK : SQLITE_ERROR;
}

// Has a connection leave its log as it is when it closes; variable arguments are not for Swift.
static inline int sqlite_keep_log(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
