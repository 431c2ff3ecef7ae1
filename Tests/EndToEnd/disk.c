// A disk that fails when it is told to: preloaded into a server, it stands between SQLite and the kernel.
//
// A file that INTERVIEWKIT_DISK names holds what to do, as `struct control`. Only the database and its write-ahead log are
// touched. What was written since a file's last successful synchronisation is remembered, so that a failed one can lose
// it, as kernels do that let go of pages that they could not write, and so that a power cut can.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOUND, SYNC_FAILS, SYNC_LOSES, WRITE_FAILS, FULL, POWER_CUT };
enum { DATABASE = 1, LOG = 2 };

struct control {
  volatile uint32_t mode;
  volatile uint32_t files;      // DATABASE, LOG or both
  volatile uint32_t countdown;  // writes and synchronisations until a power cut
  volatile uint32_t strikes;    // how often it has struck
  volatile uint64_t seed;
};

// One write or truncation that is not synchronised. `before` is what it replaced, up to the file's size then.
struct entry {
  struct entry *older;
  dev_t device;
  ino_t inode;
  int descriptor;
  off_t offset, size_before;
  size_t count, count_before;
  char *after, *before;  // `after` is null for a truncation to `offset`
};

static struct control *control;
static struct entry *newest;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_ftruncate)(int, off_t);

__attribute__((constructor)) static void begin(void) {
  real_pwrite = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
  real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate64");
  const char *path = getenv("INTERVIEWKIT_DISK");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *map = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map != MAP_FAILED) control = map;
}

