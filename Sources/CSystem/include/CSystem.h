#ifndef CSYSTEM_H
#define CSYSTEM_H

// The system headers that Swift's Glibc module leaves out.
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/un.h>
#endif

#endif
