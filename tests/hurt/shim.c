/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shim makes one library call of a program fail: preload it with
 *
 *	HURT=alloc:17	the 17th allocation fails
 *	HURT=call:5	the 5th system call of those below fails
 *	HURT=call:5+	that one and all later ones
 *	HURT=interrupt:5	SIGINT comes in front of the 5th call that opens a file
 *	HURT=kill:3	the program is killed in front of the 3rd call that changes a file
 *	HURT=named	the file system has no files without a name, and is slow to make others
 *	HURT=swap:4	in front of the 4th call with a name below the directory of HURT_LINK, that link takes the place
 *			of HURT_SWAP, which gets the name of the link and ".was"; programs that it starts do no such thing
 *
 * and with HURT_COUNT=FILE to learn how many there are, with HURT_POINTS=FILE where they are: the kind and
 * a hash of the calls that led there, one a line.  Needs glibc.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define POINTS 65536
#define FRAMES 40	/* from the call outwards */

#define SHIM __attribute__((visibility("default")))

extern void	*__libc_malloc(size_t);
extern void	*__libc_calloc(size_t, size_t);
extern void	*__libc_realloc(void *, size_t);

/* Counts of the program and its helper together, which wait for each other. */
static struct shared {
	atomic_long	allocs, calls, changes, points, looks, opens;
	struct point {
		uint64_t	hash;
		char		kind;
	} point[POINTS];
} *all;
static int count_fd = -1, points_fd = -1;
static long fail_alloc, fail_call, interrupt_at, kill_at, swap_at;
static const char *swap, *swap_link;
static bool stays, ready, named;

static bool keep_points;
static _Thread_local bool looking;
static void *own;	/* where the shim lies */

/* The same place has the same hash in every run, wherever things lie. */
static void
note(char kind)
{
	void *frame[FRAMES];
	Dl_info at;
	uint64_t h = 14695981039346656037u;
	long i;
	int n;

	if (looking || (i = atomic_fetch_add(&all->points, 1)) >= POINTS)
		return;
	looking = true;
	n = backtrace(frame, FRAMES);
	for (int k = 2; k < n; k++)
		if (dladdr(frame[k], &at) != 0)
			h = (h ^ (uint64_t)((char *)frame[k] - (char *)at.dli_fbase)) * 1099511628211u;
	all->point[i] = (struct point){ h, kind };
	looking = false;
}

/*
 * ncurses 6.4 does not look at what it allocates while it starts.  Where the innermost library that is not glibc is
 * curses, the crash is its own; it is reported as the program would report it if it could.
 */
static void
on_crash(int sig)
{
	static const char text[] = "icecore: no memory: curses crashed\n";
	void *frame[FRAMES];
	Dl_info at;
	int n;

	looking = true;
	n = backtrace(frame, FRAMES);
	for (int k = 1; k < n; k++) {
		if (dladdr(frame[k], &at) == 0 || strstr(at.dli_fname, "/libc.so") != NULL || at.dli_fbase == own)
			continue;
		if (strstr(at.dli_fname, "/libtinfo") == NULL && strstr(at.dli_fname, "/libncurses") == NULL)
			break;
		if (write(STDERR_FILENO, text, sizeof text - 1) > 0)
			_exit(4);
	}
	raise(sig);
}

