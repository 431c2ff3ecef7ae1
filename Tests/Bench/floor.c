// The least that a server can do for a request: one epoll_wait for many, one recv, one send of bytes that are made already.
// It reads no request but for counting the ends of heads. What it needs is the kernel's share of every server.
//
//   floor PORT THREADS FILE      answers every request with the file's bytes under a fixed head
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST = 16 };  // requests answered by one call
static char reply[1 << 20];
static size_t length;
static int listener;

static void answer(int connection, int count) {
  struct iovec pieces[MOST];
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
  for (int index = 0; index < count; index++) pieces[index] = (struct iovec){reply, length};
  if (count == 1) send(connection, reply, length, MSG_NOSIGNAL);
  else sendmsg(connection, &message, MSG_NOSIGNAL);
}

static void serve(int connection) {
  char input[65536];
  ssize_t count = recv(connection, input, sizeof input, 0);
  if (count == 0 || (count < 0 && errno != EAGAIN)) close(connection);
  int requests = 0;
  char *end = input;
  while (count > 0 && (end = memmem(end, (size_t)(input + count - end), "\r\n\r\n", 4))) {
    end += 4;
    if (++requests == MOST) answer(connection, requests), requests = 0;
  }
  if (requests) answer(connection, requests);
}

static void *loop(void *unused) {
  int poller = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE, .data.fd = listener};
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  struct epoll_event events[256];
  while (1) {
    int count = epoll_wait(poller, events, 256, -1);
    for (int index = 0; index < count; index++) {
      if (events[index].data.fd != listener) {
        serve(events[index].data.fd);
        continue;
      }
      int connection = accept4(listener, 0, 0, SOCK_NONBLOCK), on = 1;
      if (connection < 0) continue;
      setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      event = (struct epoll_event){.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.fd = connection};
      epoll_ctl(poller, EPOLL_CTL_ADD, connection, &event);
    }
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
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) return 1;
  pthread_t thread;
  for (int index = 1; index < atoi(words[2]); index++) pthread_create(&thread, 0, loop, 0);
  loop(0);
}
