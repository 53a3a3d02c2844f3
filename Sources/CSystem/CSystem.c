#define _GNU_SOURCE
#include "CSystem.h"

#ifdef __linux__
#include <fcntl.h>

int kiln_allocate_ahead(int descriptor, long offset, long length) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}

int kiln_nameless_file(const char *folder) {
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}
#endif