static int
result_file(const char *name)
{
	const char *path = getenv(name);

	return path == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

__attribute__((constructor)) static void
start(void)
{
	const char *s = getenv("HURT");
	Dl_info at;

	if (s != NULL && strncmp(s, "alloc:", 6) == 0)
		fail_alloc = atol(s + 6);
	if (s != NULL && strncmp(s, "call:", 5) == 0)
		fail_call = atol(s + 5);
	if (s != NULL && strncmp(s, "interrupt:", 10) == 0)
		interrupt_at = atol(s + 10);
	if (s != NULL && strncmp(s, "kill:", 5) == 0)
		kill_at = atol(s + 5);
	if (s != NULL && strncmp(s, "swap:", 5) == 0 && (swap = getenv("HURT_SWAP")) != NULL &&
	    (swap_link = getenv("HURT_LINK")) != NULL) {
		swap_at = atol(s + 5);
		unsetenv("HURT");
	}
	named = s != NULL && strcmp(s, "named") == 0;
	stays = s != NULL && strchr(s, '+') != NULL;
	keep_points = getenv("HURT_POINTS") != NULL;
	own = dladdr((void *)on_crash, &at) != 0 ? at.dli_fbase : NULL;
	all = (void *)syscall(SYS_mmap, NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	/* Later the program may not. */
	count_fd = result_file("HURT_COUNT");
	points_fd = result_file("HURT_POINTS");
	/* The first use loads a library. */
	backtrace((void *[2]){ NULL }, 2);
	if (fail_alloc > 0)
		sigaction(SIGSEGV, &(struct sigaction){ .sa_handler = on_crash, .sa_flags = SA_RESETHAND }, NULL);
	ready = true;
}

__attribute__((destructor)) static void
end(void)
{
	ready = false;
	if (count_fd >= 0)
		dprintf(count_fd, "%ld %ld %ld %ld\n", all->allocs, all->calls, all->changes, all->opens);
	for (long i = 0; points_fd >= 0 && i < all->points && i < POINTS; i++)
		dprintf(points_fd, "%s %llx\n", all->point[i].kind == 'a' ? "alloc" : "call", (unsigned long long)all->point[i].hash);
}

static bool
hit(atomic_long *count, long at)
{
	long n;

	if (!ready || looking)
		return false;
	if (keep_points && count != &all->changes)
		note(count == &all->allocs ? 'a' : 'c');
	n = atomic_fetch_add(count, 1) + 1;
	return at > 0 && (n == at || (stays && n > at));
}

static bool
fails(int reason)
{
	if (!hit(&all->calls, fail_call))
		return false;
	errno = reason;
	return true;
}

static bool
change_fails(int reason)
{
	if (hit(&all->changes, kill_at))
		raise(SIGKILL);
	return fails(reason);
}

/* ---- memory ------------------------------------------------------------- */

SHIM void *
malloc(size_t n)
{
	if (hit(&all->allocs, fail_alloc)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_malloc(n);
}

SHIM void *
calloc(size_t n, size_t size)
{
	if (hit(&all->allocs, fail_alloc)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(n, size);
}

SHIM void *
realloc(void *p, size_t n)
{
	if (hit(&all->allocs, fail_alloc)) {
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
mremap(void *p, size_t old, size_t n, int flags, ...)
{
	if (fails(ENOMEM))
		return MAP_FAILED;
	/* Nobody here names the new place. */
	return (void *)syscall(SYS_mremap, p, old, n, flags, NULL);
}

SHIM void *
mmap64(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	return mmap(p, n, prot, flags, fd, at);
}

/* ---- files -------------------------------------------------------------- */

/* In front of a call with that name. */
static void
looks(int folder, const char *path)
{
	char was[4096];

	if (swap_at == 0 || (folder == AT_FDCWD &&
	    strncmp(path, swap_link, (size_t)(strrchr(swap_link, '/') + 1 - swap_link)) != 0) ||
	    atomic_fetch_add(&all->looks, 1) + 1 != swap_at)
		return;
	snprintf(was, sizeof was, "%s.was", swap_link);
	/* The program may have removed it. */
	if (syscall(SYS_renameat, AT_FDCWD, swap, AT_FDCWD, was) == 0 &&
	    syscall(SYS_renameat, AT_FDCWD, swap_link, AT_FDCWD, swap) != 0)
		abort();
}

/* In front of a call that opens a file. */
static void
opens(int folder, const char *path)
{
	if (ready && atomic_fetch_add(&all->opens, 1) + 1 == interrupt_at)
		raise(SIGINT);
	looks(folder, path);
}

static int
open_file(int folder, const char *path, int flags, unsigned mode)
{
	opens(folder, path);
	if (fails(EMFILE))
		return -1;
	if (named && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (named && (flags & O_EXCL) != 0)
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
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

/* The headers call these instead if the flags are not constant. */
SHIM int
__open_2(const char *path, int flags)
{
	opens(AT_FDCWD, path);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags);
}

SHIM int
__openat_2(int folder, const char *path, int flags)
{
	opens(folder, path);
	return (int)syscall(SYS_openat, folder, path, flags);
}

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
CALL(int, flock, SYS_flock, EINTR, (int fd, int how), fd, how)
CALL(int, fstat, SYS_newfstatat, EIO, (int fd, struct stat *sb),
    fd, "", sb, AT_EMPTY_PATH)
CALL(int, memfd_create, SYS_memfd_create, EMFILE, (const char *name, unsigned flags), name, flags)
CALL(int, mkdir, SYS_mkdirat, ENOSPC, (const char *path, mode_t mode), AT_FDCWD, path, mode)
CALL(int, link, SYS_linkat, ENOSPC, (const char *from, const char *to), AT_FDCWD, from, AT_FDCWD, to, 0)

SHIM int
linkat(int f, const char *from, int t, const char *to, int flags)
{
	looks(f, from);
	if (change_fails(EIO))
		return -1;
	return (int)syscall(SYS_linkat, f, from, t, to, flags);
}

SHIM int
unlink(const char *path)
{
	looks(AT_FDCWD, path);
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

SHIM int
unlinkat(int f, const char *path, int flags)
{
	looks(f, path);
	return (int)syscall(SYS_unlinkat, f, path, flags);
}

#define LOOK(name, params, folder, path, flags) \
SHIM int \
name params \
{ \
	looks(folder, path); \
	return (int)syscall(SYS_newfstatat, folder, path, sb, flags); \
}

LOOK(stat, (const char *path, struct stat *sb), AT_FDCWD, path, 0)
LOOK(stat64, (const char *path, struct stat64 *sb), AT_FDCWD, path, 0)
LOOK(lstat, (const char *path, struct stat *sb), AT_FDCWD, path, AT_SYMLINK_NOFOLLOW)
LOOK(lstat64, (const char *path, struct stat64 *sb), AT_FDCWD, path, AT_SYMLINK_NOFOLLOW)
LOOK(fstatat, (int f, const char *path, struct stat *sb, int flags), f, path, flags)
LOOK(fstatat64, (int f, const char *path, struct stat64 *sb, int flags), f, path, flags)

/* The C library takes a locale, or its tables, that it has no memory for as not there. */
SHIM char *
setlocale(int category, const char *name)
{
	char *is;

	looking = true;
	is = ((char *(*)(int, const char *))dlsym(RTLD_NEXT, "setlocale"))(category, name);
	(void)wctob(L'\u00e9');
	looking = false;
	return is;
}

/* Says why by its result. */
SHIM int
posix_fallocate(int fd, off_t at, off_t n)
{
	if (fails(ENOSPC))
		return ENOSPC;
	return syscall(SYS_fallocate, fd, 0, at, n) == 0 ? 0 : errno;
}

SHIM int
posix_fallocate64(int fd, off_t at, off_t n)
{
	return posix_fallocate(fd, at, n);
}

/* A process that waits for a killed helper is killed as well. */
SHIM ssize_t
recvmsg(int fd, struct msghdr *m, int flags)
{
	ssize_t n = (ssize_t)syscall(SYS_recvmsg, fd, m, flags);

	if (n == 0 && kill_at > 0)
		raise(SIGKILL);
	return n;
}

/* Calls of the C library that open files in a way that bypasses this file. */
#define NEXT(type, name, reason, none, params, ...) \
SHIM type \
name params \
{ \
	if (fails(reason)) \
		return none; \
	return ((type (*)params)dlsym(RTLD_NEXT, #name))(__VA_ARGS__); \
}

NEXT(FILE *, fopen, EMFILE, NULL, (const char *path, const char *how), path, how)
NEXT(FILE *, fopen64, EMFILE, NULL, (const char *path, const char *how), path, how)

SHIM void *
opendir(const char *path)
{
	looks(AT_FDCWD, path);
	if (fails(EMFILE))
		return NULL;
	return ((void *(*)(const char *))dlsym(RTLD_NEXT, "opendir"))(path);
}

SHIM int
pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (fails(EAGAIN))
		return EAGAIN;
	if (next == NULL)
		*(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
	return next(thread, attr, run, arg);
}
