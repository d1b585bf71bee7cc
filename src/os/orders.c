/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * orders: open, create and remove files by name.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "icecore/directory.h"
#include "icecore/ending.h"
#include "icecore/home.h"
#include "icecore/system.h"
#include "orders.h"
#include "starter.h"

#define NAME_TRIES 100
#define PRIVATE 0600
#define PIECE 65536

/* Files without a name, or with a temporary one. */
static struct unnamed {
	char	*path, *temp;	/* path NULL: free; temp NULL: it has no name */
	int	 fd;
} made[ORDERS_MADE];

bool
order_of(struct file_order *o, enum order_kind kind, const char *path)
{
	size_t n = strlen(path);

	*o = (struct file_order){ .kind = kind, .path = "" };
	if (n >= sizeof o->path)
		errno = ENAMETOOLONG;
	else
		memcpy(o->path, path, n + 1);
	return n < sizeof o->path;
}

static struct unnamed *
made_of(const struct file_order *o)
{
	return o->made >= 0 && o->made < ORDERS_MADE && made[o->made].path != NULL ? &made[o->made] : NULL;
}

const char *
order_path(const struct file_order *o)
{
	const struct unnamed *m = made_of(o);

	return o->kind != ORDER_NAME && o->kind != ORDER_DROP ? o->path : m != NULL ? m->path : NULL;
}

/* ---- names -------------------------------------------------------------------- */

/* Create a file in directory that has no name until link_nameless. */
static int
open_nameless(const char *directory)
{
#ifdef O_TMPFILE
	return open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, PRIVATE);
#else
	(void)directory;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

static bool
open_new(const char *name, int *fd)
{
	*fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PRIVATE);
	return *fd >= 0;
}

