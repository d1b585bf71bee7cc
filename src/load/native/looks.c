/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * looks: a confined child that reads the build ids, debug links and symbol tables of ELF files. It gets
 * opened files from this process, which is not confined yet, and answers with a few checked texts.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/policy.h"
#include "icecore/sandbox.h"
#include "native_room.h"

enum { LOOK_MS = 10000, ENDS_MOST = 8 };

static struct {
	int		 socket;
	pid_t		 pid;		/* 0: no child runs */
	unsigned	 ended;		/* children that did not answer */
} looks;

/* A file may have taken over the child: the id is hexadecimal, and the link a name in a directory. */
static bool
look_is_clean(const struct elf_look *l)
{
	size_t id = strnlen(l->id, sizeof l->id), link = strnlen(l->link, sizeof l->link);

	for (size_t i = 0; i < id; i++)
		if (!isxdigit((unsigned char)l->id[i]) || isupper((unsigned char)l->id[i]))
			return false;
	for (size_t i = 0; i < link && link < sizeof l->link; i++)
		if (l->link[i] == '/' || (unsigned char)l->link[i] < ' ')
			return false;
	return id < sizeof l->id && link < sizeof l->link;
}

/* ---- the child ------------------------------------------------------------------------ */

static void
looks_hex(struct str bytes, char *to, size_t size)
{
	to[0] = '\0';
	for (size_t i = 0; i < bytes.n && 2 * i + 3 <= size; i++)
		snprintf(to + 2 * i, 3, "%02x", (unsigned char)bytes.s[i]);
}

static struct elf_look
looks_read(int fd)
{
	struct elf_look l = { .readable = false };
	struct elf_symbols s;
	struct str link;
	struct map m;
	struct elf e;
	struct err err;

	if (!map_open_fd(&m, fd, POLICY_SYMBOLS, NULL, &err))
		return l;
	if (elf_open(&e, m.data, m.size)) {
		l.readable = true;
		looks_hex(elf_build_id(&e), l.id, sizeof l.id);
		link = elf_debuglink(&e);
		if (link.n < sizeof l.link)
			snprintf(l.link, sizeof l.link, "%.*s", (int)link.n, link.s);
		if (!look_is_clean(&l))
			l.link[0] = '\0';
		l.all = elf_symbols(&e, ELF_SYMTAB, &s);
		l.some = elf_symbols(&e, ELF_DYNSYM, &s);
	}
	map_close(&m);
	return l;
}

/* -1: the parent has ended. */
static int
receive(int socket)
{
	union {
		char		bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr	align;
	} control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
	    .msg_controllen = sizeof control.bytes };
	struct cmsghdr *c;
	int fd = -1;

	if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) == 1 && (c = CMSG_FIRSTHDR(&m)) != NULL &&
	    c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

/* Keep no descriptor that reads the terminal or a file. */
static bool
looks_alone(int socket)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fds[] = { null, null, null, socket };

	for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
		if (!isatty(i))
			fds[i] = i;
	return null >= 0 && descriptors_keep(fds, NELEM(fds));
}

static void
looks_child(int socket, enum sandbox_level level)
{
	const int answers = 3;
	struct sandbox s;
	struct elf_look l;
	struct err err;
	int fd;

	if (!looks_alone(socket))
		_exit(0);
	sandbox_begin(&s, level);
	if (sandbox_enter(&s, &err))
		while ((fd = receive(answers)) >= 0) {
			l = looks_read(fd);
			close(fd);
			if (write(answers, &l, sizeof l) != (ssize_t)sizeof l)
				break;
		}
	_exit(0);
}

/* ---- this process ----------------------------------------------------------------------- */

void
looks_end(void)
{
	if (looks.pid == 0)
		return;
	close(looks.socket);
	(void)kill(looks.pid, SIGKILL);
	while (waitpid(looks.pid, NULL, 0) < 0 && errno == EINTR)
		;
	looks.pid = 0;
}

static bool
looks_begin(enum sandbox_level level)
{
	int ends[2];

	if (looks.pid != 0)
		return true;
	if (looks.ended >= ENDS_MOST || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	looks.pid = fork();
	if (looks.pid == 0) {
		close(ends[0]);
		looks_child(ends[1], level);
	}
	close(ends[1]);
	looks.socket = ends[0];
	if (looks.pid < 0)
		close(ends[0]);
	looks.pid = looks.pid < 0 ? 0 : looks.pid;
	return looks.pid > 0;
}

static bool
looks_ask(int fd, struct elf_look *l)
{
	union {
		char		bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr	align;
	} control = { .bytes = { 0 } };
	struct iovec part = { (char[]){ 0 }, 1 };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
	    .msg_controllen = sizeof control.bytes };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	struct pollfd p = { .fd = looks.socket, .events = POLLIN };

	*c = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
	    .cmsg_len = CMSG_LEN(sizeof fd) };
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	return sendmsg(looks.socket, &m, MSG_NOSIGNAL) == 1 && poll(&p, 1, LOOK_MS) > 0 &&
	    read(looks.socket, l, sizeof *l) == (ssize_t)sizeof *l;
}

struct elf_look
looks_at(int fd, enum sandbox_level level)
{
	static const struct elf_look nothing;
	struct elf_look l;
	char head[4];

	/* Other files are not shown to the child. */
	if (pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head ||
	    memcmp(head, "\x7f" "ELF", sizeof head) != 0 || !looks_begin(level))
		return nothing;
	if (looks_ask(fd, &l) && look_is_clean(&l))
		return l;
	looks.ended++;
	looks_end();
	return nothing;
}
