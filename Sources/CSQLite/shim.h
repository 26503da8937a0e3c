// sqlite3 as the Keyring target uses it.
#include <sqlite3.h>
