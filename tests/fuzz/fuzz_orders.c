/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_orders: any bytes as what a confined explorer sends to its helper, which must reach nothing outside of the places.
 *
 * Each order is a line: its kind, other fields as three characters, its length in the last of them, and a path.
 */
#include "config.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apart.h"
#include "heapwalk.h"
#include "icecore/os.h"
#include "os/helper.h"
#include "target.h"

#define ORDERS_MOST 12u
#define SECRET "secret"

static const char *const endings[] = { ".tsv", ".png", NULL };
static const char *const pictures[] = { ".png", NULL };
static const char *const indexes[] = { ".icx", NULL };

static void
put(const char *path)
{
	struct err err;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	MUST(fd >= 0 && fd_write_all(fd, SECRET, sizeof SECRET - 1, &err));
	close(fd);
}

static void
same(const char *path)
{
	char text[sizeof SECRET];
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	MUST(fd >= 0 && read(fd, text, sizeof text) == (ssize_t)sizeof text - 1 && memcmp(text, SECRET, sizeof SECRET - 1) == 0);
	close(fd);
}

/* Not to be reached; links lead to some of them.  The others may be read, and the first two not be written. */
static const char *const hidden[] = { "out/a.tsv", "in/.key", "out/.b", "tmp/c" };
static const char *const shown[] = { "in/given.txt", "in/README.md", "index/a.icx" };

static void
begin(struct sandbox *s)
{
	static const char *const directories[] = { "in", "out", "index", "tmp" };

	for (size_t i = 0; i < NELEM(directories); i++)
		MUST(mkdir(directories[i], 0700) == 0);
	for (size_t i = 0; i < NELEM(hidden); i++)
		put(hidden[i]);
	for (size_t i = 0; i < NELEM(shown); i++)
		put(shown[i]);
	MUST(symlink("../out", "in/link") == 0 && symlink("../out/a.tsv", "in/b.tsv") == 0 && symlink("/", "in/root.png") == 0);
	sandbox_begin(s, SANDBOX_FULL);
	s->endings = endings;
	s->rereads = pictures;
	s->indexes = indexes;
	sandbox_let(s, SANDBOX_READ, "in/given.txt");
	sandbox_let(s, SANDBOX_SEEN, "in");
	sandbox_let(s, SANDBOX_EXPORT, "in");
	sandbox_let(s, SANDBOX_INDEX, "index");
	sandbox_let(s, SANDBOX_TEMPORARY, "tmp");
}

/* The kinds that only use files; absolute paths are below the directory. */
static ssize_t
order_from(struct str line, const char *root, struct file_order *o)
{
	static const int flags[] = { O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY, O_RDWR, O_CREAT | O_TRUNC, O_PATH };
	size_t n = offsetof(struct file_order, path), room = sizeof o->path, k;

	*o = (struct file_order){ .kind = (enum order_kind)((line.s[0] & 31) % (ORDER_SWEEP + 2)),
		.made = (line.s[2] & 7) - 1, .replace = line.s[2] & 8, .durable = line.s[2] & 16, .links = line.s[2] & 32, .path = "" };
	for (size_t i = 0; i < NELEM(flags); i++)
		o->flags |= line.s[1] >> i & 1 ? flags[i] : 0;
	if (o->kind > ORDER_SWEEP)
		o->kind = ORDERS;
	k = line.s[4] == '/' ? (size_t)snprintf(o->path, room, "%s", root) : 0;
	line = str_after(line, 4);
	line.n = line.n < room - k ? line.n : room - k;
	memcpy(o->path + k, line.s, line.n);
	/* Without its end it is none. */
	return (ssize_t)(n + k + line.n);
}

/* Returns how many were sent. */
static size_t
send_orders(int socket, struct str bytes, const char *root)
{
	static struct file_order o;
	struct str line;
	size_t n = 0;
	ssize_t size;

	while (n < ORDERS_MOST && str_split(&bytes, '\n', &line)) {
		if (line.n < 5)
			continue;
		size = order_from(line, root, &o);
		size += line.s[3] % 8 != 0 && size < (ssize_t)sizeof o;
		MUST(send(socket, &o, (size_t)size, MSG_NOSIGNAL) == size);
		n++;
	}
	return n;
}

static int
fd_of(struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (c != NULL)
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

/* A descriptor that came is of a file that is shown, or that was made there. */
static void
take_answer(int socket, const char *root)
{
	union {
		char		bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr	align;
	} control;
	struct file_answer a;
	struct iovec part = { &a, sizeof a };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
	char link[64], path[PATH_MAX];
	struct str at;
	ssize_t n;
	int fd;

	MUST(recvmsg(socket, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) == (ssize_t)sizeof a);
	fd = fd_of(&m);
	MUST(fd < 0 || a.error == 0);
	if (fd < 0)
		return;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path);
	MUST(n > 0);
	at = (struct str){ path, (size_t)n };
	MUST(str_take(&at, str_of(root)));
	MUST(str_has_prefix(at, STR("/in")) || str_has_prefix(at, STR("/index")) || str_has_prefix(at, STR("/tmp/#")) ||
	    memmem(at.s, at.n, " (deleted)", 10) != NULL);
	MUST(memmem(at.s, at.n, "/.key", 5) == NULL);
	close(fd);
}

TARGET(orders, &mutate_text)
{
	const char *root = apart_begin();
	struct sandbox s;
	size_t n;
	int ends[2];

	begin(&s);
	MUST(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
	n = send_orders(ends[0], (struct str){ (const char *)data, size }, root);
	MUST(shutdown(ends[0], SHUT_WR) == 0);
	helper_serve(&s, ends[1], -1);
	/* The first answer is that it is ready. */
	for (size_t i = 0; i <= n; i++)
		take_answer(ends[0], root);
	close(ends[0]);
	close(ends[1]);
	for (size_t i = 0; i < NELEM(hidden); i++)
		same(hidden[i]);
	for (size_t i = 0; i < 2; i++)
		same(shown[i]);
	places_free(&s);
	if (s.rules >= 0)
		close(s.rules);
	apart_end();
}
