/* A disk under observation, for Linux with glibc: preloaded into a program, it writes down what the program does to the
 * files of one folder, in the order it was done, and fails the call it is told to fail. disk.ts builds and steers it.
 *   SELLO_DISK_FOLDER  the folder, absolute, without a slash at its end
 *   SELLO_DISK_RECORD  the file that is appended to; nothing is written down without it
 *   SELLO_DISK_FAULT   a file that holds one `struct fault`; whoever writes to it arms the next fault */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES = 4096, REPLY_KEPT = 65536 };

struct fault {
  int32_t call;    /* 'w' writes, 's' syncs */
  int32_t error;   /* errno */
  int32_t after;   /* calls until it strikes; 0: not armed, or struck */
  int32_t lasting; /* every later call fails too, until this is cleared */
  int32_t struck;  /* how many calls have failed */
};

struct entry {
  uint8_t kind;
  uint8_t none;
  uint16_t name;   /* bytes of the name that follows */
  uint32_t bytes;  /* bytes of the content after it */
  uint64_t offset;
};

static const char *folder;
static size_t folder_length;
static int record = -1;
static struct fault *fault;
static char *names[FILES];
static ino_t inodes[FILES];
static dev_t devices[FILES];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_truncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);

__attribute__((constructor)) static void begin(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_write = dlsym(RTLD_NEXT, "write");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_truncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  folder = getenv("SELLO_DISK_FOLDER");
  if (!folder) return;
  folder_length = strlen(folder);
  const char *to = getenv("SELLO_DISK_RECORD");
  if (to) record = real_open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *from = getenv("SELLO_DISK_FAULT");
  int file = from ? real_open(from, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) fault = shared;
  real_close(file);
}

/* The name below the folder, or NULL. The index of the log lives in memory and is made anew after a power cut. */
static const char *below(const char *path) {
  if (!folder || !path || strncmp(path, folder, folder_length) != 0 || path[folder_length] != '/') return NULL;
  return strstr(path, "-shm") ? NULL : path + folder_length + 1;
}

/* libuv closes with a bare system call that nobody can come before: a number that names another file now is not ours. */
static const char *name_of(int file) {
  if (file < 0 || file >= FILES || !names[file]) return NULL;
  struct stat now;
  return fstat(file, &now) == 0 && now.st_ino == inodes[file] && now.st_dev == devices[file] ? names[file] : NULL;
}

/* Called in turn, so that entries stand in the order in which the disk was changed. */
static void note(char kind, const char *name, uint64_t offset, const void *content, size_t bytes) {
  if (record < 0) return;
  struct entry entry = {(uint8_t)kind, 0, (uint16_t)strlen(name), (uint32_t)bytes, offset};
  size_t whole = sizeof entry + entry.name + bytes;
  char *text = malloc(whole);
  memcpy(text, &entry, sizeof entry);
  memcpy(text + sizeof entry, name, entry.name);
  if (bytes > 0) memcpy(text + sizeof entry + entry.name, content, bytes);
  if (real_write(record, text, whole) != (ssize_t)whole) abort();
  free(text);
}

static int strikes(char call) {
  if (!fault || fault->call != call) return 0;
  if (fault->after == 0) {
    if (!fault->lasting || fault->struck == 0) return 0;
  } else if (--fault->after > 0) return 0;
  fault->struck += 1;
  errno = fault->error;
  return 1;
}

