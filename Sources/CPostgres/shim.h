// The part of libpq that the PostgreSQL driver uses, as types of functions: the library is opened when it is needed, so nothing is
// linked and no header of PostgreSQL is included. libpq's manual, chapters "Connection Control" to "Pipeline Mode", says what each does.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;
typedef struct pgNotify {
  char *relname;
  int be_pid;
  char *extra;
  struct pgNotify *next;
} PGnotify;

enum { IK_CONNECTION_OK = 0 };
enum {
  IK_PGRES_COMMAND_OK = 1,
  IK_PGRES_TUPLES_OK = 2,
  IK_PGRES_FATAL_ERROR = 7,
  IK_PGRES_PIPELINE_SYNC = 10,
  IK_PGRES_PIPELINE_ABORTED = 11
};

typedef PGconn *(*PQconnectdbParamsFunction)(const char *const *keywords, const char *const *values, int expand_dbname);
typedef void (*PQfinishFunction)(PGconn *connection);
/* PQstatus, PQsocket, PQbackendPID, PQconsumeInput, PQisBusy, PQflush, PQenterPipelineMode, PQexitPipelineMode, PQpipelineSync */
typedef int (*PQconnectionFunction)(PGconn *connection);
typedef int (*PQsetnonblockingFunction)(PGconn *connection, int on);
typedef char *(*PQerrorMessageFunction)(const PGconn *connection);
typedef const char *(*PQparameterStatusFunction)(const PGconn *connection, const char *name);
typedef void (*PQnoticeProcessor)(void *argument, const char *message);
typedef PQnoticeProcessor (*PQsetNoticeProcessorFunction)(PGconn *connection, PQnoticeProcessor processor, void *argument);
typedef int (*PQsendQueryFunction)(PGconn *connection, const char *sql);
typedef int (*PQsendPrepareFunction)(PGconn *connection, const char *name, const char *sql, int count, const Oid *types);
typedef int (*PQsendQueryPreparedFunction)(PGconn *connection, const char *name, int count, const char *const *values,
                                           const int *lengths, const int *formats, int result_format);
typedef PGresult *(*PQgetResultFunction)(PGconn *connection);
typedef PGnotify *(*PQnotifiesFunction)(PGconn *connection);
typedef void (*PQfreememFunction)(void *pointer);
typedef void (*PQclearFunction)(PGresult *result);
/* PQresultStatus, PQntuples, PQnfields */
typedef int (*PQresultFunction)(const PGresult *result);
typedef char *(*PQcmdTuplesFunction)(PGresult *result);
typedef char *(*PQresultErrorFieldFunction)(const PGresult *result, int field);
typedef Oid (*PQftypeFunction)(const PGresult *result, int column);
/* PQgetisnull, PQgetlength */
typedef int (*PQfieldFunction)(const PGresult *result, int row, int column);
typedef char *(*PQgetvalueFunction)(const PGresult *result, int row, int column);
