/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * agent: the process that records for icecore mcp, whose own process is in the sandbox.
 *
 * A client chooses the kind, the process and the time, nothing else: no path, and no option. Each recording
 * is an icecore record of its own.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/mcp.h"
#include "record.h"

#define LOOK_MS 50

/* The words of the command line; pid and time are buffers for them. */
static bool
agent_words(const struct mcp_recording *q, const char **argv, char *pid, char *time, size_t size,
    struct err *err)
{
	const struct record_kind *k;
	size_t n = 0;

	argv[n++] = "icecore";
	if (strcmp(q->kind, "ps") == 0) {
		argv[n++] = "ps";
		argv[n] = NULL;
		return true;
	}
	k = record_kind_of(q->kind, false);
	if (k == NULL)
		return fail_kind(q->kind, false, err);
	if (k->pid ? q->pid == 0 : q->pid != 0)
		return fail(err, E_USAGE, "%s takes %s pid", k->word, k->pid ? "a" : "no");
	if (!k->time && q->seconds > 0)
		return fail(err, E_USAGE, "%s takes no seconds", k->word);
	argv[n++] = "record";
	argv[n++] = k->word;
	if (k->run != record_histogram)
		argv[n++] = "--no-open";
	snprintf(pid, size, "%u", q->pid);
	snprintf(time, size, "%us", q->seconds);
	if (k->pid)
		argv[n++] = pid;
	if (q->seconds > 0)
		argv[n++] = time;
	argv[n] = NULL;
	return true;
}

/* False: it failed, or was cancelled. */
static bool
agent_run(int socket, const char *const *argv, struct buf *answer, struct err *err)
{
	struct pollfd p = { .fd = socket, .events = POLLIN };
	struct other_program o = OTHER_NONE;
	struct buf said = BUF_INIT;
	struct str line;
	int out = -1, status = -1;
	bool ok = fd_temporary(&out, NULL, err) && other_start(&o, NULL, argv, -1, out, err);

	while (ok && other_runs(&o, &status))
		if (poll(&p, 1, LOOK_MS) > 0) {
			char more;

			(void)!read(socket, &more, 1);
			other_stop(&o, SIGTERM, &status);
			ok = fail_cancel(err);
		}
	other_said(&o, MCP_RECORDED, &said);
	if (ok && status != 0) {
		/* The last line says why. */
		line = str_trim(buf_view(&said));
		while (line.n > 0 && line.s[line.n - 1] == '\n')
			line.n--;
		(void)str_divide_last(line, '\n', &line, &line);
		(void)str_take(&line, STR("icecore: "));
		ok = line.n == 0 ? other_failed(&o, "the recording", status, err) :
		    fail(err, E_SYSTEM, "%.*s", (int)str_head(line, 400).n, line.s);
	}
	if (ok) {
		if (lseek(out, 0, SEEK_SET) == 0)
			(void)read_most(dup(out), MCP_RECORDED, answer);
		buf_str(answer, buf_view(&said));
	}
	if (out >= 0)
		close(out);
	other_end(&o);
	buf_free(&said);
	return ok;
}

static void
agent_answer(int socket, struct mcp_recording *q, struct buf *b)
{
	char pid[16], time[16];
	const char *argv[8];
	struct err err = { .kind = E_NONE };

	q->kind[sizeof q->kind - 1] = '\0';
	buf_clear(b);
	buf_chr(b, '\0');
	if (!agent_words(q, argv, pid, time, sizeof pid, &err) || !agent_run(socket, argv, b, &err)) {
		buf_clear(b);
		buf_chr(b, '\1');
		buf_str(b, str_of(err.text));
	}
	if (b->bad || write(socket, b->s, b->n < MCP_RECORDED ? b->n : MCP_RECORDED) < 0)
		_exit(E_SYSTEM);
}

/* Answer requests from the socket; the standard files become /dev/null. */
static void
agent_live(int socket)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct mcp_recording q;
	struct buf b = BUF_INIT;
	ssize_t n;

	signals_clean(NULL, 0);
	if (null < 0 || setpgid(0, 0) != 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(E_SYSTEM);
	for (;;) {
		n = read(socket, &q, sizeof q);
		if (n == (ssize_t)sizeof q)
			agent_answer(socket, &q, &b);
		else if (n == 0 || (n < 0 && errno != EINTR))
			_exit(E_NONE);
	}
}

bool
record_agent(int *socket, struct err *err)
{
	int pair[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return fail_errno(err, "cannot make a socket");
	fflush(NULL);
	child = fork();
	if (child == 0) {
		close(pair[0]);
		agent_live(pair[1]);
	}
	close(pair[1]);
	if (child < 0) {
		close(pair[0]);
		return fail_errno(err, "cannot start the recorder");
	}
	*socket = pair[0];
	return true;
}
