/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * helper: it is forked before any input is read, and parses no input. It takes orders from a socket, and
 * reads the keys of the terminal for the process that gives them, so that it knows itself what the user
 * entered.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "icecore/system.h"
#include "grants.h"
#include "helper.h"
#include "starter.h"

/* With its end, which is within what came. */
static bool
is_order(const struct file_order *o, ssize_t n)
{
	size_t from = offsetof(struct file_order, path);

	return n > (ssize_t)from && (unsigned)o->kind < ORDERS &&
	    memchr(o->path, '\0', (size_t)n - from) != NULL;
}

/* The bytes follow the answer. */
static bool
send_answer(int socket, const struct file_answer *a, struct str bytes, int fd)
{
	union {
		char		bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr	align;
	} control = { .bytes = { 0 } };
	struct file_answer copy = *a;
	struct iovec part[] = { { &copy, sizeof copy }, { (void *)(uintptr_t)bytes.s, bytes.n } };
	struct msghdr m = { .msg_iov = part, .msg_iovlen = NELEM(part) };
	struct cmsghdr *c;

	if (fd >= 0) {
		m.msg_control = control.bytes;
		m.msg_controllen = sizeof control.bytes;
		c = CMSG_FIRSTHDR(&m);
		*c = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
		    .cmsg_len = CMSG_LEN(sizeof fd) };
		memcpy(CMSG_DATA(c), &fd, sizeof fd);
	}
	return sendmsg(socket, &m, MSG_NOSIGNAL) == (ssize_t)(sizeof copy + bytes.n);
}

/* Read keys without waiting, at most that many bytes. EIO: this process group is in the background. */
static struct str
helper_keys(int terminal, int most, struct file_answer *a)
{
	static char keys[KEYS_PIECE];
	struct pollfd p = { .fd = terminal, .events = POLLIN };
	ssize_t n = 0;

	*a = (struct file_answer){ terminal < 0 ? EBADF : 0, 0 };
	if (poll(&p, 1, 0) > 0 && (p.revents & POLLIN) != 0)
		n = read(terminal, keys, most > 0 && most < KEYS_PIECE ? (size_t)most : sizeof keys);
	if (n < 0)
		a->error = errno;
	else
		grants_key(keys, (size_t)n);
	a->made = n > 0 ? (int)n : 0;
	return (struct str){ keys, n > 0 ? (size_t)n : 0 };
}

/* Return the bytes that follow the answer. */
static struct str
helper_obey(const struct sandbox *s, struct file_order *o, int terminal, struct file_answer *a, int *fd)
{
	if (!places_allow(s, o) || !grants_allow(s, o)) {
		*a = (struct file_answer){ errno, -1 };
		return STR("");
	}
	if (o->kind == ORDER_KEYS)
		return helper_keys(terminal, o->made, a);
	order_run(o, a, fd);
	grants_ran(o, a);
	return o->kind == ORDER_START ? starter_said() : STR("");
}

void
helper_serve(const struct sandbox *s, int socket, int terminal)
{
	static struct file_order o;
	struct file_answer a;
	struct str bytes;
	ssize_t n;
	bool ok;
	int fd;

	/* This first answer reports that the helper is ready. From then on the two processes alternate. */
	ok = send_answer(socket, &(struct file_answer){ 0, -1 }, STR(""), -1);
	while (ok && ((n = read(socket, &o, sizeof o)) > 0 || (n < 0 && errno == EINTR))) {
		if (n < 0)
			continue;
		fd = -1;
		a = (struct file_answer){ EINVAL, -1 };
		bytes = STR("");
		if (is_order(&o, n))
			bytes = helper_obey(s, &o, terminal, &a, &fd);
		ok = send_answer(socket, &a, bytes, fd);
		if (fd >= 0)
			close(fd);
	}
	orders_end();
	starter_end();
}

static void
become_helper(struct sandbox *s, void (*confine)(struct sandbox *), int socket)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU };
	const int keys = keys_source();
	int null, start;

	/*
	 * Signals from the keyboard do not end or stop it: it runs until this process ends. To read keys it
	 * stays in the process group of the job: in the background the kernel then refuses to let it read.
	 */
	if (keys < 0)
		(void)setsid();
	start = starter_fork();
	/* A bare root has no /dev/null. */
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	null = null >= 0 ? null : socket;
	signals_clean(ignored, NELEM(ignored));
	system_name_process("icecore-helper");
	confine(s);
	if (!descriptors_keep((const int[]){ null, null, null, socket, keys >= 0 ? keys : null,
	    start >= 0 ? start : null }, 6)) {
		send_answer(socket, &(struct file_answer){ errno, -1 }, STR(""), -1);
		_exit(0);
	}
	starter_at(start >= 0 ? 5 : -1);
	helper_serve(s, 3, keys >= 0 ? 4 : -1);
	_exit(0);
}

bool
helper_start(struct sandbox *s, void (*confine)(struct sandbox *), struct err *err)
{
	int ends[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return fail_errno(err, "cannot start the sandbox helper; to run without the sandbox, use --no-sandbox");
	child = fork();
	if (child == 0)
		become_helper(s, confine, ends[1]);
	close(ends[1]);
	if (child < 0) {
		fail_errno(err, "cannot start the sandbox helper; to run without the sandbox, use --no-sandbox");
		close(ends[0]);
		return false;
	}
	if (orders_to(ends[0], child))
		return true;
	close(ends[0]);
	return errno == EMFILE ? fail_errno(err, "cannot start the sandbox helper") :
	    fail(err, E_SYSTEM, "the sandbox helper ended at once; to run without the sandbox, use --no-sandbox");
}
