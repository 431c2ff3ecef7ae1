// The Linux calls that Swift's Glibc module leaves out: epoll, eventfd, accept4, SIOCOUTQ, io_uring.
#include <errno.h>
#include <linux/io_uring.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
// Not declared without _GNU_SOURCE.
extern int pthread_setname_np(pthread_t thread, const char *name);

// Bytes in the send buffer that the peer has not acknowledged (TCP) or read (Unix); negative where there is no telling.
static inline int unacknowledged_bytes(int socket) {
  int bytes = 0;
  return ioctl(socket, SIOCOUTQ, &bytes) < 0 ? -1 : bytes;
}

// What an operation came to, as the kernel writes it.
struct ring_completion {
  uint64_t token;
  int32_t result;
  uint32_t flags;
};

// io_uring has no functions in the C library. These return a negative errno when they fail.
static inline int ring_setup(unsigned entries, struct io_uring_params *parameters) {
  long result = syscall(__NR_io_uring_setup, entries, parameters);
  return result < 0 ? -errno : (int)result;
}

static inline int ring_register(int ring, unsigned operation, void *argument, unsigned count) {
  long result = syscall(__NR_io_uring_register, ring, operation, argument, count);
  return result < 0 ? -errno : (int)result;
}

// Submits, runs what the kernel has put off, and waits for `wanted` completions; for ever when `milliseconds` is negative.
static inline int ring_enter(int ring, unsigned submitted, unsigned wanted, int milliseconds) {
  struct __kernel_timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  struct io_uring_getevents_arg limit = {.ts = milliseconds < 0 ? 0 : (uintptr_t)&time};
  long result = syscall(
      __NR_io_uring_enter, ring, submitted, wanted, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &limit,
      sizeof limit);
  return result < 0 ? -errno : (int)result;
}

static inline unsigned ring_load(const unsigned *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }
static inline void ring_store(unsigned *place, unsigned value) { __atomic_store_n(place, value, __ATOMIC_RELEASE); }

// Lends the kernel a buffer: the ring's tail shares its place with the first entry's reserved field.
static inline void ring_lend(
    struct io_uring_buf *ring, unsigned mask, unsigned short tail, void *bytes, unsigned count, unsigned short number) {
  struct io_uring_buf *entry = &ring[tail & mask];
  entry->addr = (uintptr_t)bytes, entry->len = count, entry->bid = number;
  __atomic_store_n(&ring[0].resv, (unsigned short)(tail + 1), __ATOMIC_RELEASE);
}

// Receives again and again into lent buffers, until it says otherwise.
static inline void ring_receive(struct io_uring_sqe *entry, int socket, uint64_t token) {
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_RECV, entry->fd = socket, entry->user_data = token;
  entry->ioprio = IORING_RECV_MULTISHOT, entry->flags = IOSQE_BUFFER_SELECT;
}

// Sends what the system takes at once; silent when that is all.
static inline void ring_send(struct io_uring_sqe *entry, int socket, const void *bytes, unsigned count, uint64_t token) {
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_SEND, entry->fd = socket, entry->user_data = token;
  entry->addr = (uintptr_t)bytes, entry->len = count, entry->flags = IOSQE_CQE_SKIP_SUCCESS;
  entry->msg_flags = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_WAITALL;
}

static inline void ring_nothing(struct io_uring_sqe *entry, uint64_t token) {
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_NOP, entry->user_data = token;
}

static inline void ring_poll(struct io_uring_sqe *entry, int descriptor, uint64_t token) {
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_POLL_ADD, entry->fd = descriptor, entry->user_data = token, entry->poll32_events = EPOLLIN;
}

// Ends the operation that was begun with `wanted`.
static inline void ring_cancel(struct io_uring_sqe *entry, uint64_t wanted, uint64_t token) {
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_ASYNC_CANCEL, entry->fd = -1, entry->addr = wanted, entry->user_data = token;
  entry->flags = IOSQE_CQE_SKIP_SUCCESS;
}
