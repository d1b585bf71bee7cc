/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * start: bring the inherited process state to a known state.
 */
#include "config.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "icecore/os.h"

#define FDS_MOST 4096	/* to close one by one if the kernel has no close_range */

/*
 * If a standard descriptor is closed, the next opened file would replace it and receive output. Writing to
 * the replacement fails. open() returns fd, because all lower descriptors are open.
 */
static void
start_fill(int fd)
{
	if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
		(void)open("/", O_RDONLY | O_DIRECTORY);
}

void
start_clean(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		start_fill(fd);
	/* Closed pipes and file size limits become errors of write(2) and do not kill the process. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	/* Children cannot be waited for while SIGCHLD is ignored. */
	(void)signal(SIGCHLD, SIG_DFL);
}

void
signals_clean(const int *ignored, size_t n)
{
	sigset_t none;
	bool ignore;

	for (int sig = 1; sig < NSIG; sig++) {
		ignore = false;
		for (size_t i = 0; i < n; i++)
			ignore |= ignored[i] == sig;
		(void)signal(sig, ignore ? SIG_IGN : SIG_DFL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

bool
descriptors_keep(const int *fd, int n)
{
	int from[DESCRIPTORS_MOST];

	assert(n <= DESCRIPTORS_MOST);
	/* A descriptor in the place of another one first moves above all places. */
	for (int i = 0; i < n; i++) {
		from[i] = fd[i];
		for (int k = 0; k < i; k++)
			if (fd[k] == fd[i])
				from[i] = from[k];
		if (from[i] != i && from[i] < n && (from[i] = fcntl(fd[i], F_DUPFD_CLOEXEC, n)) < 0)
			return false;
	}
	for (int i = 0; i < n; i++)
		if (from[i] == i ? fcntl(i, F_SETFD, 0) < 0 : dup2(from[i], i) < 0)
			return false;
#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)n, ~0u, 0u) == 0)
		return true;
#endif
	for (int i = n; i < FDS_MOST; i++)
		close(i);
	return true;
}
