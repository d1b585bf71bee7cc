/*
 * start: what a program inherits, made what it expects.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "icecore/os.h"

#define FDS_MOST 4096	/* to be closed one by one, where the kernel cannot close all at once */

/*
 * Else the next file that is opened becomes what is missing, and gets what is printed.  Writing to what takes its place fails.
 * It becomes fd, as the ones below it are open.
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
	/* A closed pipe and a limit on file sizes are errors of write(2), not the end. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	/* Children whose end is ignored cannot be waited for. */
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
	for (int i = 0; i < n; i++)
		if (dup2(fd[i], i) < 0)
			return false;
#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)n, ~0u, 0u) == 0)
		return true;
#endif
	for (int i = n; i < FDS_MOST; i++)
		close(i);
	return true;
}
