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
#endif

#endif
