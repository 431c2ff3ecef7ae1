// What CSQLite gives to Swift.
#include <sqlite3.h>
