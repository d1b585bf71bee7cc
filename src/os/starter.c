/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * starter: start icecore once more, for another file.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/args.h"
#include "icecore/os.h"
#include "icecore/system.h"
#include "starter.h"

/* Exit status of a child that could not become icecore. */
enum { NOT_STARTED = 127 };

struct start {
	char		query[PATH_MAX], path[PATH_MAX];
};

struct started {
	int		error, status;
	size_t		n;
	char		said[PROGRAM_SAID];
};

static struct {
	bool		 ready;			/* starter_with was called */
	const char	*const *words;
	size_t		 nwords;
	/* Scripts of the processes, in order; NULL: they use the terminal. */
	const char	*const *scripts;
	size_t		 nscripts, nth;
	int		 socket;
	pid_t		 pid;
	struct start	 next;
	struct started	 last;
} starter = { .socket = -1 };

void
starter_with(const char *const *words, size_t n)
{
	starter.ready = true;
	starter.words = words;
	starter.nwords = n;
}

void
starter_scripts(const char *const *scripts, size_t n)
{
	starter.scripts = scripts;
	starter.nscripts = n;
}

/* ---- the new process ---------------------------------------------------------------- */

/* The keys of the process are those of the script; it prints its frames like this one. */
static bool
starter_feed(const char *script)
{
	FILE *f = tmpfile();

	return f != NULL && fputs(script, f) >= 0 && fflush(f) == 0 && lseek(fileno(f), 0, SEEK_SET) == 0 &&
	    dup2(fileno(f), STDIN_FILENO) == 0;
}

static bool
starter_words(struct args_list *l, const struct start *s, struct buf *typed, struct err *err)
{
	bool ok = args_add(l, "icecore", err);

	for (size_t i = 0; ok && i < starter.nwords; i++)
		ok = args_add(l, starter.words[i], err);
	if (ok && s->query[0] != '\0') {
		buf_printf(typed, ":%s\r", s->query);
		ok = !typed->bad && args_add(l, "--type", err) && args_add(l, typed->s, err);
	}
	if (ok && starter.scripts != NULL)
		ok = args_add(l, "--keys", err) && args_add(l, "-", err) &&
		    starter_feed(starter.nth < starter.nscripts ? starter.scripts[starter.nth] : "");
	return ok && args_add(l, "--", err) && args_add(l, s->path, err);
}

static void
starter_child(const struct start *s, int out)
{
	struct args_list l = { .n = 0 };
	struct buf typed = BUF_INIT;
	struct err err;

	signals_clean(NULL, 0);
	if (dup2(out, STDERR_FILENO) >= 0 && setenv("ICECORE_ROW", "1", 1) == 0 &&
	    starter_words(&l, s, &typed, &err))
		system_run_again((char *const *)(uintptr_t)l.arg);
	_exit(NOT_STARTED);
}

/*
 * False: it has ended.  If C-z stopped it, which restores the terminal first, all of the job stop, so that the shell
 * does not write before that.  It continues them all.
 */
static bool
starter_goes_on(pid_t pid, int how, int *status)
{
	pid_t is;

	while ((is = waitpid(pid, status, how | WUNTRACED)) == pid ? WIFSTOPPED(*status) : is < 0 && errno == EINTR)
		if (is == pid)
			kill(0, SIGSTOP);
	return is == 0;
}

static void
starter_woken(int sig)
{
	(void)sig;
}

