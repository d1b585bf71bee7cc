/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * named: run orders in this process or in its helper.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "icecore/named.h"
#include "orders.h"
#include "starter.h"

#define REFUSALS_MOST 8u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int helper = -1;		/* -1: there is none */
static int keys = -1;		/* terminal that keys come from */
static unsigned refusals;	/* in a row: the background may not read */

/* An answer with the bytes that follow it. */
struct long_answer {
	struct file_answer a;
	char		 bytes[KEYS_PIECE];
};

/* ---- sending orders --------------------------------------------------------------------------- */

bool
orders_helped(void)
{
	return helper >= 0;
}

/* *bytes: number of those behind the answer. */
static bool
take_answer(struct long_answer *a, size_t *bytes, int *fd)
{
	union {
		char		bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr	align;
	} control;
	struct iovec part = { a, sizeof *a };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
	    .msg_controllen = sizeof control.bytes };
	struct cmsghdr *c;
	ssize_t n;

	do
		n = recvmsg(helper, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
	if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof *fd);
	*bytes = n >= (ssize_t)sizeof a->a ? (size_t)n - sizeof a->a : 0;
	return n >= (ssize_t)sizeof a->a;
}

bool
orders_to(int socket, int pid)
{
	struct long_answer ready = { .a.error = EPIPE };
	size_t bytes;
	int none;

	helper = socket;
	if (take_answer(&ready, &bytes, &none) && ready.a.error == 0) {
		leftovers_elsewhere(socket, pid);
		return true;
	}
	helper = -1;
	errno = ready.a.error != 0 ? ready.a.error : EPIPE;
	return false;
}

static void
named_ask(const struct file_order *o, struct long_answer *a, size_t *bytes, int *fd)
{
	size_t size = offsetof(struct file_order, path) + strlen(o->path) + 1;
	ssize_t n;

	*fd = -1;
	do
		n = write(helper, o, size);
	while (n < 0 && errno == EINTR);
	/* Without the helper this process cannot open files by name. */
	*bytes = 0;
	if (n != (ssize_t)size || !take_answer(a, bytes, fd))
		a->a = (struct file_answer){ EPIPE, -1 };
}

void
order_give(const struct file_order *o, struct file_answer *a, int *fd)
{
	struct long_answer answer;
	size_t bytes;

	pthread_mutex_lock(&lock);
	if (helper >= 0) {
		named_ask(o, &answer, &bytes, fd);
		*a = answer.a;
	} else
		order_run(o, a, fd);
	pthread_mutex_unlock(&lock);
	if (a->error != 0)
		errno = a->error;
}

bool
order_do(enum order_kind kind, const char *path, int *fd)
{
	struct file_order o;
	struct file_answer a;

	*fd = -1;
	if (!order_of(&o, kind, path))
		return false;
	order_give(&o, &a, fd);
	return a.error == 0;
}

/* ---- opening ------------------------------------------------------------------------------------ */

/* Return the descriptor of this process that a path such as "/dev/fd/63" names; -1: none. */
static int
own_descriptor(const char *path)
{
	struct str s = str_of(path);
	uint64_t n;

	if (strcmp(path, "/dev/stdin") == 0)
		return STDIN_FILENO;
	if (!str_take(&s, STR("/dev/fd/")) && !str_take(&s, STR("/proc/self/fd/")))
		return -1;
	return num_u64(s, 10, &n) && n <= INT32_MAX ? (int)n : -1;
}

int
named_open(const char *path, int flags)
{
	int own = orders_helped() ? own_descriptor(path) : -1, fd = -1;
	struct file_order o;
	struct file_answer a;

	if (own >= 0)
		return fcntl(own, F_DUPFD_CLOEXEC, 3);
	if (!order_of(&o, ORDER_OPEN, path))
		return -1;
	o.flags = flags;
	order_give(&o, &a, &fd);
	return fd;
}

