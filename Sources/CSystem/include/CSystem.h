#ifndef CSYSTEM_H
#define CSYSTEM_H

// The system headers that Swift's Glibc module leaves out.
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/un.h>

// Allocates blocks of a file behind its end and leaves its size as it is (fallocate(2), which the
// headers hide from Swift). Returns 0, or -1 with errno set.
int kiln_allocate_ahead(int descriptor, long offset, long length);

// A file without a name in that folder, for this user alone, which linkat(2) can still give one
// (O_TMPFILE, a macro that Swift can't import). -1 and errno where the file system has none.
int kiln_nameless_file(const char *folder);
#endif

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// What Swift can't call or name, because it is a macro, a GNU extension or variadic.

/// Accepts a connection whose descriptor neither blocks nor is inherited. -1 and errno on failure.
int kiln_accept(int listener, struct sockaddr *address, socklen_t *length);

/// A stream socket of that family whose descriptor neither blocks nor is inherited. -1 and errno on
/// failure.
int kiln_socket(int family);

/// Makes the signals SIGTERM and SIGINT write into a pipe instead of ending the process; after the
/// first of each, the next ends it as ever. SIGHUP too, if asked for, each time. Returns the end to
/// read, or -1 and errno.
int kiln_pipe_of_signals(int with_hangups);

#define KILN_ENDS 1
#define KILN_HANGS_UP 2

/// What the next signal in the pipe says, KILN_ENDS or KILN_HANGS_UP; 0 if there is none.
int kiln_next_signal(int pipe);

/// Writes to a broken connection fail with EPIPE from now on instead of ending the process.
void kiln_ignore_broken_pipes(void);

/// A descriptor that is open on nothing, to be given up when no other can be had. -1 on failure.
int kiln_reserve_descriptor(void);

/// The place after which a unix socket's path no longer fits into its address.
int kiln_unix_path_size(void);

#endif