/* Keep the start of what the process writes, until it ends. */
static void
starter_listen(int in, pid_t pid, struct started *d, int *status)
{
	struct sigaction wake = { .sa_handler = starter_woken }, old;
	struct pollfd p = { .fd = in, .events = POLLIN };
	bool alive = true;
	sigset_t mask, before;
	char piece[1024];
	ssize_t n = 1;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, &before);
	mask = before;
	sigdelset(&mask, SIGCHLD);
	sigaction(SIGCHLD, &wake, &old);
	/* It may have stopped before. */
	while (n > 0 || (n < 0 && errno == EINTR)) {
		alive = alive && starter_goes_on(pid, WNOHANG, status);
		if (ppoll(&p, 1, NULL, &mask) < 0 && errno == EINTR)
			continue;
		n = read(in, piece, sizeof piece);
		for (ssize_t i = 0; i < n && d->n < sizeof d->said; i++)
			d->said[d->n++] = piece[i];
	}
	if (alive)
		starter_goes_on(pid, 0, status);
	sigaction(SIGCHLD, &old, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool
starter_run(const struct start *s, struct started *d)
{
	int ends[2], status = 0;
	pid_t pid;

	*d = (struct started){ .n = 0 };
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	pid = fork();
	if (pid == 0)
		starter_child(s, ends[1]);
	starter.nth++;
	close(ends[1]);
	if (pid > 0)
		starter_listen(ends[0], pid, d, &status);
	close(ends[0]);
	d->status = WIFEXITED(status) ? WEXITSTATUS(status) : E_SYSTEM;
	return pid > 0 && (d->status != NOT_STARTED || (errno = ENOEXEC, false));
}

/* ---- the starter ---------------------------------------------------------------------- */

static bool
is_start(const struct start *s)
{
	for (const char *q = s->query; *q != '\0'; q++)
		if ((unsigned char)*q < ' ' || *q == '\177')
			return false;
	return s->path[0] != '\0';
}

static void
starter_serve(int socket)
{
	static struct started d;
	static struct start s;

	while (read(socket, &s, sizeof s) == (ssize_t)sizeof s) {
		errno = EINVAL;
		s.query[sizeof s.query - 1] = s.path[sizeof s.path - 1] = '\0';
		d.error = is_start(&s) && starter_run(&s, &d) ? 0 : errno;
		if (write(socket, &d, sizeof d) != (ssize_t)sizeof d)
			break;
	}
	_exit(0);
}

static void
become_starter(int socket)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU };
	const int fds[] = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, socket };

	signals_clean(ignored, NELEM(ignored));
	system_name_process("icecore-starter");
	if (descriptors_keep(fds, NELEM(fds)))
		starter_serve(3);
	_exit(0);
}

int
starter_fork(void)
{
	int ends[2];

	if (!starter.ready || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	starter.pid = fork();
	if (starter.pid == 0)
		become_starter(ends[1]);
	close(ends[1]);
	if (starter.pid > 0)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* ---- the process that gives the order ---------------------------------------------------- */

void
starter_at(int socket)
{
	starter.socket = socket;
}

bool
starter_ask(const char *query)
{
	return (size_t)snprintf(starter.next.query, sizeof starter.next.query, "%s",
	    query) < sizeof starter.next.query;
}

bool
starter_start(const char *path, int *status)
{
	struct started *d = &starter.last;
	bool ok = (size_t)snprintf(starter.next.path, sizeof starter.next.path, "%s",
	    path) < sizeof starter.next.path;
	ssize_t n = -1;

	errno = ENAMETOOLONG;
	if (ok && !starter.ready)
		ok = (errno = ENOSYS, false);
	else if (ok && starter.socket < 0)
		ok = (errno = EINVAL, is_start(&starter.next)) && starter_run(&starter.next, d);
	else if (ok) {
		*d = (struct started){ .error = EPIPE };
		if (write(starter.socket, &starter.next, sizeof starter.next) == (ssize_t)sizeof starter.next)
			while ((n = read(starter.socket, d, sizeof *d)) < 0 && errno == EINTR)
				;
		ok = n == (ssize_t)sizeof *d && d->error == 0;
		errno = d->error;
	}
	starter.next.query[0] = '\0';
	*status = d->status;
	return ok;
}

struct str
starter_said(void)
{
	return (struct str){ starter.last.said, starter.last.n < sizeof starter.last.said ? starter.last.n :
	    sizeof starter.last.said };
}

void
starter_end(void)
{
	if (starter.socket < 0)
		return;
	close(starter.socket);
	while (waitpid(starter.pid, NULL, 0) < 0 && errno == EINTR)
		;
}
