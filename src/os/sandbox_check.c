/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sandbox_check: try forbidden operations in a process that is confined like one that reads a file.
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

/* It does not matter whether anybody listens there. */
static int
try_connect(void)
{
	const struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 || (connect(fd, (const struct sockaddr *)&a, sizeof a) != 0 && errno != ECONNREFUSED) ? errno : 0;
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

static const struct {
	const char	*what;
	int		(*act)(void);
} tries[SANDBOX_TRIES] = {
	{ "read a file", try_read }, { "list a directory", try_list }, { "write a file", try_write }, { "run a program", try_run },
	{ "open a connection", try_connect }, { "trace a process", try_trace }, { "signal a process", try_signal }
};

static void
try_in_child(size_t i, enum sandbox_level level)
{
	struct sandbox s;
	struct err err;

	/* Without a signal handler of icecore, so that the signal itself ends the process. */
	(void)signal(SIGSYS, SIG_DFL);
	sandbox_begin(&s, level);
	_exit(sandbox_enter(&s, &err) ? tries[i].act() : UNCONFINED);
}

bool
sandbox_try(size_t i, enum sandbox_level level, struct sandbox_tried *t, struct err *err)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		try_in_child(i, level);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			child = -1;
	if (child < 0)
		return fail_errno(err, "cannot start a process");
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNCONFINED)
		return fail(err, E_SYSTEM, "out of memory (sandbox)");
	*t = (struct sandbox_tried){ tries[i].what, WIFSIGNALED(status), WIFEXITED(status) ? WEXITSTATUS(status) : 0 };
	return true;
}