/* Only root may link a descriptor directly; other users can link it through /proc. */
static bool
link_nameless(const char *name, int *fd)
{
	char proc[64];

	snprintf(proc, sizeof proc, "/proc/self/fd/%d", *fd);
	return linkat(AT_FDCWD, proc, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* No file has this name any more. */
static void
drop_name(char **name)
{
	if (*name != NULL)
		leftover_forget(*name);
	free(*name);
	*name = NULL;
}

/* Make a temporary name in directory for give; false and NULL if none is free. */
static bool
take_name(const char *directory, bool (*give)(const char *name, int *fd), int *fd, char **name)
{
	for (int tries = 0; tries < NAME_TRIES; tries++) {
		*name = leftover_name(directory);
		if (*name == NULL)
			return false;
		leftover_note(*name);
		if (give(*name, fd))
			return true;
		drop_name(name);
		if (errno != EEXIST)
			return false;
	}
	return false;
}

/* Make a rename durable. Some file systems do not support that. */
static void
sync_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/*
 * Rename to a new name. Without hard links and RENAME_NOREPLACE, another process may create that name in
 * between; its file is then lost.
 */
static bool
rename_new(const char *from, const char *to)
{
	struct stat st;

	if (link(from, to) == 0) {
		unlink(from);
		return true;
	}
	if (errno == EEXIST)
		return false;
	if (system_rename_new(AT_FDCWD, from, AT_FDCWD, to))
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (lstat(to, &st) == 0)
		errno = EEXIST;
	return errno == ENOENT && rename(from, to) == 0;
}

/* ---- files that get their name when they are complete ----------------------------------- */

static void
orders_forget(struct unnamed *m)
{
	if (m->fd >= 0)
		close(m->fd);
	drop_name(&m->temp);
	free(m->path);
	*m = (struct unnamed){ .fd = -1 };
}

static void
orders_drop(struct unnamed *m)
{
	if (m->temp != NULL)
		unlink(m->temp);
	orders_forget(m);
}

/* Create the file for m->path. */
static bool
new_file(struct unnamed *m)
{
	char *directory = directory_of(m->path);

	if (directory == NULL)
		errno = ENOMEM;
	else if (access("/proc/self/fd", X_OK) == 0)
		m->fd = open_nameless(directory);
	if (directory != NULL && m->fd < 0)
		take_name(directory, open_new, &m->fd, &m->temp);
	free(directory);
	return m->fd >= 0;
}

static bool
make_new(const struct file_order *o, struct unnamed *m, int *fd)
{
	*m = (struct unnamed){ .path = mem_copy(str_of(o->path)), .fd = -1 };
	if (m->path == NULL)
		errno = ENOMEM;
	*fd = m->path == NULL || !new_file(m) ? -1 : fcntl(m->fd, F_DUPFD_CLOEXEC, 3);
	if (*fd < 0)
		orders_drop(m);
	return *fd >= 0;
}

static bool
order_new(const struct file_order *o, struct file_answer *a, int *fd)
{
	for (a->made = 0; a->made < ORDERS_MADE; a->made++)
		if (made[a->made].path == NULL)
			return make_new(o, &made[a->made], fd);
	errno = EMFILE;
	return false;
}

/* Only a regular file or a link is replaced: a device would be lost for all programs. */
static bool
orders_move(struct unnamed *m, bool replace)
{
	struct stat st;

	if (replace && lstat(m->path, &st) == 0 && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
		return false;
	}
	return replace ? rename(m->temp, m->path) == 0 : rename_new(m->temp, m->path);
}

/* durable: wait for the directory; otherwise a nameless file may get its name at once. */
static bool
orders_put_in_place(struct unnamed *m, const struct file_order *o)
{
	char *directory = directory_of(m->path);
	bool ok = directory != NULL;

	if (!ok)
		errno = ENOMEM;
	else if (o->durable || m->temp != NULL || !link_nameless(m->path, &m->fd)) {
		ok = (m->temp != NULL || take_name(directory, link_nameless, &m->fd, &m->temp)) &&
		    orders_move(m, o->replace);
		if (ok && o->durable)
			sync_directory(directory);
	}
	free(directory);
	return ok;
}

/* Text of this user has no control characters. */
static bool
orders_is_text(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (((unsigned char)s.s[i] < ' ' && s.s[i] != '\n' && s.s[i] != '\t') || s.s[i] == '\177')
			return false;
	return true;
}

static bool
orders_read_text(int fd, struct buf *text)
{
	char piece[PIECE];
	ssize_t n = 0;

	while (text->n <= HOME_MOST && (n = pread(fd, piece, sizeof piece, (off_t)text->n)) > 0)
		buf_add(text, piece, (size_t)n);
	errno = n < 0 ? errno : text->bad ? ENOMEM : EINVAL;
	return n == 0 && !text->bad && orders_is_text(buf_view(text));
}

static bool
orders_write(int fd, struct str s)
{
	ssize_t n;

	for (; s.n > 0; s = str_after(s, n > 0 ? (size_t)n : 0))
		if ((n = write(fd, s.s, s.n)) < 0 && errno != EINTR)
			return false;
	return true;
}

/* The sender can still write to its file, so the copy that was checked gets the name. */
static bool
orders_copy(struct unnamed *m)
{
	struct unnamed copy = { .path = mem_copy(str_of(m->path)), .fd = -1 };
	struct buf text = BUF_INIT;
	bool ok = copy.path != NULL && orders_read_text(m->fd, &text) && new_file(&copy) &&
	    orders_write(copy.fd, buf_view(&text)) && fsync(copy.fd) == 0;
	int error = errno;

	buf_free(&text);
	orders_drop(ok ? m : &copy);
	if (ok)
		*m = copy;
	errno = error;
	return ok;
}

static bool
order_name(const struct file_order *o)
{
	struct unnamed *m = made_of(o);

	if (m == NULL)
		errno = EBADF;
	if (m == NULL || (o->copy && !orders_copy(m)) || !orders_put_in_place(m, o))
		return false;
	orders_forget(m);
	return true;
}

static bool
order_drop(const struct file_order *o)
{
	struct unnamed *m = made_of(o);

	if (m != NULL)
		orders_drop(m);
	return true;
}

void
orders_end(void)
{
	for (size_t i = 0; i < ORDERS_MADE; i++)
		if (made[i].path != NULL)
			orders_drop(&made[i]);
}

static bool
order_temporary(const struct file_order *o, int *fd)
{
	char *name = NULL;

	*fd = open_nameless(o->path);
	if (*fd < 0 && !take_name(o->path, open_new, fd, &name))
		return false;
	if (name != NULL)
		unlink(name);
	drop_name(&name);
	return true;
}

/* Opening a pipe does not wait for its reader, as whoever gave the order may be ended meanwhile. */
static bool
order_through(const struct file_order *o, int *fd)
{
	struct stat st;

	*fd = open(o->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return false;
	if (fstat(*fd, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) &&
	    fcntl(*fd, F_SETFL, 0) == 0)
		return true;
	close(*fd);
	*fd = -1;
	errno = EINVAL;
	return false;
}

/*
 * ---- openat2: the kernel keeps the lookup below the working directory, even if files are renamed meanwhile --------
 */

/* Kernel headers may be too old; values as in <linux/openat2.h>, the same on all machines. */
enum { OPENAT2 = 437 };
enum { NO_XDEV = 1, NO_MAGICLINKS = 2, NO_SYMLINKS = 4, BENEATH = 8 };

struct how {
	uint64_t	flags, mode, resolve;
};

static int
open_beneath(const struct file_order *o, int flags)
{
#ifdef __linux__
	struct how how = { .flags = (uint64_t)flags, .resolve =
	    BENEATH | NO_MAGICLINKS | NO_XDEV | (o->links ? 0 : NO_SYMLINKS) };
	long fd;
	int tries = 0;

	/* EAGAIN: a file was renamed during the lookup. */
	do
		fd = syscall(OPENAT2, AT_FDCWD, o->path, &how, sizeof how);
	while (fd < 0 && (errno == EAGAIN || errno == EINTR) && ++tries < 100);
	return (int)fd;
#else
	(void)o, (void)flags;
	errno = ENOSYS;
	return -1;
#endif
}

/* Open a file as open_beneath() does, but part by part, for kernels before 5.6; links are not followed. */
static int
orders_open_parts(const struct file_order *o, int flags)
{
	int at = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), next;
	struct str rest = str_of(o->path), part;
	bool last = o->path[0] == '/';
	char name[NAME_MAX + 1];

	if (last) {
		close(at);
		at = -1;
	}
	while (at >= 0 && !last && str_split(&rest, '/', &part)) {
		last = part.s + part.n == o->path + strlen(o->path);
		if (part.n == 0)
			continue;
		next = -1;
		errno = ENOENT;
		if (part.n < sizeof name && !str_eq(part, STR(".."))) {
			snprintf(name, sizeof name, "%.*s", (int)part.n, part.s);
			next = openat(at, name, (last ? flags :
			    O_PATH | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC);
		}
		close(at);
		at = next;
	}
	return at;
}

static int
open_either(const struct file_order *o, int flags)
{
	int fd = open_beneath(o, flags | O_CLOEXEC);

	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? orders_open_parts(o, flags) : fd;
}

static bool
orders_is_wanted(int fd, bool directory)
{
	struct stat top, st;

	return fd >= 0 && fstat(fd, &st) == 0 && stat(".", &top) == 0 && st.st_dev == top.st_dev &&
	    (directory ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode));
}

/* Check the type first, because opening a FIFO or device may have side effects. */
static bool
order_open_beneath(const struct file_order *o, int *fd)
{
	bool directory = (o->flags & O_DIRECTORY) != 0, ok;
	int seen = open_either(o, O_PATH);

	ok = orders_is_wanted(seen, directory);
	if (seen >= 0)
		close(seen);
	*fd = ok ? open_either(o, O_RDONLY | O_NOCTTY | O_NONBLOCK | (directory ? O_DIRECTORY : 0)) : -1;
	if (orders_is_wanted(*fd, directory))
		return true;
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = ENOENT;
	return false;
}

/* ---- all of them ---------------------------------------------------------------------- */

static bool
orders_opened(int *fd, int is)
{
	*fd = is;
	return is >= 0;
}

static bool
orders_run(const struct file_order *o, struct file_answer *a, int *fd)
{
	switch (o->kind) {
	case ORDER_OPEN: return orders_opened(fd, open(o->path, O_RDONLY | O_CLOEXEC | o->flags));
	case ORDER_OPEN_BOTH:
		return orders_opened(fd, open(o->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
	case ORDER_OPEN_BENEATH: return order_open_beneath(o, fd);
	case ORDER_NEW: return order_new(o, a, fd);
	case ORDER_THROUGH: return order_through(o, fd);
	case ORDER_NAME: return order_name(o);
	case ORDER_DROP: return order_drop(o);
	case ORDER_TEMPORARY: return order_temporary(o, fd);
	case ORDER_REMOVE: return unlink(o->path) == 0;
	case ORDER_DIRECTORY: return mkdir(o->path, 0700) == 0;
	case ORDER_SWEEP: return leftovers_sweep(o->path);
	case ORDER_OFFER: return true;
	case ORDER_ASK: return starter_ask(o->path);
	case ORDER_START: return starter_start(o->path, &a->made);
	case ORDER_KEYS:
	case ORDERS: break;
	}
	errno = EINVAL;
	return false;
}

void
order_run(const struct file_order *o, struct file_answer *a, int *fd)
{
	*a = (struct file_answer){ 0, -1 };
	*fd = -1;
	if (!orders_run(o, a, fd))
		a->error = errno;
}
