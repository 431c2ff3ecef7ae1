// The files of the reference frontend, as the C compiler embedded them.
#include <stddef.h>

/// One file. `bytes` is constant memory that lives as long as the program.
struct frontend_file {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

/// The first of `frontend_file_count` files.
const struct frontend_file *_Nonnull frontend_table(void);
extern const size_t frontend_file_count;
