/*
 * start: what a program inherits, made what it expects.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "icecore/os.h"

/*
 * Else the next file that is opened becomes what is missing, and gets what is printed.  Writing to what takes its place fails.
 * It becomes fd, as the ones below it are open.
 */
static void
fill(int fd)
{
	if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
		(void)open("/", O_RDONLY | O_DIRECTORY);
}

void
start_clean(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fill(fd);
	/* A closed pipe and a limit on file sizes are errors of write(2), not the end. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	/* Children whose end is ignored cannot be waited for. */
	(void)signal(SIGCHLD, SIG_DFL);
}
