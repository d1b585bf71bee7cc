/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * helper: it is forked before any input is read and never reads input. It takes only orders from a socket.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "icecore/system.h"
#include "helper.h"

/* With its end, which is within what came. */
static bool
is_order(const struct file_order *o, ssize_t n)
{
	size_t from = offsetof(struct file_order, path);

	return n > (ssize_t)from && (unsigned)o->kind < ORDERS && memchr(o->path, '\0', (size_t)n - from) != NULL;
}

static bool
send_answer(int socket, const struct file_answer *a, int fd)
{
	union {
		char		bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr	align;
	} control = { .bytes = { 0 } };
	struct file_answer copy = *a;
	struct iovec part = { &copy, sizeof copy };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *c;

	if (fd >= 0) {
		m.msg_control = control.bytes;
		m.msg_controllen = sizeof control.bytes;
		c = CMSG_FIRSTHDR(&m);
		*c = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd) };
		memcpy(CMSG_DATA(c), &fd, sizeof fd);
	}
	return sendmsg(socket, &m, MSG_NOSIGNAL) == (ssize_t)sizeof copy;
}

void
helper_serve(const struct sandbox *s, int socket)
{
	static struct file_order o;
	struct file_answer a;
	ssize_t n;
	bool ok;
	int fd;

	/* This first answer reports that the helper is ready. From then on the two processes alternate. */
	ok = send_answer(socket, &(struct file_answer){ 0, -1 }, -1);
	while (ok && ((n = read(socket, &o, sizeof o)) > 0 || (n < 0 && errno == EINTR))) {
		if (n < 0)
			continue;
		fd = -1;
		errno = EINVAL;
		if (is_order(&o, n) && places_allow(s, &o))
			order_run(&o, &a, &fd);
		else
			a = (struct file_answer){ errno, -1 };
		ok = send_answer(socket, &a, fd);
		if (fd >= 0)
			close(fd);
	}
	orders_end();
}

static void
become_helper(struct sandbox *s, void (*confine)(struct sandbox *), int socket)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM };
	const int fds[] = { null >= 0 ? null : socket, null >= 0 ? null : socket, null >= 0 ? null : socket, socket };

	/* Signals from the keyboard do not end or stop it: it runs until this process ends. */
	(void)setsid();
	signals_clean(ignored, NELEM(ignored));
	system_name_process("icecore-helper");
	confine(s);
	if (descriptors_keep(fds, NELEM(fds)))
		helper_serve(s, NELEM(fds) - 1);
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
	return fail(err, E_SYSTEM, "the sandbox helper ended at once; to run without the sandbox, use --no-sandbox");
}
