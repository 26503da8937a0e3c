// sqlite3 as the Keyring target uses it.
#include <sqlite3.h>

// Keeps SQLite from counting the memory it has taken, for which it would lock at each piece. To be called
// before anything else; variable arguments are not for Swift.
static inline int sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Has a connection leave its log as it is when it closes; variable arguments are not for Swift.
static inline int sqlite_keep_log(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
