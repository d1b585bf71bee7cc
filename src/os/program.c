/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program: run another program and read its output through a pipe.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/limits.h"
#include "icecore/program.h"
#include "icecore/system.h"

#define NOT_STARTED 127
#define CHUNK 65536u
#define WAIT 100	/* ms between two checks for cancellation */

bool
program_find(const char *name, struct buf *path)
{
	struct str rest = str_of(getenv("PATH")), directory;
	struct stat st;

	while (str_split(&rest, ':', &directory)) {
		if (directory.n == 0 || directory.s[0] != '/')
			continue;
		buf_clear(path);
		buf_str(path, directory);
		buf_chr(path, '/');
		buf_str(path, str_of(name));
		if (!path->bad && stat(path->s, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(path->s, X_OK) == 0)
			return true;
	}
	return false;
}

/* ---- the two child processes ----------------------------------------------------------------- */

/* Descriptors in the program, and in its keeper. */
enum { IN, OUT, ERR, FILE_FD, DEATH, FDS };
enum { LIFE, TOLD, GIVEN, KEEPER_FDS = GIVEN + DEATH };

/* The program to start. */
struct start {
	const char		*path;
	char *const		*argv, *const *envp;
	enum sandbox_level	 level;
};

static void
program_become(const struct start *s, const int *fd, pid_t keeper)
{
	signals_clean(NULL, 0);
	if (setpgid(0, 0) != 0 || !system_end_with(keeper, SIGKILL) || !system_no_new_rights() ||
	    !sandbox_program(s->level) || !descriptors_keep(fd, FDS))
		_exit(NOT_STARTED);
	execve(s->path, s->argv, s->envp);
	_exit(NOT_STARTED);
}

/*
 * Wait until the child ends (death closes) or the parent no longer needs it (LIFE closes). Return its status.
 */
static int
wait_for(pid_t child, int death)
{
	struct pollfd p[2] = { { .fd = LIFE, .events = POLLIN }, { .fd = death, .events = POLLIN } };
	int status = NOT_STARTED << 8;

	while (p[0].revents == 0 && p[1].revents == 0)
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			break;
	if (p[1].revents == 0) {
		/* Also kill processes that the program started. */
		(void)kill(-child, SIGKILL);
		(void)kill(child, SIGKILL);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static void
program_keep(const struct start *s, const int *fd)
{
	int death[2], given[FDS], status = NOT_STARTED << 8;
	pid_t keeper = getpid(), child;

	/* Detach from the terminal. */
	if (setsid() < 0 || !descriptors_keep(fd, KEEPER_FDS) || pipe2(death, O_CLOEXEC) != 0)
		_exit(NOT_STARTED);
	for (int i = IN; i < DEATH; i++)
		given[i] = GIVEN + i;
	given[DEATH] = death[1];
	child = fork();
	if (child == 0)
		program_become(s, given, keeper);
	for (int i = IN; i < FDS; i++)
		close(given[i]);
	if (child > 0)
		status = wait_for(child, death[0]);
	_exit(write(TOLD, &status, sizeof status) == (ssize_t)sizeof status ? 0 : NOT_STARTED);
}

/* ---- starting ---------------------------------------------------------------------------------- */

#define NO_PIPE { -1, -1 }

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
program_close(struct program *p)
{
	close_fd(&p->out);
	close_fd(&p->err);
	close_fd(&p->life);
	close_fd(&p->status);
}

/* The keeper is reparented, so that this process need not wait for it: the sandbox allows no wait call. */
static bool
fork_keeper(const struct start *s, const int *fd)
{
	int status = 1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		child = fork();
		if (child == 0)
			program_keep(s, fd);
		_exit(child < 0);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && status == 0;
}

bool
program_start(struct program *p, const char *path, char *const *argv, char *const *envp, int file,
    enum sandbox_level level, struct err *err)
{
	int out[2] = NO_PIPE, told[2] = NO_PIPE, life[2] = NO_PIPE, status[2] = NO_PIPE;
	bool ok = pipe2(out, O_CLOEXEC) == 0 && pipe2(told, O_CLOEXEC) == 0 && pipe2(life, O_CLOEXEC) == 0 &&
	    pipe2(status, O_CLOEXEC) == 0;
	const struct start s = { path, argv, envp, level };
	int fd[KEEPER_FDS] = { [LIFE] = life[0], [TOLD] = status[1],
	    [GIVEN + IN] = open("/dev/null", O_RDONLY | O_CLOEXEC),
		[GIVEN + OUT] = out[1], [GIVEN + ERR] = told[1], [GIVEN + FILE_FD] = file };

	*p = (struct program){ out[0], told[0], life[1], status[0] };
	ok = ok && fd[GIVEN + IN] >= 0 && fork_keeper(&s, fd);
	if (!ok)
		fail_errno(err, "cannot start %s", path);
	for (int i = 0; i < GIVEN + FILE_FD; i++)
		close_fd(&fd[i]);
	if (!ok)
		program_close(p);
	return ok;
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* Read a chunk; false: nothing to read yet, or end of output; *fd is then closed. */
static bool
program_take(int *fd, char *chunk, ssize_t *n)
{
	*n = read(*fd, chunk, CHUNK);
	if (*n > 0 || (*n < 0 && (errno == EINTR || errno == EAGAIN)))
		return *n > 0;
	close_fd(fd);
	return false;
}

bool
program_read(struct program *p, struct intake *to, struct buf *said, int *status, struct work *w,
    struct err *err)
{
	char *chunk = mem_array(CHUNK, 1);
	struct pollfd fds[3];
	ssize_t n;
	bool ok = chunk != NULL || fail(err, E_SYSTEM, "out of memory (program)");

	*status = NOT_STARTED << 8;
	while (ok && (p->out >= 0 || p->err >= 0 || p->status >= 0)) {
		const int fd[3] = { p->out, p->err, p->status };

		for (int i = 0; i < 3; i++)
			fds[i] = (struct pollfd){ .fd = fd[i], .events = POLLIN };
		work_waited();
		if (!work_go(w, to->n, err) || (poll(fds, 3, WAIT) < 0 && errno != EINTR &&
		    !fail_errno(err, "cannot wait"))) {
			ok = false;
			continue;
		}
		if (fds[0].revents != 0 && program_take(&p->out, chunk, &n))
			ok = intake_put(to, chunk, (size_t)n, err);
		if (ok && fds[1].revents != 0 && program_take(&p->err, chunk, &n) && said->n < PROGRAM_SAID)
			buf_add(said, chunk, (size_t)n < PROGRAM_SAID - said->n ? (size_t)n :
			    PROGRAM_SAID - said->n);
		if (ok && fds[2].revents != 0 && program_take(&p->status, chunk, &n) &&
		    n == (ssize_t)sizeof *status)
			memcpy(status, chunk, sizeof *status);
	}
	free(chunk);
	program_close(p);
	return ok;
}
