// Preloaded into a process that writes an LMDB store: records what reaches the file, and when it was
// flushed, so that the file can be rebuilt as a power cut could have left it.
//
// Every record in the file KILN_TRACE: one byte kind, offset and length as 64-bit little-endian
// numbers, then the bytes of a write.
//   W  a write that the disk may still drop or reorder
//   D  a write through a descriptor opened with O_DSYNC: on the disk when the call returns
//   F  a flush: all writes before it are on the disk
//   T  the file was cut or stretched to `offset`
//   L  the finished file got its name
//   A  bytes that the process wrote to a file named `acknowledged`

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096 };
enum role { NONE, DATA, DATA_SYNC, ACKNOWLEDGED };

static enum role roles[DESCRIPTORS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_link)(const char *, const char *);

__attribute__((constructor)) static void start(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_open = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_link = dlsym(RTLD_NEXT, "link");
  const char *path = getenv("KILN_TRACE");
  if (path) trace = real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static enum role role_of(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS ? roles[descriptor] : NONE;
}

static void put(const void *bytes, size_t count) {
  if (real_write(trace, bytes, count) != (ssize_t)count) abort();
}

static void record(char kind, uint64_t offset, const struct iovec *parts, int count) {
  uint64_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  put(&kind, 1);
  put(&offset, 8);
  put(&length, 8);
  for (int i = 0; i < count; i++) put(parts[i].iov_base, parts[i].iov_len);
}

static int ends_with(const char *path, const char *end) {
  size_t a = strlen(path), b = strlen(end);
  return a >= b && strcmp(path + a - b, end) == 0;
}

static int opened(int descriptor, const char *path, int flags) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS) return descriptor;
  // A new store is written under another name, which begins so, until it is whole.
  if (strstr(path, "/data.mdb")) roles[descriptor] = flags & O_DSYNC ? DATA_SYNC : DATA;
  else roles[descriptor] = ends_with(path, "/acknowledged") ? ACKNOWLEDGED : NONE;
  return descriptor;
}

#define MODE                       \
  mode_t mode = 0;                 \
  if (flags & O_CREAT) {           \
    va_list list;                  \
    va_start(list, flags);         \
    mode = va_arg(list, mode_t);   \
    va_end(list);                  \
  }

int open(const char *path, int flags, ...) { MODE return opened(real_open(path, flags, mode), path, flags); }
int open64(const char *path, int flags, ...) { MODE return opened(real_open(path, flags, mode), path, flags); }

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) roles[descriptor] = NONE;
  return real_close(descriptor);
}

// The call and its record stay together, so that the trace has the order of the disk.
#define RECORDED(type, call, kind, offset, parts, count)                \
  pthread_mutex_lock(&lock);                                            \
  type result = call;                                                   \
  if (result >= 0 && trace >= 0) record(kind, offset, parts, count);    \
  pthread_mutex_unlock(&lock);                                          \
  return result;

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off_t offset) {
  enum role role = role_of(descriptor);
  if (role != DATA && role != DATA_SYNC) return real_pwritev(descriptor, parts, count, offset);
  RECORDED(ssize_t, real_pwritev(descriptor, parts, count, offset), role == DATA ? 'W' : 'D', offset, parts, count)
}
ssize_t pwritev(int d, const struct iovec *p, int c, off_t o) { return pwritev64(d, p, c, o); }

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  enum role role = role_of(descriptor);
  if (role != DATA && role != DATA_SYNC) return real_pwrite(descriptor, bytes, count, offset);
  struct iovec part = {(void *)bytes, count};
  RECORDED(ssize_t, real_pwrite(descriptor, bytes, count, offset), role == DATA ? 'W' : 'D', offset, &part, 1)
}
ssize_t pwrite(int d, const void *b, size_t c, off_t o) { return pwrite64(d, b, c, o); }

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  enum role role = role_of(descriptor);
  if (role != DATA && role != DATA_SYNC) return real_writev(descriptor, parts, count);
  off_t offset = lseek(descriptor, 0, SEEK_CUR);
  RECORDED(ssize_t, real_writev(descriptor, parts, count), role == DATA ? 'W' : 'D', offset, parts, count)
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  enum role role = role_of(descriptor);
  struct iovec part = {(void *)bytes, count};
  if (role == NONE) return real_write(descriptor, bytes, count);
  off_t offset = role == ACKNOWLEDGED ? 0 : lseek(descriptor, 0, SEEK_CUR);
  char kind = role == ACKNOWLEDGED ? 'A' : role == DATA ? 'W' : 'D';
  RECORDED(ssize_t, real_write(descriptor, bytes, count), kind, offset, &part, 1)
}

int link(const char *from, const char *to) {
  if (!ends_with(to, "/data.mdb")) return real_link(from, to);
  RECORDED(int, real_link(from, to), 'L', 0, 0, 0)
}

int fdatasync(int descriptor) {
  if (role_of(descriptor) != DATA) return real_fdatasync(descriptor);
  RECORDED(int, real_fdatasync(descriptor), 'F', 0, 0, 0)
}

int fsync(int descriptor) {
  if (role_of(descriptor) != DATA) return real_fsync(descriptor);
  RECORDED(int, real_fsync(descriptor), 'F', 0, 0, 0)
}

int ftruncate64(int descriptor, off_t length) {
  if (role_of(descriptor) != DATA) return real_ftruncate(descriptor, length);
  RECORDED(int, real_ftruncate(descriptor, length), 'T', length, 0, 0)
}
int ftruncate(int d, off_t l) { return ftruncate64(d, l); }