int
named_open_both(const char *path)
{
	struct stat st;
	int fd;

	if (!order_do(ORDER_OPEN_BOTH, path, &fd))
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

int
named_open_beneath(const char *path, bool directory, bool links, struct stat *st)
{
	struct file_order o;
	struct file_answer a;
	int fd = -1;

	if (!order_of(&o, ORDER_OPEN_BENEATH, path))
		return -1;
	o.flags = directory ? O_DIRECTORY : 0;
	o.links = links;
	order_give(&o, &a, &fd);
	if (fd < 0 || fstat(fd, st) == 0)
		return fd;
	close(fd);
	return -1;
}

/* ---- the rest ------------------------------------------------------------------------------------- */

bool
named_remove(const char *path)
{
	int fd;

	return order_do(ORDER_REMOVE, path, &fd);
}

bool
named_directory(const char *path)
{
	int fd;

	return order_do(ORDER_DIRECTORY, path, &fd);
}

bool
named_directories(const char *path)
{
	char *copy = mem_copy(str_of(path));
	bool ok = copy != NULL;

	for (char *slash = ok ? strchr(copy + 1, '/') : NULL; ok &&
	    slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		ok = named_directory(copy) || errno == EEXIST;
		*slash = '/';
	}
	free(copy);
	return ok;
}

static int
named_by_name(const void *a, const void *b)
{
	const struct dirent *const *x = a, *const *y = b;

	return strcoll((*x)->d_name, (*y)->d_name);
}

static bool
named_add_entry(struct dirent ***list, int n, size_t *cap, const struct dirent *e)
{
	size_t size = offsetof(struct dirent, d_name) + strlen(e->d_name) + 1;

	if (!mem_grow(list, cap, (size_t)n + 1, sizeof **list) || ((*list)[n] = mem_array(size, 1)) == NULL) {
		errno = ENOMEM;
		return false;
	}
	memcpy((*list)[n], e, size);
	return true;
}

int
named_scan(const char *path, struct dirent ***list)
{
	int fd = named_open(path, O_DIRECTORY), n = 0;
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	bool ok = d != NULL;
	size_t cap = 0;

	*list = NULL;
	if (d == NULL && fd >= 0)
		close(fd);
	while (ok && (errno = 0, e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' && (ok = n < INT32_MAX && named_add_entry(list, n, &cap, e)))
			n++;
	ok = ok && errno == 0;
	if (d != NULL)
		closedir(d);
	if (ok && n > 0)
		qsort(*list, (size_t)n, sizeof **list, named_by_name);
	while (!ok && n > 0)
		free((*list)[--n]);
	if (!ok)
		free(*list);
	return ok ? n : -1;
}

/* ---- keys, and processes for other files -------------------------------------------------------- */

void
keys_from(int terminal)
{
	keys = terminal;
}

int
keys_source(void)
{
	return keys;
}

bool
keys_helped(void)
{
	return helper >= 0 && keys >= 0;
}

/*
 * In the background a job stops when it reads keys. The helper does not stop, so this process does; a group
 * without a shell cannot.
 */
static ssize_t
keys_stop(void)
{
	struct pollfd p = { .fd = keys, .events = 0 };

	if (poll(&p, 1, 0) > 0 || refusals++ == REFUSALS_MOST || kill(getpid(), SIGTTIN) != 0)
		return errno = EIO, -1;
	return errno = EAGAIN, -1;
}

ssize_t
keys_read(char *s, size_t size)
{
	const struct file_order o = { .kind = ORDER_KEYS, .made = size < KEYS_PIECE ? (int)size :
	    KEYS_PIECE };
	struct long_answer a;
	size_t n;
	int none;

	if (!keys_helped())
		return read(keys, s, size);
	pthread_mutex_lock(&lock);
	named_ask(&o, &a, &n, &none);
	pthread_mutex_unlock(&lock);
	if (a.a.error == EIO)
		return keys_stop();
	refusals = 0;
	if (a.a.error != 0)
		return errno = a.a.error, -1;
	n = n < size ? n : size;
	memcpy(s, a.bytes, n);
	return (ssize_t)n;
}

int
keys_output(int terminal)
{
	struct stat is, was;
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/self/fd/%d", terminal);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd >= 0 && fstat(fd, &is) == 0 && fstat(terminal, &was) == 0 && is.st_rdev == was.st_rdev)
		return fd;
	if (fd >= 0)
		close(fd);
	/* The terminal of another user, after su: the device of the controlling terminal may be opened. */
	fd = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return fd >= 0 ? fd : fcntl(terminal, F_DUPFD_CLOEXEC, 3);
}

void
named_offer(const char *name)
{
	int none;

	(void)order_do(ORDER_OFFER, name, &none);
}

bool
named_start(const char *path, const char *query, int *status, struct buf *said)
{
	struct file_order o;
	struct long_answer a = { .a.error = 0 };
	struct str text;
	size_t n = 0;
	int none;

	if (!order_do(ORDER_ASK, query != NULL ? query : "", &none) || !order_of(&o, ORDER_START, path))
		return false;
	pthread_mutex_lock(&lock);
	if (helper >= 0)
		named_ask(&o, &a, &n, &none);
	else
		order_run(&o, &a.a, &none);
	pthread_mutex_unlock(&lock);
	text = helper >= 0 ? (struct str){ a.bytes, n } : starter_said();
	buf_str(said, text);
	*status = a.a.made;
	errno = a.a.error;
	return a.a.error == 0;
}
