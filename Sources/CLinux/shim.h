// The Linux calls that Swift's Glibc module leaves out: epoll, eventfd, accept4.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
// Not declared without _GNU_SOURCE.
extern int pthread_setname_np(pthread_t thread, const char *name);
