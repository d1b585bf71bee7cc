/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * serve: lines in, lines out, and one call at a time in parallel.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "mcp.h"

#define READ_MOST 65536u
#define WRITE_MOST PIPE_BUF	/* a pipe that is writable takes at least this much at once */
#define TELL_MS 250
#define LAST_MS 200		/* time for the remaining output at the end */
#define LAST_SECONDS 1u

struct wire {
	struct server	 server;
	struct buf	 line;
	bool		 skip;		/* the line is too long: up to its end */
	size_t		 sent;		/* bytes of server.out that were sent */
	int		 wake[2];	/* a byte in it: a call has ended, or a signal has come */
	bool		 closed;	/* the input has ended */
	int		 broken;	/* errno of a write: no more answers are possible */
};

static volatile sig_atomic_t asked_to_end, last_status;
static int wake_fd;

static void
on_signal(int sig)
{
	ssize_t wrote;

	(void)sig;
	asked_to_end = 1;
	wrote = write(wake_fd, "", 1);
	(void)wrote;
}

/* Exit although a call is still running: its client is gone. */
static void
on_alarm(int sig)
{
	(void)sig;
	ending_exit(last_status);
}

/* ---- in ------------------------------------------------------------------------------- */

static void
take_line(struct wire *w)
{
	if (w->skip)
		server_long_line(&w->server);
	else
		server_line(&w->server, buf_view(&w->line));
	w->skip = false;
	buf_clear(&w->line);
	w->line.bad = false;
}

/* Collect lines; drop those that exceed the limit or memory. */
static void
take_bytes(struct wire *w, struct str bytes)
{
	struct str part;
	const char *end;

	while (bytes.n > 0) {
		end = memchr(bytes.s, '\n', bytes.n);
		part = str_head(bytes, end != NULL ? (size_t)(end - bytes.s) : bytes.n);
		w->skip = w->skip || w->line.n + part.n > LINE_MOST;
		if (w->skip)
			buf_clear(&w->line);
		else
			buf_str(&w->line, part);
		w->skip |= w->line.bad;
		if (end != NULL)
			take_line(w);
		bytes = str_after(bytes, part.n + (end != NULL));
	}
}

static void
read_some(struct wire *w)
{
	char bytes[READ_MOST];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);

	if (n > 0)
		take_bytes(w, (struct str){ bytes, (size_t)n });
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		w->closed = true;
}

/* ---- out ------------------------------------------------------------------------------ */

static size_t
left_to_write(const struct wire *w)
{
	return w->server.out.n - w->sent;
}

static void
write_some(struct wire *w)
{
	struct buf *out = &w->server.out;
	size_t n = left_to_write(w) < WRITE_MOST ? left_to_write(w) : WRITE_MOST;
	ssize_t wrote = write(STDOUT_FILENO, out->s + w->sent, n);

	if (wrote < 0 && errno != EINTR && errno != EAGAIN)
		w->broken = errno;
	w->sent += wrote > 0 ? (size_t)wrote : 0;
	if (w->sent == out->n) {
		buf_clear(out);
		w->sent = 0;
	}
}

/* ---- the loop ------------------------------------------------------------------------- */

static void
take_ended(struct wire *w)
{
	struct err err;
	char bytes[64];
	ssize_t n = read(w->wake[0], bytes, sizeof bytes);
	bool ok;

	(void)n;
	if (worker_take(w->server.worker, &ok, &err))
		server_ended(&w->server, ok, &err);
}

static bool
wait_once(struct wire *w, struct err *err)
{
	bool some = left_to_write(w) > 0, told = w->server.running != NULL && w->server.running->token.n > 0;
	struct pollfd p[] = {
		{ .fd = left_to_write(w) < OUT_MOST ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = STDOUT_FILENO, .events = (short)(some ? POLLOUT : 0) },
		{ .fd = w->wake[0], .events = POLLIN },
	};

	if (poll(p, NELEM(p), told ? TELL_MS : -1) < 0)
		return errno == EINTR || fail_errno(err, "cannot wait for messages");
	if (p[2].revents != 0)
		take_ended(w);
	if ((p[1].revents & POLLOUT) != 0)
		write_some(w);
	else if ((p[1].revents & (POLLERR | POLLNVAL)) != 0)
		w->broken = EPIPE;
	if ((p[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
		read_some(w);
	server_progress(&w->server);
	return !w->server.out.bad || fail(err, E_SYSTEM, "out of memory (answers)");
}

/* Write the remaining answers, for at most LAST_MS and only while the client reads. */
static void
write_last(struct wire *w)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };
	uint64_t until = os_now() + LAST_MS * UINT64_C(1000000);

	while (w->broken == 0 && left_to_write(w) > 0 && os_now() < until && poll(&p, 1, LAST_MS) == 1 &&
	    (p.revents & POLLOUT) != 0)
		write_some(w);
}

static void
catch_signals(struct wire *w)
{
	static const int ends[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal };

	wake_fd = w->wake[1];
	sigfillset(&sa.sa_mask);
	for (size_t i = 0; i < NELEM(ends); i++)
		sigaction(ends[i], &sa, NULL);
	sa.sa_handler = on_alarm;
	sigaction(SIGALRM, &sa, NULL);
}

bool
mcp_run(const struct mcp_options *o, struct err *err)
{
	struct wire w = { .server = { .o = o, .files = files_new() } };
	bool ok = w.server.files != NULL || fail(err, E_SYSTEM, "out of memory");

	if (!ok || pipe2(w.wake, O_CLOEXEC | O_NONBLOCK) < 0) {
		files_free(w.server.files);
		return ok ? fail_errno(err, "cannot create a pipe") : false;
	}
	catch_signals(&w);
	ok = worker_start(&w.server.worker, w.wake[1], err);
	while (ok && !w.closed && w.broken == 0 && !asked_to_end)
		ok = wait_once(&w, err);
	/* A call that cannot be cancelled must not delay the exit. */
	alarm(LAST_SECONDS);
	write_last(&w);
	/* A client that closed the connection is not a failure. */
	if (ok && w.broken != 0 && w.broken != EPIPE) {
		errno = w.broken;
		ok = fail_errno(err, "cannot write output");
	}
	last_status = ok ? E_NONE : E_SYSTEM;
	worker_stop(w.server.worker);
	server_free(&w.server);
	buf_free(&w.line);
	close(w.wake[0]);
	close(w.wake[1]);
	return ok;
}
