/*
 * shim makes one library call of a program fail: preload it with
 *
 *	HURT=alloc:17	the 17th allocation fails
 *	HURT=call:5	the 5th system call of those below fails
 *	HURT=call:5+	that one and all later ones
 *	HURT=kill:3	the program is killed in front of the 3rd call that changes a file
 *	HURT=named	the file system has no files without a name
 *
 * and with HURT_COUNT=FILE to learn how many there are.  Needs glibc.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHIM __attribute__((visibility("default")))

extern void	*__libc_malloc(size_t);
extern void	*__libc_calloc(size_t, size_t);
extern void	*__libc_realloc(void *, size_t);

static atomic_long allocs, calls, changes;
static long fail_alloc, fail_call, kill_at;
static bool stays, ready, named;

__attribute__((constructor)) static void
start(void)
{
	const char *s = getenv("HURT");

	if (s != NULL && strncmp(s, "alloc:", 6) == 0)
		fail_alloc = atol(s + 6);
	if (s != NULL && strncmp(s, "call:", 5) == 0)
		fail_call = atol(s + 5);
	if (s != NULL && strncmp(s, "kill:", 5) == 0)
		kill_at = atol(s + 5);
	named = s != NULL && strcmp(s, "named") == 0;
	stays = s != NULL && strchr(s, '+') != NULL;
	ready = true;
}

__attribute__((destructor)) static void
end(void)
{
	const char *path = getenv("HURT_COUNT");
	char text[64];
	int n;
	long fd;

	ready = false;
	if (path == NULL)
		return;
	n = snprintf(text, sizeof text, "%ld %ld %ld\n", allocs, calls, changes);
	fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd >= 0) {
		syscall(SYS_write, fd, text, n);
		syscall(SYS_close, fd);
	}
}

static bool
hit(atomic_long *count, long at)
{
	long n;

	if (!ready)
		return false;
	n = atomic_fetch_add(count, 1) + 1;
	return at > 0 && (n == at || (stays && n > at));
}

static bool
fails(int reason)
{
	if (!hit(&calls, fail_call))
		return false;
	errno = reason;
	return true;
}

static bool
change_fails(int reason)
{
	if (hit(&changes, kill_at))
		raise(SIGKILL);
	return fails(reason);
}

/* ---- memory ------------------------------------------------------------- */

SHIM void *
malloc(size_t n)
{
	if (hit(&allocs, fail_alloc)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_malloc(n);
}

SHIM void *
calloc(size_t n, size_t size)
{
	if (hit(&allocs, fail_alloc)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(n, size);
}

SHIM void *
realloc(void *p, size_t n)
{
	if (hit(&allocs, fail_alloc)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(p, n);
}

SHIM void *
reallocarray(void *p, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, n * size);
}

SHIM void *
mmap(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	if (fails(ENOMEM))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, p, n, prot, flags, fd, at);
}

SHIM void *
mmap64(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	return mmap(p, n, prot, flags, fd, at);
}

/* ---- files -------------------------------------------------------------- */

static int
open_file(int folder, const char *path, int flags, unsigned mode)
{
	if (fails(EMFILE))
		return -1;
	if (named && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE(flags, mode) do { \
	va_list ap; \
	va_start(ap, flags); \
	mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(ap, unsigned) : 0; \
	va_end(ap); \
} while (0)

#define OPEN(name) \
SHIM int \
name(const char *path, int flags, ...) \
{ \
	unsigned mode; \
 \
	MODE(flags, mode); \
	return open_file(AT_FDCWD, path, flags, mode); \
}

#define OPENAT(name) \
SHIM int \
name(int folder, const char *path, int flags, ...) \
{ \
	unsigned mode; \
 \
	MODE(flags, mode); \
	return open_file(folder, path, flags, mode); \
}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

#define CALL(type, name, number, reason, params, ...) \
	CALL_IF(fails, type, name, number, reason, params, __VA_ARGS__)
/* One that changes a file. */
#define CHANGE(type, name, number, reason, params, ...) \
	CALL_IF(change_fails, type, name, number, reason, params, __VA_ARGS__)

#define CALL_IF(fails, type, name, number, reason, params, ...) \
SHIM type \
name params \
{ \
	if (fails(reason)) \
		return -1; \
	return (type)syscall(number, __VA_ARGS__); \
}

CALL(ssize_t, read, SYS_read, EIO, (int fd, void *p, size_t n), fd, p, n)
CALL(ssize_t, pread, SYS_pread64, EIO,
    (int fd, void *p, size_t n, off_t at), fd, p, n, at)
CALL(ssize_t, pread64, SYS_pread64, EIO,
    (int fd, void *p, size_t n, off_t at), fd, p, n, at)
CALL(ssize_t, write, SYS_write, ENOSPC,
    (int fd, const void *p, size_t n), fd, p, n)
CHANGE(ssize_t, pwrite, SYS_pwrite64, ENOSPC,
    (int fd, const void *p, size_t n, off_t at), fd, p, n, at)
CHANGE(ssize_t, pwrite64, SYS_pwrite64, ENOSPC,
    (int fd, const void *p, size_t n, off_t at), fd, p, n, at)
CHANGE(int, fsync, SYS_fsync, EIO, (int fd), fd)
CHANGE(int, fdatasync, SYS_fdatasync, EIO, (int fd), fd)
CHANGE(int, ftruncate, SYS_ftruncate, EFBIG, (int fd, off_t n), fd, n)
CHANGE(int, ftruncate64, SYS_ftruncate, EFBIG, (int fd, off_t n), fd, n)
CHANGE(int, fallocate, SYS_fallocate, ENOSPC,
    (int fd, int mode, off_t at, off_t n), fd, mode, at, n)
CHANGE(int, fallocate64, SYS_fallocate, ENOSPC,
    (int fd, int mode, off_t at, off_t n), fd, mode, at, n)
CHANGE(int, rename, SYS_renameat, EIO, (const char *from, const char *to),
    AT_FDCWD, from, AT_FDCWD, to)
CHANGE(int, renameat, SYS_renameat, EIO,
    (int f, const char *from, int t, const char *to), f, from, t, to)
CHANGE(int, linkat, SYS_linkat, EIO,
    (int f, const char *from, int t, const char *to, int flags),
    f, from, t, to, flags)
CALL(int, flock, SYS_flock, EINTR, (int fd, int how), fd, how)
CALL(int, fstat, SYS_newfstatat, EIO, (int fd, struct stat *sb),
    fd, "", sb, AT_EMPTY_PATH)
