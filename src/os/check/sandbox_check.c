/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sandbox_check: try forbidden operations in a process that is confined like one that reads a file, and
 * hostile orders to the helper in one that is confined like the explorer.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/ptrace.h>
#endif

#include "icecore/directory.h"
#include "icecore/named.h"
#include "icecore/os.h"
#include "icecore/sandbox.h"

#define UNCONFINED 255		/* exit status of a child that could not enter the sandbox */

/* Each operation runs in a child that exits with 0 or errno. */

static int
try_read(void)
{
	return open("/etc/passwd", O_RDONLY | O_CLOEXEC) < 0 ? errno : 0;
}

static int
try_list(void)
{
	return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0 ? errno : 0;
}

static int
try_write(void)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/.icecore-check-%ld", directory_temporary(), (long)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	unlink(path);
	return 0;
}

static int
try_run(void)
{
	char name[] = "true", *const words[] = { name, NULL };

	execv("/bin/true", words);
	return errno;
}

/* Return the error of a connection, or 0; it does not matter whether anybody listens there. */
static int
try_connect(void)
{
	const struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(9),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 || (connect(fd, (const struct sockaddr *)&a, sizeof a) != 0 && errno != ECONNREFUSED) ?
	    errno : 0;
}

/* PTRACE_SEIZE: the traced process continues when this one ends. */
static int
try_trace(void)
{
#ifdef __linux__
	return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) != 0 ? errno : 0;
#else
	return 0;	/* no sandbox: nothing forbids it */
#endif
}

static int
try_signal(void)
{
	return kill(getppid(), SIGCONT) != 0 ? errno : 0;
}

/* ---- orders of an explorer that was taken over: nobody entered a name ------------------------------- */

/* A file that the explorer did not make, where it may write exports. */
static char there[4096];

static void
make_there(void)
{
	int fd;

	snprintf(there, sizeof there, "%s/icecore-check-%ld.tsv", directory_temporary(), (long)getpid());
	fd = open(there, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

/* Give the permissions that the explorer has in that directory. */
static void
let_explorer(struct sandbox *s)
{
	static const char *const endings[] = { ".tsv", NULL };

	s->endings = endings;
	sandbox_let(s, SANDBOX_TEMPORARY, directory_temporary());
	sandbox_let(s, SANDBOX_EXPORT, directory_temporary());
	sandbox_let(s, SANDBOX_SEEN, "/");
}

static int
asked_read(void)
{
	return named_open("/etc/passwd", 0) < 0 ? errno : 0;
}

static int
asked_make(const char *path)
{
	struct file f;
	struct err err;
	int error = file_begin(&f, path, &err) ? 0 : errno;

	if (error == 0 && !file_publish(&f, true, &err))
		error = errno;
	file_abandon(&f);
	return error;
}

static int
asked_replace(void)
{
	return asked_make(there);
}

static int
asked_new(void)
{
	char path[sizeof there + 4];
	int error;

	snprintf(path, sizeof path, "%s.tsv", there);
	error = asked_make(path);
	if (error == 0)
		(void)named_remove(path);
	return error;
}

static int
asked_remove(void)
{
	return named_remove(there) ? 0 : errno;
}

static int
asked_open(void)
{
	struct buf said = BUF_INIT;
	int status;
	bool ok = named_start(there, NULL, &status, &said);

	buf_free(&said);
	return ok ? 0 : errno;
}

static const struct {
	const char	*what;
	int		(*act)(void);
	bool		explorer;
} tries[SANDBOX_TRIES] = {
	{ "read a file", try_read, false }, { "list a directory", try_list, false },
	{ "write a file", try_write, false },
	{ "run a program", try_run, false }, { "open a connection", try_connect, false },
	{ "trace a process", try_trace, false },
	{ "signal a process", try_signal, false }, { "order: read", asked_read, true },
	{ "order: replace", asked_replace, true },
	{ "order: make a file", asked_new, true }, { "order: remove", asked_remove, true },
	{ "order: open", asked_open, true }
};

static void
try_in_child(size_t i, enum sandbox_level level)
{
	struct sandbox s;
	struct err err;

	/* Without a signal handler of icecore, so that the signal itself ends the process. */
	(void)signal(SIGSYS, SIG_DFL);
	sandbox_begin(&s, level);
	if (tries[i].explorer)
		let_explorer(&s);
	_exit(sandbox_enter(&s, &err) ? tries[i].act() : UNCONFINED);
}

bool
sandbox_try(size_t i, enum sandbox_level level, struct sandbox_tried *t, struct err *err)
{
	pid_t child;
	int status;

	if (tries[i].explorer)
		make_there();
	child = fork();
	if (child == 0)
		try_in_child(i, level);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			child = -1;
	if (tries[i].explorer)
		(void)unlink(there);
	if (child < 0)
		return fail_errno(err, "cannot start a process");
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNCONFINED)
		return fail(err, E_SYSTEM, "out of memory (sandbox)");
	*t = (struct sandbox_tried){ tries[i].what, WIFSIGNALED(status),
	    WIFEXITED(status) ? WEXITSTATUS(status) : 0 };
	return true;
}