// Which of the database's files a descriptor is; 0 for any other.
static uint32_t kind(int descriptor) {
  static const char database[] = ".sqlite", log[] = ".sqlite-wal";
  char link[32] = "/proc/self/fd/", name[4096];
  if (!control || descriptor < 3) return 0;
  char digits[12], *end = link + strlen(link);
  int count = 0;
  for (int rest = descriptor; rest || !count; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  while (count) *end++ = digits[--count];
  *end = 0;
  ssize_t length = readlink(link, name, sizeof name);
  if (length > (ssize_t)strlen(log) && !memcmp(name + length - strlen(log), log, strlen(log))) return LOG;
  if (length > (ssize_t)strlen(database) && !memcmp(name + length - strlen(database), database, strlen(database)))
    return DATABASE;
  return 0;
}

// A second descriptor of the same file. It is never closed, since closing it would drop the process's locks on the file.
static int second(int descriptor, const struct stat *status) {
  static struct { dev_t device; ino_t inode; int descriptor; } known[4096];
  static int count;
  for (int place = count - 1; place >= 0; place--)
    if (known[place].inode == status->st_ino && known[place].device == status->st_dev) return known[place].descriptor;
  if (count == 4096) abort();
  known[count].device = status->st_dev;
  known[count].inode = status->st_ino;
  return known[count++].descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

static int strikes(uint32_t mode, uint32_t file) {
  if (control->mode != mode || !(control->files & file)) return 0;
  control->strikes++;
  return 1;
}

static void remember(int descriptor, const void *bytes, size_t count, off_t offset) {
  struct stat status;
  if (fstat(descriptor, &status)) return;
  struct entry *entry = calloc(1, sizeof *entry);
  *entry = (struct entry){newest, status.st_dev, status.st_ino, second(descriptor, &status), offset, status.st_size, count, 0, 0, 0};
  off_t end = bytes ? offset + (off_t)count : status.st_size;
  if (end > status.st_size) end = status.st_size;
  if (end > offset) {
    entry->before = malloc((size_t)(end - offset));
    ssize_t got = pread(descriptor, entry->before, (size_t)(end - offset), offset);
    entry->count_before = got > 0 ? (size_t)got : 0;
  }
  if (bytes) memcpy(entry->after = malloc(count), bytes, count);
  newest = entry;
}

static void release(struct entry *entry) {
  free(entry->before);
  free(entry->after);
  free(entry);
}

static void undo(struct entry *entry) {
  if (entry->count_before) real_pwrite(entry->descriptor, entry->before, entry->count_before, entry->offset);
  real_ftruncate(entry->descriptor, entry->size_before);
}

// A file was synchronised, or what was not is lost.
static void forget(int descriptor, int loses) {
  struct stat status;
  if (fstat(descriptor, &status)) return;
  for (struct entry **place = &newest; *place;) {
    struct entry *entry = *place;
    if (entry->inode != status.st_ino || entry->device != status.st_dev) {
      place = &entry->older;
      continue;
    }
    if (loses) undo(entry);
    *place = entry->older;
    release(entry);
  }
}

static uint64_t dice(void) {
  uint64_t seed = control->seed;
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return control->seed = seed;
}

// Of what is not synchronised some reached the disk and some did not, in no order, and one write is torn.
static void cut_power(void) {
  struct entry *oldest = NULL;
  control->strikes++;
  for (struct entry *entry = newest, *next; entry; entry = next) {
    undo(entry);
    next = entry->older;
    entry->older = oldest;
    oldest = entry;
  }
  uint64_t share = dice() % 5;
  for (struct entry *entry = oldest; entry; entry = entry->older) {
    if (dice() % 4 >= share) continue;
    if (!entry->after)
      real_ftruncate(entry->descriptor, entry->offset);
    else
      real_pwrite(entry->descriptor, entry->after, dice() % 8 ? entry->count : entry->count / 1024 * 512, entry->offset);
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void count_down(void) {
  if (control->mode == POWER_CUT && (control->countdown == 0 || --control->countdown == 0)) cut_power();
}

static ssize_t put(int descriptor, const void *bytes, size_t count, off_t offset, uint32_t file) {
  struct stat status;
  ssize_t result = -1;
  pthread_mutex_lock(&mutex);
  count_down();
  if (strikes(WRITE_FAILS, file)) {
    errno = EIO;
  } else if (control->mode == FULL && !fstat(descriptor, &status) && offset + (off_t)count > status.st_size &&
             strikes(FULL, file)) {
    errno = ENOSPC;
  } else {
    remember(descriptor, bytes, count, offset);
    result = real_pwrite(descriptor, bytes, count, offset);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

static int synchronise(int descriptor, int (*real)(int)) {
  uint32_t file = kind(descriptor);
  if (!file) return real(descriptor);
  int result = -1;
  pthread_mutex_lock(&mutex);
  count_down();
  if (strikes(SYNC_LOSES, file)) {
    forget(descriptor, 1);
    errno = EIO;
  } else if (strikes(SYNC_FAILS, file)) {
    errno = EIO;
  } else {
    result = real(descriptor);
    if (!result) forget(descriptor, 0);
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

int fsync(int descriptor) { return synchronise(descriptor, real_fsync); }
int fdatasync(int descriptor) { return synchronise(descriptor, real_fdatasync); }

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  uint32_t file = kind(descriptor);
  return file ? put(descriptor, bytes, count, offset, file) : real_pwrite(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  uint32_t file = kind(descriptor);
  if (!file) return real_write(descriptor, bytes, count);
  off_t offset = lseek(descriptor, 0, SEEK_CUR);
  ssize_t result = put(descriptor, bytes, count, offset, file);
  if (result > 0) lseek(descriptor, offset + result, SEEK_SET);
  return result;
}

int ftruncate64(int descriptor, off64_t length) {
  uint32_t file = kind(descriptor);
  struct stat status;
  if (!file) return real_ftruncate(descriptor, length);
  pthread_mutex_lock(&mutex);
  count_down();
  // Growing writes nothing that was not there.
  if (!fstat(descriptor, &status) && length < status.st_size) remember(descriptor, NULL, 0, length);
  int result = real_ftruncate(descriptor, length);
  pthread_mutex_unlock(&mutex);
  return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }
