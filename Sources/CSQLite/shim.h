// What CSQLite gives to Swift: SQLite, and the one of its variadic calls that is needed.
#include <sqlite3.h>

/// The connection leaves the write-ahead log as it is when it closes, also as the last one.
static inline int interviewkit_keep_log_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
