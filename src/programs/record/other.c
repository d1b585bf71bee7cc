/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * other: other programs of this machine, perf and adb, without a shell.
 *
 * Their output goes to files without names. A pipe could stay open after its program ends: adb leaves a
 * server behind.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record.h"

#define NOT_STARTED 127
#define KILL_NS 20000000000u	/* a program may take this long to end */
#define SAID_MOST 131072u	/* bytes of standard error; the rest is dropped */

static void
other_become(const struct other_program *p, const char *path, const char *const *argv, int in, int out,
    pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	signals_clean(NULL, 0);
	(void)umask(077);
	/* An interrupt of the terminal is for icecore, which ends the program. */
	if (setpgid(0, 0) != 0 || !system_end_with(parent, SIGINT) ||
	    dup2(in < 0 ? null : in, STDIN_FILENO) < 0 ||
	    dup2(out < 0 ? null : out, STDOUT_FILENO) < 0 || dup2(p->said, STDERR_FILENO) < 0)
		_exit(NOT_STARTED);
	if (path == NULL)
		system_run_again((char *const *)(uintptr_t)argv);
	else
		execv(path, (char *const *)(uintptr_t)argv);
	_exit(NOT_STARTED);
}

bool
other_start(struct other_program *p, const char *path, const char *const *argv, int in, int out,
    struct err *err)
{
	pid_t parent = getpid();

	*p = OTHER_NONE;
	/* A full disk must not hide the message about it. */
	p->said = system_memory_file(SAID_MOST);
	if (p->said < 0 && !fd_temporary(&p->said, NULL, err))
		return false;
	fflush(NULL);
	p->pid = fork();
	if (p->pid == 0)
		other_become(p, path, argv, in, out, parent);
	if (p->pid > 0)
		return true;
	p->pid = 0;
	return fail_errno(err, "cannot start %s", argv[0]);
}

bool
other_runs(struct other_program *p, int *status)
{
	if (p->pid > 0 && waitpid(p->pid, status, WNOHANG) == p->pid)
		p->pid = 0;
	return p->pid > 0;
}

void
other_stop(struct other_program *p, int sig, int *status)
{
	uint64_t from = os_now();
	bool killed = false;

	if (p->pid > 0)
		(void)kill(p->pid, sig);
	while (other_runs(p, status)) {
		(void)poll(NULL, 0, 20);
		if (!killed && os_now() - from > KILL_NS) {
			killed = true;
			(void)kill(p->pid, SIGKILL);
		}
	}
}

/* The program shares the offset of the file. */
void
other_said(const struct other_program *p, size_t most, struct buf *b)
{
	off_t n = p->said < 0 ? 0 : lseek(p->said, 0, SEEK_CUR);
	char piece[4096];
	ssize_t got = 1;

	for (off_t at = 0; at < n && (size_t)at < most && got > 0; at += got) {
		got = pread(p->said, piece, (size_t)(n - at) < sizeof piece ? (size_t)(n - at) : sizeof piece,
		    at);
		if (got > 0)
			buf_add(b, piece, (size_t)got);
	}
}

bool
other_failed(const struct other_program *p, const char *what, int status, struct err *err)
{
	struct buf b = BUF_INIT;
	struct str line;
	bool ok;

	other_said(p, SAID_MOST, &b);
	line = str_head(first_line(buf_view(&b)), 300);
	if (line.n > 0)
		ok = fail(err, E_SYSTEM, "%s failed: %.*s", what, (int)line.n, line.s);
	else if (WIFSIGNALED(status))
		ok = fail(err, E_SYSTEM, "%s was ended by signal %d (%s)", what, WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else
		ok = fail(err, E_SYSTEM, "%s failed without a message (exit status %d)", what,
		    WEXITSTATUS(status));
	buf_free(&b);
	return ok;
}

void
other_end(struct other_program *p)
{
	int status;

	other_stop(p, SIGINT, &status);
	if (p->said >= 0)
		close(p->said);
	*p = OTHER_NONE;
}
