#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef __linux__
static int prepared(int descriptor) {
  if (descriptor >= 0) {
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  }
  return descriptor;
}
#endif

int kiln_accept(int listener, struct sockaddr *address, socklen_t *length) {
#ifdef __linux__
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
  return prepared(accept(listener, address, length));
#endif
}

int kiln_socket(int family) {
#ifdef __linux__
  return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
  return prepared(socket(family, SOCK_STREAM, 0));
#endif
}

static int signals = -1;

// Only what POSIX lists as safe in a handler happens here: write, and errno is kept.
static void write_signal(int number) {
  int kept = errno;
  char byte = (char)number;
  ssize_t ignored = write(signals, &byte, 1);
  (void)ignored;
  errno = kept;
}

int kiln_pipe_of_signals(int with_hangups) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, fcntl(ends[i], F_GETFL) | O_NONBLOCK);
  }
  signals = ends[1];
  struct sigaction action = {.sa_handler = write_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  if (with_hangups) {
    action.sa_flags = SA_RESTART;
    sigaction(SIGHUP, &action, NULL);
  }
  return ends[0];
}

int kiln_next_signal(int pipe) {
  char number;
  if (read(pipe, &number, 1) != 1) return 0;
  return number == SIGHUP ? KILN_HANGS_UP : KILN_ENDS;
}

void kiln_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

int kiln_reserve_descriptor(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

int kiln_unix_path_size(void) { return (int)sizeof(((struct sockaddr_un *)0)->sun_path); }