static int opened(int file, const char *path, int flags) {
  const char *name = below(path);
  if (file < 0 || file >= FILES || !name || !(flags & (O_WRONLY | O_RDWR))) return file;
  pthread_mutex_lock(&turn);
  free(names[file]);
  names[file] = strdup(name);
  struct stat now;
  fstat(file, &now);
  inodes[file] = now.st_ino;
  devices[file] = now.st_dev;
  if (flags & O_CREAT) note('c', name, 0, NULL, 0);
  if (flags & O_TRUNC) note('t', name, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return file;
}

#define MODE(flags, mode) \
  va_list rest; va_start(rest, flags); \
  int mode = (flags & O_CREAT) ? va_arg(rest, int) : 0; \
  va_end(rest)

int open64(const char *path, int flags, ...) {
  MODE(flags, mode);
  return opened(real_open(path, flags, mode), path, flags);
}

int open(const char *path, int flags, ...) {
  MODE(flags, mode);
  return opened(real_open(path, flags, mode), path, flags);
}

int close(int file) {
  if (file >= 0 && file < FILES && names[file]) {
    pthread_mutex_lock(&turn);
    free(names[file]);
    names[file] = NULL;
    pthread_mutex_unlock(&turn);
  }
  return real_close(file);
}

static ssize_t written(int file, const void *content, size_t bytes, off_t offset, int positioned) {
  pthread_mutex_lock(&turn);
  ssize_t result = -1;
  if (!strikes('w')) {
    if (!positioned) offset = lseek(file, 0, SEEK_CUR);
    result = positioned ? real_pwrite(file, content, bytes, offset) : real_write(file, content, bytes);
    if (result > 0) note('w', names[file], offset, content, result);
  }
  int error = errno;
  pthread_mutex_unlock(&turn);
  errno = error;
  return result;
}

ssize_t pwrite64(int file, const void *content, size_t bytes, off_t offset) {
  return name_of(file) ? written(file, content, bytes, offset, 1) : real_pwrite(file, content, bytes, offset);
}

ssize_t pwrite(int file, const void *content, size_t bytes, off_t offset) {
  return pwrite64(file, content, bytes, offset);
}

static int is_success(const void *text, size_t bytes) {
  return record >= 0 && bytes >= 12 && memcmp(text, "HTTP/1.1 2", 10) == 0;
}

/* Noted before it leaves: whatever stands before it in the record was done before anybody could have heard it. */
static void note_reply(const void *text, size_t bytes) {
  pthread_mutex_lock(&turn);
  note('a', "", 0, text, bytes > REPLY_KEPT ? REPLY_KEPT : bytes);
  pthread_mutex_unlock(&turn);
}

ssize_t write(int file, const void *content, size_t bytes) {
  if (name_of(file)) return written(file, content, bytes, 0, 0);
  if (is_success(content, bytes)) note_reply(content, bytes);
  return real_write(file, content, bytes);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (count > 0 && is_success(parts[0].iov_base, parts[0].iov_len)) {
    size_t bytes = 0, at = 0;
    for (int i = 0; i < count; i++) bytes += parts[i].iov_len;
    char *text = malloc(bytes);
    for (int i = 0; i < count; at += parts[i++].iov_len) memcpy(text + at, parts[i].iov_base, parts[i].iov_len);
    note_reply(text, bytes);
    free(text);
  }
  return real_writev(file, parts, count);
}

int ftruncate64(int file, off_t length) {
  if (!name_of(file)) return real_truncate(file, length);
  pthread_mutex_lock(&turn);
  int result = real_truncate(file, length);
  if (result == 0) note('t', names[file], length, NULL, 0);
  pthread_mutex_unlock(&turn);
  return result;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

static int synced(int (*real)(int), int file) {
  if (!name_of(file)) return real(file);
  pthread_mutex_lock(&turn);
  int result = strikes('s') ? -1 : real(file);
  if (result == 0) note('s', names[file], 0, NULL, 0);
  int error = errno;
  pthread_mutex_unlock(&turn);
  errno = error;
  return result;
}

int fsync(int file) { return synced(real_fsync, file); }

int fdatasync(int file) { return synced(real_fdatasync, file); }

int unlink(const char *path) {
  pthread_mutex_lock(&turn);
  int result = real_unlink(path);
  if (result == 0 && below(path)) note('d', below(path), 0, NULL, 0);
  int error = errno;
  pthread_mutex_unlock(&turn);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) {
  pthread_mutex_lock(&turn);
  int result = real_rename(from, to);
  if (result == 0 && below(from) && below(to)) note('r', below(from), 0, below(to), strlen(below(to)));
  int error = errno;
  pthread_mutex_unlock(&turn);
  errno = error;
  return result;
}
