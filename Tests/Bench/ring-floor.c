// The floor once more, with io_uring: one call a turn sends all answers and waits; what is received lies ready in lent buffers.
// Reads no request but for counting the ends of heads, like floor.c.
//
//   ring-floor PORT THREADS FILE      answers every request with the file's bytes under a fixed head
#define _GNU_SOURCE
#include <errno.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ENTRIES = 1024, BUFFERS = 1024, BUFFER = 4096, MOST = 16, ACCEPT = 1, RECEIVE = 2, SEND = 3 };
static char reply[1 << 20];
static size_t length;
static int listener;
static struct iovec pieces[MOST];
static struct msghdr messages[MOST + 1];

struct ring {
  int descriptor;
  unsigned *taken, *tail, *head, *end, own, submissions, completions;
  struct io_uring_sqe *entries;
  struct io_uring_cqe *results;
  struct io_uring_buf *lent;
  char *buffers;
  unsigned short lent_tail;
};

static void *map(size_t bytes, int descriptor, off_t offset) {
  int flags = descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
  void *start = mmap(0, bytes, PROT_READ | PROT_WRITE, flags, descriptor, offset);
  if (start == MAP_FAILED) exit(1);
  return start;
}

static void lend(struct ring *ring, unsigned number) {
  struct io_uring_buf *entry = &ring->lent[ring->lent_tail & (BUFFERS - 1)];
  entry->addr = (uintptr_t)(ring->buffers + number * BUFFER), entry->len = BUFFER, entry->bid = (__u16)number;
  __atomic_store_n(&ring->lent[0].resv, ++ring->lent_tail, __ATOMIC_RELEASE);
}

static void make(struct ring *ring) {
  struct io_uring_params made = {
      .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE, .cq_entries = 4096};
  ring->descriptor = (int)syscall(__NR_io_uring_setup, ENTRIES, &made);
  if (ring->descriptor < 0) perror("io_uring_setup"), exit(1);
  size_t first = made.sq_off.array + made.sq_entries * 4, second = made.cq_off.cqes + made.cq_entries * 16;
  char *memory = map(first > second ? first : second, ring->descriptor, IORING_OFF_SQ_RING);
  ring->taken = (unsigned *)(memory + made.sq_off.head), ring->tail = (unsigned *)(memory + made.sq_off.tail);
  ring->head = (unsigned *)(memory + made.cq_off.head), ring->end = (unsigned *)(memory + made.cq_off.tail);
  ring->results = (struct io_uring_cqe *)(memory + made.cq_off.cqes);
  ring->submissions = made.sq_entries - 1, ring->completions = made.cq_entries - 1;
  for (unsigned index = 0; index < made.sq_entries; index++) ((unsigned *)(memory + made.sq_off.array))[index] = index;
  ring->entries = map(made.sq_entries * sizeof(struct io_uring_sqe), ring->descriptor, IORING_OFF_SQES);
  ring->lent = map(BUFFERS * sizeof(struct io_uring_buf), -1, 0), ring->buffers = map(BUFFERS * BUFFER, -1, 0);
  struct io_uring_buf_reg lent = {.ring_addr = (uintptr_t)ring->lent, .ring_entries = BUFFERS};
  if (syscall(__NR_io_uring_register, ring->descriptor, IORING_REGISTER_PBUF_RING, &lent, 1)) exit(1);
  for (unsigned number = 0; number < BUFFERS; number++) lend(ring, number);
}

static void enter(struct ring *ring, unsigned wanted) {
  unsigned count = ring->own - __atomic_load_n(ring->taken, __ATOMIC_ACQUIRE);
  __atomic_store_n(ring->tail, ring->own, __ATOMIC_RELEASE);
  syscall(__NR_io_uring_enter, ring->descriptor, count, wanted, IORING_ENTER_GETEVENTS, 0, 0);
}

static struct io_uring_sqe *entry(struct ring *ring, unsigned char operation, int descriptor, uint64_t purpose) {
  if (ring->own - __atomic_load_n(ring->taken, __ATOMIC_ACQUIRE) == ENTRIES) enter(ring, 0);
  struct io_uring_sqe *entry = &ring->entries[ring->own++ & ring->submissions];
  *entry = (struct io_uring_sqe){.opcode = operation, .fd = descriptor, .user_data = purpose << 32 | (unsigned)descriptor};
  return entry;
}

static void receive(struct ring *ring, int connection) {
  struct io_uring_sqe *made = entry(ring, IORING_OP_RECV, connection, RECEIVE);
  made->ioprio = IORING_RECV_MULTISHOT, made->flags = IOSQE_BUFFER_SELECT;
}

static void answer(struct ring *ring, int connection, int count) {
  struct io_uring_sqe *made = entry(ring, count == 1 ? IORING_OP_SEND : IORING_OP_SENDMSG, connection, SEND);
  made->msg_flags = MSG_NOSIGNAL | MSG_WAITALL, made->flags = IOSQE_CQE_SKIP_SUCCESS;
  made->addr = count == 1 ? (uintptr_t)reply : (uintptr_t)&messages[count], made->len = count == 1 ? (__u32)length : 1;
}

static void serve(struct ring *ring, int connection, const struct io_uring_cqe *result) {
  unsigned number = result->flags >> IORING_CQE_BUFFER_SHIFT;
  char *input = ring->buffers + number * BUFFER, *end = input;
  int requests = 0;
  while ((end = memmem(end, (size_t)(input + result->res - end), "\r\n\r\n", 4))) {
    end += 4;
    if (++requests == MOST) answer(ring, connection, requests), requests = 0;
  }
  if (requests) answer(ring, connection, requests);
  lend(ring, number);
}

static void *loop(void *unused) {
  struct ring ring = {0};
  make(&ring);
  entry(&ring, IORING_OP_ACCEPT, listener, ACCEPT)->ioprio = IORING_ACCEPT_MULTISHOT;
  while (1) {
    enter(&ring, 1);
    unsigned head = *ring.head, end = __atomic_load_n(ring.end, __ATOMIC_ACQUIRE);
    for (; head != end; head++) {
      const struct io_uring_cqe *result = &ring.results[head & ring.completions];
      int connection = (int)(unsigned)result->user_data, on = 1;
      switch (result->user_data >> 32) {
      case ACCEPT:
        if (result->res < 0) break;
        setsockopt(result->res, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        receive(&ring, result->res);
        break;
      case RECEIVE:
        if (result->res > 0) serve(&ring, connection, result);
        if (result->res == 0 || (result->res < 0 && result->res != -ENOBUFS)) close(connection);
        else if (!(result->flags & IORING_CQE_F_MORE)) receive(&ring, connection);
        break;
      }
    }
    __atomic_store_n(ring.head, head, __ATOMIC_RELEASE);
  }
  return unused;
}

int main(int count, char **words) {
  if (count != 4) return 2;
  FILE *file = fopen(words[3], "rb");
  if (!file) return 2;
  static char body[1 << 19];
  size_t bytes = fread(body, 1, sizeof body, file);
  length = (size_t)sprintf(
      reply,
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"1\"\r\nVary: Accept-Encoding\r\n"
      "Content-Length: %zu\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
      "X-Request-Id: 00000000-0000-7000-8000-000000000000\r\n\r\n",
      bytes);
  memcpy(reply + length, body, bytes);
  length += bytes;
  for (int index = 0; index < MOST; index++) pieces[index] = (struct iovec){reply, length};
  for (int index = 0; index <= MOST; index++)
    messages[index] = (struct msghdr){.msg_iov = pieces, .msg_iovlen = (size_t)index};
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) return 1;
  pthread_t thread;
  for (int index = 1; index < atoi(words[2]); index++) pthread_create(&thread, 0, loop, 0);
  loop(0);
}
